"""Design-space exploration: machines drawn from a space, simulated, and models of what came out."""
