"""How accesses of a warp become sectors, lines and passes over banks."""
