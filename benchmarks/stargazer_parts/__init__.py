"""Parts of benchmarks.stargazer."""
