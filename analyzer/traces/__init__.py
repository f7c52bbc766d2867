"""Warp traces: their model, their file format, and the sources that make them."""
