"""Front-ends: files as compilers leave them, read into the one IR."""
