"""Parts of benchmarks.engines_speed: what the paper says, what is timed, figures, the page."""
