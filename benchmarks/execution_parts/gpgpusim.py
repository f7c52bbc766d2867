"""Moved to benchmarks/execution/gpgpusim.py."""

from benchmarks.execution.gpgpusim import *  # noqa: F403
