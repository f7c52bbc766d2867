"""``warpmill inspect``."""
