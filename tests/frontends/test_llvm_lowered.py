"""Statements of LLVM IR with the instructions that they become.

In the files of ``lowered/`` empty lines part the cases. A case has statements of one block, and
indented below them their instructions; before them what else is in the module (``around:``) and
parameters beside the usual ones (``parameters:``). ``pytest --bless`` writes down what came out.
"""

from pathlib import Path

import pytest
from llvm_inputs.rendered import PARAMETERS, lowered

FILES = sorted((Path(__file__).parent / "lowered").glob("*.txt"))
INDENT = "    "
KEYS = ("around: ", "parameters: ")


def renewed(case):
    """A case with what its statements become now."""
    given = [line for line in case.split("\n") if not line.startswith(INDENT)]
    statements = [line for line in given if not line.startswith(("# ", *KEYS))]
    around, more = (
        [line.removeprefix(key) for line in given if line.startswith(key)] for key in KEYS
    )
    text = "\n".join(statements)
    found = lowered(text, ", ".join([PARAMETERS, *more]), "".join(f"{line}\n" for line in around))
    return "\n".join([*given, *(f"{INDENT}{line}" for line in found or ["nothing"])])


@pytest.mark.one_in(1)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_statements_become_what_stands_below_them(path, bless):
    text = path.read_text("utf-8")
    found = "\n\n".join(map(renewed, text.rstrip("\n").split("\n\n"))) + "\n"
    if bless:
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")
