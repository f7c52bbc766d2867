"""Ranges and known bits of registers, whatever the launch: one domain, one table of operations."""
