"""The command line of ``benchmarks.speed``."""

import sys

from warpmill.benchmarks.speed import main

if __name__ == "__main__":
    sys.exit(main())
