"""Statements of LLVM IR with the instructions that they become.

A case of the files of ``lowered/`` has statements of one block; before them stands what else is in
the module (``around:``) and parameters beside the usual ones (``parameters:``).
"""

from pathlib import Path

import pytest
from llvm_inputs.rendered import PARAMETERS, lowered
from text_cases import hold

FILES = sorted((Path(__file__).parent / "lowered").glob("*.txt"))
KEYS = ("around: ", "parameters: ")


def instructions(lines):
    statements = "\n".join(line for line in lines if not line.startswith(KEYS))
    around, more = (
        [line.removeprefix(key) for line in lines if line.startswith(key)] for key in KEYS
    )
    parameters = ", ".join([PARAMETERS, *more])
    return lowered(statements, parameters, "".join(f"{line}\n" for line in around))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_statements_become_what_stands_below_them(path, bless):
    hold(path, bless, instructions)
