"""What benchmarks/profiles.py measures, a file a topic."""
