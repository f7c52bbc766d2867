"""The command line's entry point: ``warpmill`` and ``python -m warpmill``."""

from __future__ import annotations

import gc
import sys

from warpmill.cli import main as command_line

_OBJECTS_BETWEEN_SEARCHES = 50_000
"""Python looks for cycles of dead objects every 700 new ones, a tenth of what short commands take.

Imports, parses and reports make some hundred thousand objects, and nearly all of them stay.
"""


def main() -> int:
    """Run ``warpmill`` in a process of its own; give the exit code."""
    gc.set_threshold(_OBJECTS_BETWEEN_SEARCHES)
    return command_line.main()


if __name__ == "__main__":
    sys.exit(main())
