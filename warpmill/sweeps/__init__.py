"""Sweeps: a launch in many configurations, on many machines, kept in a study and ranked."""
