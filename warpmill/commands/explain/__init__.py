"""``warpmill explain``."""
