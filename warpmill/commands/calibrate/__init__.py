"""``warpmill calibrate``."""
