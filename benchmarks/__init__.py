"""Speed and accuracy, measured: ``python -m benchmarks.NAME [--json] [--quick]``."""

import os

# A result that contradicts its machine is an error of ours here (simulator/machine_limits.py).
os.environ.setdefault("WARPMILL_STRICT_LIMITS", "1")

# Figures do not depend on whether CUDA's tools are there (warpmill/session/registers.py).
os.environ.setdefault("WARPMILL_NO_PTXAS", "1")
