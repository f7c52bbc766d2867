"""Memory beyond the registers: caches, stepped access by access."""
