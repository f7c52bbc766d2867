"""Random damage to valid kernel files, and what warpmill must hold to whatever it reads."""
