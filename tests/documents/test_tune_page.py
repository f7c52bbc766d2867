"""What docs/guide/tune.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.tuning.comparing import MOST_INSTRUCTIONS
from warpmill.tuning.model import NOTICEABLE
from warpmill.tuning.verdicts import TOLERANCES

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "tune.md"


@pytest.mark.slow
def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    shows_what_is_printed(PAGE, 2, capsys, request)


def test_its_python_runs(beside_samples, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["a100", "v100"]
    assert all(line.endswith(" True") for line in lines)


def test_its_numbers_are_those_of_the_code():
    text = " ".join(PAGE.read_text("utf-8").split())
    assert f"less than {NOTICEABLE:.0%} is none" in text
    for element, share in TOLERANCES.items():
        mantissa, _, exponent = f"{share:.0e}".partition("e")
        assert f"{mantissa}e{int(exponent)} of {element}" in text
    assert MOST_INSTRUCTIONS == 2e9
