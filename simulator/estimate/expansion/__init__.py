"""Expansion of PTX and LLVM instructions into machine code, by architecture."""
