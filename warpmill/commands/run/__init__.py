"""``warpmill run``."""
