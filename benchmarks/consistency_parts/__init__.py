"""Parts of ``benchmarks.consistency``."""
