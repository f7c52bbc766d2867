"""The device object of host programs, what it runs on, and the record of its calls."""
