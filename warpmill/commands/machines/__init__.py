"""``warpmill machines``."""
