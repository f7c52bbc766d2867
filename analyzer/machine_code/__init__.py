"""Machine code as the CUDA tools leave it. All of it is optional: nothing needs these tools."""
