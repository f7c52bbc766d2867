"""Speed and accuracy, measured: ``python -m benchmarks.NAME [--json] [--quick]``."""

import os

# A result that contradicts its machine is an error of ours here (simulator/machine_limits.py).
os.environ.setdefault("WARPMILL_STRICT_LIMITS", "1")
