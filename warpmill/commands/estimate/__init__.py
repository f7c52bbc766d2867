"""``warpmill estimate``."""
