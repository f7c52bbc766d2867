"""``warpmill doctor``."""
