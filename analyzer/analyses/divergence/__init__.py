"""Values that differ between threads that execute together, and their divergent branches."""
