// Device code has `printf` without it.
