"""``warpmill correlate``."""
