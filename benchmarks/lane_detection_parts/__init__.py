"""Parts of benchmarks.lane_detection: the paper's table, sweeps, figures, page and plots."""
