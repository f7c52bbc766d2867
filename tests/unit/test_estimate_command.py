"""``warpmill estimate``: what it writes where more than one estimate is asked for."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from warpmill.cli.main import main

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = ("estimate", str(SAMPLES / "vecadd" / "launch.toml"), "--size", "n=1048576")


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "100")

    def written(*words: str) -> str:
        assert main(list(words)) == 0
        return capsys.readouterr().out

    return written


def section(text: str, title: str) -> list[str]:
    lines = text.split(f"\n{title}\n", 1)[1].splitlines()
    return lines[: lines.index("")]


WHAT_IF = "what if: time in µs, over that of now"


def test_changes_with_an_effect_are_shown_the_greatest_gain_first(out: Any) -> None:
    text = out(*VECADD, "-m", "v100", "--what-if")
    data = json.loads(out(*VECADD, "-m", "v100", "--what-if", "-f", "json"))
    (estimate,) = data["launches"][0]["estimates"]
    changes = estimate["what_if"]
    shown = [line for line in section(text, WHAT_IF)[1:] if "(" in line]
    ratios = [float(line.rpartition("(")[2].rstrip(")")) for line in shown]
    assert ratios == sorted(ratios)
    strong = [c for c in changes if abs(c["ratio"] - 1) >= 0.01]
    assert len(shown) == len(strong) < len(changes)
    assert shown[0].lstrip().startswith("twice the DRAM bandwidth")
    whole = out(*VECADD, "-m", "v100", "--what-if", "--verbose")
    assert len([x for x in section(whole, WHAT_IF)[1:] if "(" in x]) == len(changes)


def test_ratios_are_over_the_time_of_the_machine_as_it_is(out: Any) -> None:
    data = json.loads(out(*VECADD, "-m", "v100,a100", "--what-if", "-f", "json"))
    for estimate in data["launches"][0]["estimates"]:
        for change in estimate["what_if"]:
            assert change["ratio"] == pytest.approx(change["time_us"] / estimate["time_us"])
            assert change["factor"] in (0.5, 2.0) and not change["problem"]
        (sms,) = (c for c in estimate["what_if"] if (c["name"], c["factor"]) == ("SMs", 2.0))
        count = {"v100": 80, "a100": 108}[estimate["machine"]]
        assert sms["settings"] == [
            {"key": "sm.count", "unit": "SMs", "before": str(count), "after": str(2 * count)}
        ]
    marks = estimate["marks"]
    assert (marks["what_if.ratio"], marks["what_if.factor"]) == ("modelled", "exact")


def test_changes_have_rows_of_their_own(out: Any) -> None:
    rows = list(csv.DictReader(out(*VECADD, "-m", "v100", "--what-if", "-f", "csv").splitlines()))
    (base,) = (row for row in rows if not row["what_if"])
    (half,) = (r for r in rows if (r["what_if"], r["factor"]) == ("DRAM bandwidth", "0.5"))
    assert float(half["time_us"]) == pytest.approx(float(base["time_us"]) * float(half["ratio"]))
    assert (half["machine"], half["mark"], half["execution_us"]) == ("v100", "modelled", "")


def test_nothing_is_changed_unless_asked(out: Any) -> None:
    data = json.loads(out(*VECADD, "-m", "v100", "-f", "json"))
    assert data["launches"][0]["estimates"][0]["what_if"] is None
    assert WHAT_IF not in out(*VECADD, "-m", "v100")


def test_changes_that_leave_no_estimate_are_told(out: Any) -> None:
    text = out(*VECADD, "-m", "v100", "--what-if", "--set", "reg.per_sm=4096", "--regs", "16")
    (line,) = (x for x in text.splitlines() if "half the register file:" in x)
    assert "v100" in line
    assert "registers of a CTA do not fit" in text


def test_where_no_change_has_an_effect_the_page_says_so(out: Any) -> None:
    tiny = (*VECADD[:2], "--size", "n=32", "-m", "v100", "--timed", "back-to-back")
    text = out(*tiny, "--what-if", "--set", "launch.back_to_back_us=900")
    assert section(text, WHAT_IF) == [
        "  twice or half of no one thing makes a difference of 1% or more"
    ]
