"""Analyses: functions from a Kernel and earlier results to frozen results."""
