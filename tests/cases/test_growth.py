"""Kernels that grow: time and memory near linear, limits that name their flag."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analyzer.diagnostics import InputError
from analyzer.execution.native import machine
from analyzer.input_files import input_limit
from analyzer.ir.limits import most_event_bytes, most_inlined, most_stack
from analyzer.trace.source import StaticSource
from warpmill.cli.main import main
from warpmill.jobs import LaunchOptions, prepare
from warpmill.traces import TraceOptions, trace_source

ATTACK = "attack"


def python_calls(words: list[str]) -> int:
    """Python calls that a command makes: its work, whatever the machine."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        assert main(words) == 0
    finally:
        sys.setprofile(None)
    return calls


def test_joined_branches_cost_time_in_line_with_their_number(warpmill, tmp_path: Path) -> None:
    """A hundred of the four hundred branches take a quarter of the work, not a sixteenth."""
    case = "89-chain-of-joins"
    ended = warpmill(case, "analyze", "kernel.ptx --format json")
    branches = ended.data["analyses"][0]["branches"]
    assert len(branches) == 400
    assert {tuple(b["decided_by"]) for b in branches[1:]} == {
        ("argument", "thread id", "memory load", "control flow")
    }
    whole = Path("kernel.ptx").read_text()
    quarter = tmp_path / "quarter.ptx"
    quarter.write_text(whole[: whole.index("$B100:")] + "$B100:\nret;\n}\n")
    out = ["--output", str(tmp_path / "out"), "--format", "json"]
    python_calls(["analyze", str(quarter), *out])
    few = python_calls(["analyze", str(quarter), *out])
    assert python_calls(["analyze", "kernel.ptx", *out]) < 6 * few


def test_calls_that_double_reach_a_limit(warpmill) -> None:
    ended = warpmill(ATTACK, "analyze", "chain_calls.ptx --max-inlined 20000")
    assert ended.code == 3
    assert "with f12 inlined, f13 has more than 20,000" in ended.said
    assert "--max-inlined moves the limit" in ended.said


@pytest.mark.parametrize("command", ["estimate -m a100", "run"])
def test_every_command_has_the_limit_of_inlining(warpmill, command: str) -> None:
    launch = "--grid 1 --block 32 --max-inlined 1000"
    ended = warpmill(ATTACK, command, "chain_calls.ptx", launch)
    assert ended.code == 3
    assert "with f7 inlined, f8 has more than 1,000" in ended.said


def test_a_huge_straight_line_is_compiled_without_optimising(monkeypatch, tmp_path: Path) -> None:
    """Case "49-huge-kernel", with a smaller bound in place of more instructions."""
    chosen: list[bool] = []
    made = machine.target_machine

    def noted(optimised: bool = True, features: str | None = None) -> object:
        chosen.append(optimised)
        return made(optimised, features)

    text = "define i32 @f(i32 %a) {\n  %b = add i32 %a, 1\n  ret i32 %b\n}\n"
    monkeypatch.setattr(machine, "target_machine", noted)
    machine._compiled(text)
    monkeypatch.setattr(machine, "_MOST_OPTIMISED", 10)
    machine._compiled(text)
    assert chosen == [True, False]


def test_counts_beyond_64_bits_are_summed(warpmill) -> None:
    launch = "--grid 1 --block 64 --arg buffer=u32:64 --machine a100"
    ended = warpmill(ATTACK, "estimate", "loopnest.ptx", launch)
    assert ended.code in (0, 3), ended.err


def test_a_grid_of_billions_of_ctas_is_looked_at_piece_by_piece(warpmill) -> None:
    """The order of CTAs is asked for as many as are looked at ahead, not for all of the grid."""
    asked = 0
    job = prepare(
        Path(__file__).parent / ATTACK / "oob.ptx",
        options=LaunchOptions(grid=2**31 - 1, block=32, args=["buffer=u32:64"]),
    )

    def order() -> Iterator[tuple[int, int, int]]:
        nonlocal asked
        for number in range(2**31 - 1):
            asked += 1
            yield (number, 0, 0)

    source = trace_source(job, TraceOptions(source="static"))
    assert isinstance(source, StaticSource)
    assert next(iter(source.many(order())))[0].cta == (0, 0, 0)
    assert asked < 10_000


def test_events_of_one_cta_have_a_limit(warpmill) -> None:
    launch = (
        "--grid 1 --block 128 --arg buffer=f32:262144:uniform --arg buffer=f32:262144"
        " --arg 20000000 --max-event-bytes 20000000"
    )
    ended = warpmill("90-long-data-loop", "trace", "kernel.ptx", launch)
    assert ended.code == 3
    assert "--max-event-bytes moves the limit" in ended.said


def test_what_a_buffer_is_made_from_counts_as_memory(warpmill) -> None:
    launch = "--grid 1 --block 32 --arg buffer=u32:1000000:permutation --max-memory 5000000"
    ended = warpmill(ATTACK, "run", "oob.ptx", launch)
    assert ended.code == 3
    assert "takes 12000000 B of memory, over the limit of 5000000 B" in ended.said
    assert "--max-memory moves the limit" in ended.said


@pytest.mark.xfail(strict=True, reason="shared parts of conditions are written out each time")
def test_shared_parts_of_conditions_are_shown_once(warpmill) -> None:
    ended = warpmill("88-div-chain", "analyze", "kernel.ptx --format json")
    assert len(ended.out) < 500_000


@pytest.mark.parametrize("limit", [most_inlined, most_stack, most_event_bytes, input_limit])
def test_a_limit_that_is_no_number_is_bad_input(limit, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_INLINED", "MAX_STACK", "MAX_EVENT_BYTES", "MAX_INPUT"):
        monkeypatch.setenv(f"WARPMILL_{name}", "much")
    with pytest.raises(InputError, match="much is no number of"):
        limit(*([1] if limit is input_limit else []))
