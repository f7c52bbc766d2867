"""The limit of what inlining makes of a kernel; light, so that the command line can name it."""

from __future__ import annotations

import os

MOST_INLINED = 200_000
"""Instructions that a kernel may grow to by inlining; each block counts as one more."""

MOST_INLINED_VARIABLE = "WARPMILL_MAX_INLINED"
"""The environment variable that moves the limit, as --max-inlined does; processes inherit it."""


def most_inlined() -> int:
    """The limit of instructions, as the environment has it where it is moved there."""
    return int(os.environ.get(MOST_INLINED_VARIABLE) or MOST_INLINED)
