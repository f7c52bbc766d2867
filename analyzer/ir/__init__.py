"""One IR for kernels from every front-end: types, operations, modules."""
