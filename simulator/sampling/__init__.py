"""Sampling: which launches and CTAs to simulate, and what the others are taken to do."""
