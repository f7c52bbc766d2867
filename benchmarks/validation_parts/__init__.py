"""What docs/validation.md is written from, a file a kind of error."""
