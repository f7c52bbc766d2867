"""Where instructions stand in a kernel."""

Place = tuple[int, int]
"""An instruction: its block, and its index there."""
