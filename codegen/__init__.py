"""Miniature clones: from what a launch did to a clone model, and from that to PTX and CUDA."""
