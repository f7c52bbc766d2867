"""Parts of benchmarks/gtpin.py."""
