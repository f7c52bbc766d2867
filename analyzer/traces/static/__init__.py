"""Static traces: a kernel's control flow walked for a batch of warps at once, without data."""
