"""``warpmill sweep``."""
