"""``warpmill samples``."""
