"""Text files of cases: empty lines part them, indented lines say what comes of those above."""

from collections.abc import Callable
from pathlib import Path

INDENT = "    "


def hold(path: Path, bless: bool, outcome: Callable[[list[str]], list[str]]) -> None:
    """Compare what comes of a file's cases with what stands there; ``bless`` writes it down."""
    text = path.read_text("utf-8")
    found = "\n\n".join(_renewed(case, outcome) for case in text.rstrip("\n").split("\n\n")) + "\n"
    if bless:
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")


def _renewed(case: str, outcome: Callable[[list[str]], list[str]]) -> str:
    given = [line for line in case.split("\n") if not line.startswith(INDENT)]
    found = outcome([line for line in given if not line.startswith("# ")])
    return "\n".join([*given, *(f"{INDENT}{line}" for line in found or ["nothing"])])
