"""What benchmarks/accuracy.py is made of: measured rows, their kernels, and how near times come."""
