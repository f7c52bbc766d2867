"""What benchmarks/execution.py measures, a file a topic."""
