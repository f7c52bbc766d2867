// Device code has `assert` without it.
