"""``warpmill clone``."""
