"""``warpmill analyze``."""
