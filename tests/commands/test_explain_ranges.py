"""``warpmill explain`` where a range is assumed: both ends of it, line by line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from warpmill.cli.main import main

SPMV = Path(__file__).parents[2] / "samples" / "spmv" / "launch.toml"
LOOP = "$L__BB0_7"
WORDS = ("explain", str(SPMV), "--size", "rows=512", "--size", "cols=512", "-m", "a100")


def report(capsys: Any, value: str, *more: str) -> dict[str, Any]:
    assert main([*WORDS, "--assume", f"{LOOP}={value}", "-f", "json", *more]) == 0
    data: dict[str, Any] = json.loads(capsys.readouterr().out)
    return data


def one_of(data: dict[str, Any]) -> dict[str, Any]:
    (launch,) = data["launches"]
    return {**launch["estimates"][0], **launch["explanations"][0]}


def by_line(machine: dict[str, Any]) -> dict[int, dict[str, Any]]:
    return {line["place"]["line"]: line for line in machine["lines"]}


@pytest.fixture
def three(capsys: Any) -> list[dict[str, Any]]:
    """Of no iterations of the loop, of 16, and of what lies between."""
    return [one_of(report(capsys, value)) for value in ("0", "16", "0..16")]


def test_ranges_are_those_of_the_ends(three: list[dict[str, Any]]) -> None:
    low, high, both = three
    for figure in ("time_us", "execution_us"):
        assert low[figure] < high[figure]
        assert both["ranges"][figure] == {"low": low[figure], "high": high[figure]}
        assert both[figure] == low[figure]
    assert both["ranges"]["bound_high"] == high["bound"] != low["bound"] == both["bound"]
    assert both["instructions"] == low["instructions"]
    assert low["ranges"] is None and all(line["ranges"] is None for line in low["lines"])


def test_a_line_has_both_ends_and_zero_where_it_does_not_execute(
    three: list[dict[str, Any]],
) -> None:
    low, high, both = map(by_line, three)
    assert set(both) == set(low) | set(high)
    for number, line in both.items():
        for figure in ("time_us", "time_fraction", "warp_instructions"):
            ends = [end[number][figure] if number in end else 0.0 for end in (low, high)]
            assert [line["ranges"][figure]["low"], line["ranges"][figure]["high"]] == ends
            assert line[figure] == ends[0]


def test_what_takes_most_at_either_end_stands_first(three: list[dict[str, Any]]) -> None:
    shares = [line["ranges"]["time_fraction"] for line in three[2]["lines"]]
    most = [max(share["low"], share["high"]) for share in shares]
    assert most == sorted(most, reverse=True)
    assert any(share["high"] > share["low"] for share in shares[:3])
    assert any(share["high"] < share["low"] for share in shares[:3])


LOOP_AT_TOP = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u32 n)
{
.reg .u32 %r<4>;
.reg .pred %p<2>;
ld.param.u32 %r1, [n];
mov.u32 %r2, 0;
head:
fns.b32 %r3, %r2, 0, 1;
setp.ge.u32 %p1, %r3, %r1;
@%p1 bra done;
add.u32 %r2, %r2, 3;
bra head;
done:
ret;
}
"""


@pytest.mark.parametrize("assumed", ["head=0..9", "head=9..9"])
def test_lines_that_only_the_high_ends_execute_are_there(
    assumed: str, capsys: Any, tmp_path: Path
) -> None:
    file = tmp_path / "k.ptx"
    file.write_text(LOOP_AT_TOP)
    words = ["explain", str(file), "--grid", "1", "--block", "32", "--arg", "7", "-f", "json"]
    assert main([*words, "--assume", assumed]) == 0
    (machine,) = json.loads(capsys.readouterr().out)["launches"][0]["explanations"]
    lines = by_line(machine)
    body, top = lines[14], lines[11]
    if assumed == "head=9..9":
        assert (body["warp_instructions"], top["warp_instructions"]) == (9, 10)
        return
    assert body["ranges"]["warp_instructions"] == {"low": 0, "high": 9}
    assert top["ranges"]["warp_instructions"] == {"low": 1, "high": 10}
    assert (
        body["time_us"] == body["ranges"]["time_us"]["low"] == 0 < body["ranges"]["time_us"]["high"]
    )
    assert 14 not in {i["place"]["line"] for i in machine["instructions"]}


def test_sums_of_launches_have_both_ends(three: list[dict[str, Any]], capsys: Any) -> None:
    data = report(capsys, "0..16")
    (total,) = data["totals"]
    both = three[2]
    assert total["time_range_us"] == both["ranges"]["time_us"]
    assert total["marks"]["time_range_us"] == "assumed"
    lines = {
        line["place"]["line"]: line["time_range_us"] for line in data["total_lines"][0]["lines"]
    }
    assert lines == {n: line["ranges"]["time_us"] for n, line in by_line(both).items()}
    (plain,) = report(capsys, "4")["totals"]
    assert plain["time_range_us"] is None


def test_text_shows_both_ends(capsys: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    machine = one_of(report(capsys, "0..16"))
    assert main([*WORDS, "--assume", f"{LOOP}=0..16"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    times = machine["ranges"]["time_us"]
    assert f"{times['low']:.4g} .. {times['high']:.4g}?" in text
    assert f"Bound by, at the high ends {machine['ranges']['bound_high']}" in text
    first = machine["lines"][0]["ranges"]["time_fraction"]
    assert f"{first['low']:.1%} .. {first['high']:.1%}" in text
    assert main([*WORDS, "--assume", f"{LOOP}=4"]) == 0
    assert "at the high ends" not in capsys.readouterr().out
