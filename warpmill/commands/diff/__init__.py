"""``warpmill diff``."""
