"""``warpmill profile``."""
