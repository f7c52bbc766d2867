"""Speed and accuracy, measured: ``python -m benchmarks.NAME [--json] [--quick]``."""
