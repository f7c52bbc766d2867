"""``warpmill explore``."""
