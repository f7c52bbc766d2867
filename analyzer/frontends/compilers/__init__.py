"""Sources to PTX or LLVM IR by the compilers that are found: nvcc, NVRTC, clang."""
