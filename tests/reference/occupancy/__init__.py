"""NVIDIA's own occupancy calculation, asked apart from everything here: see README.md beside it."""
