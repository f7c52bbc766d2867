"""Exact counts of launches, how they behave, and the divergence flow statistics graph."""
