"""``warpmill replay``."""
