"""How much work something makes, whatever the machine."""

import sys
from collections.abc import Callable


def python_calls(work: Callable[[], object]) -> int:
    """Python calls that something makes: its work, as no clock tells it."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls
