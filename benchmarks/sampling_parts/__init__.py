"""What benchmarks of sampling share."""
