"""The command line's entry point: ``warpmill`` and ``python -m warpmill``."""

from __future__ import annotations

import sys

from warpmill.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
