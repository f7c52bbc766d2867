"""What is found about a file, in the words of the table that the fuzzer prints."""

from pathlib import Path
from typing import NamedTuple

ROOT = str(Path(__file__).resolve().parents[2])

ACCEPTED, REJECTED = "accepted", "rejected"
TRACEBACK, BAD_SPAN, INVALID_IR, NOT_READ_BACK, UNLOCATED, BAD_OUTPUT = (
    "traceback",
    "bad span",
    "invalid IR",
    "not read back",
    "unlocated",
    "bad output",
)


class Found(NamedTuple):
    """What became of a file: a kind, where in the code, and in which words."""

    kind: str
    place: str = ""
    words: str = ""
    child_died: bool = False
