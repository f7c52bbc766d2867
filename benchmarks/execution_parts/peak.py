"""Moved to benchmarks/execution/measuring.py."""

from benchmarks.execution.measuring import peak_kilobytes  # noqa: F401
