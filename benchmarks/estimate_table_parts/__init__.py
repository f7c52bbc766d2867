"""Parts of benchmarks.estimate_table: the kernels, their design spaces, their estimates."""
