"""How accesses of a warp become sectors, lines and shared-memory wavefronts."""
