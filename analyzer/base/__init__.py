"""What knows nothing of kernels: diagnostics with places, TOML, names, whole files, jit."""
