"""Kernels that grow: time and memory near linear, limits that name their flag."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from warpmill.cli.main import main

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
    ended = warpmill(ATTACK, "analyze", "chain_calls.ptx")
    assert ended.code == 3
    assert "chain_calls.ptx:51:1: error: with f15 inlined, f16 has more than 200,000" in ended.said
    assert "--max-inlined moves the limit" in ended.said


@pytest.mark.parametrize("command", ["estimate -m a100", "run"])
def test_every_command_has_the_limit_of_inlining(warpmill, command: str) -> None:
    launch = "--grid 1 --block 32 --max-inlined 1000"
    ended = warpmill(ATTACK, command, "chain_calls.ptx", launch)
    assert ended.code == 3
    assert "with f7 inlined, f8 has more than 1,000" in ended.said
