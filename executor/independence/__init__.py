"""Whether CTAs of a launch may run at the same time, from the addresses that they access."""
