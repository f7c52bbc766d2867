"""Clone models from what a launch did, and kernels from models."""
