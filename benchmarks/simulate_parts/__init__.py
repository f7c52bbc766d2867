"""What benchmarks/simulate.py measures, a file a topic."""
