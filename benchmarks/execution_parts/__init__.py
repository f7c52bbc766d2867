"""Where branches that are not landed yet look for modules of benchmarks/execution."""
