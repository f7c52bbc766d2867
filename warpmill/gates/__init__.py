"""Performance gates: figures of kernels held against budgets and baselines."""
