"""Machines out of the configurations of GPGPU-Sim: option files, network files, parsed records."""
