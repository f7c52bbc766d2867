"""``warpmill sample``."""
