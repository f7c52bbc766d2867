"""Which values differ between threads that execute together, and which branches part them."""
