"""Register pressure: how many 32-bit registers a thread needs, as a stand-in for ptxas."""
