"""``warpmill tune``."""
