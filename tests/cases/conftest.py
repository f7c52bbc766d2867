"""Small inputs that once came out wrong, missed or refused, each with its right value.

A folder is an input; every folder is named by a test of this room (`test_every_case_is_tried`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from warpmill.cli.main import main

CASES = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All tests of this room are cases."""
    for item in items:
        if item.nodeid.startswith("tests/cases/"):
            item.add_marker(pytest.mark.cases)


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The output as JSON; what went wrong where there is none."""
        assert self.code in (0, 1), self.err
        return json.loads(self.out)

    @property
    def said(self) -> str:
        """Everything it said, line breaks and runs of blanks as one blank."""
        return re.sub(r"\s+", " ", self.out + self.err)


Command = Callable[..., Ended]


@pytest.fixture
def warpmill(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Ended]:
    """Run a command in the folder of a case: ``warpmill("47-extern…", "run", "kernel.ptx", …)``."""

    def ran(case: str, *words: str) -> Ended:
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.chdir(CASES / case)
        capsys.readouterr()
        code = main([part for word in words for part in word.split()])
        captured = capsys.readouterr()
        return Ended(code, captured.out, captured.err)

    return ran
