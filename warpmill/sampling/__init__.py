"""Sampling of applications: choose, simulate what was chosen, project, and check."""
