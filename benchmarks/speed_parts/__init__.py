"""Parts of ``benchmarks.speed``: measures, measuring, history."""
