"""``warpmill trace``."""
