"""``warpmill dfsg``."""
