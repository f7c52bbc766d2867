"""Parts of benchmarks/tbpoint.py."""
