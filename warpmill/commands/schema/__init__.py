"""``warpmill schema``."""
