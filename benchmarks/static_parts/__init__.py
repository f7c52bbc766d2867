"""The parts of the benchmark of the static analyses, each a module with ``measure``."""
