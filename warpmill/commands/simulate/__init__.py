"""``warpmill simulate``."""
