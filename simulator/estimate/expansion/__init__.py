"""What instructions of PTX and LLVM become in machine code, by architecture."""
