"""Parts of benchmarks.error_bands: rows estimated again, coverage, the file of the product."""
