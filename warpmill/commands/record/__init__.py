"""``warpmill record``."""
