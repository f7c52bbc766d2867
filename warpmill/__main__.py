"""The command line's entry point: ``warpmill`` and ``python -m warpmill``."""

from __future__ import annotations

import gc
import os
import sys

from warpmill.cli import main as command_line

_OBJECTS_BETWEEN_SEARCHES = 50_000
"""Python looks for cycles of dead objects every 700 new ones, a tenth of what short commands take.

Imports, parses and reports make some hundred thousand objects, and nearly all of them stay.
"""


_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
"""Environment variable that NumPy's and SciPy's BLAS reads as it is loaded.

Threads of its own would wait for work at full speed: an estimate has less to do for all of them
than they take to begin and to end. Sums of several threads are rounded differently, besides.
"""


def main() -> int:
    """Run ``warpmill`` in a process of its own; give the exit code."""
    os.environ.setdefault(_BLAS_THREADS, "1")
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    code = command_line.main()
    if "triton" not in sys.modules:  # which tells of each object of its own that is left
        gc.freeze()  # the last search, as the process ends, would take a tenth of an estimate
    return code


if __name__ == "__main__":
    sys.exit(main())
