"""Cases that ``warpmill check`` is to find, and what must stay clean."""

from __future__ import annotations

from collections.abc import Callable

from tests.cases.conftest import Ended

Warpmill = Callable[..., Ended]


def test_an_index_that_wraps_32_bits_is_an_error_that_says_so(warpmill: Warpmill) -> None:
    ended = warpmill(
        "24-int32-offset-overflow", "check kernel.ptx --grid 4,320 --block 256",
        "--arg buffer=f32:2516582400 --arg 7864320 --arg 1024 --arg 2.0",
    )  # fmt: skip
    assert ended.code == 1
    assert "overflow" in ended.said
    assert "8,560,574,464" in ended.said


def test_a_tail_without_a_guard_fails_a_check(warpmill: Warpmill) -> None:
    ended = warpmill(
        "43-unguarded-tail", "check kernel.ptx --grid 4 --block 128",
        "--arg buffer=f32:500 --arg buffer=f32:500 --arg buffer=f32:500",
    )  # fmt: skip
    assert ended.code == 1
    assert "48 B past the end" in ended.said


def test_what_no_memory_holds_is_found_without_it(warpmill: Warpmill) -> None:
    ended = warpmill(
        "24-int32-offset-overflow", "check kernel.ptx --grid 4,320 --block 256 -f json",
        "--arg buffer=f32:2516582400 --arg 7864320 --arg 1024 --arg 2.0 --max-memory 1000000",
    )  # fmt: skip
    assert ended.code == 1
    findings = ended.data["findings"]
    assert {(one["tool"], one["kind"]) for one in findings} == {("overflow", "wrapped address")}
    assert all(one["message"].startswith("32-bit overflow: `") for one in findings)
    assert ended.data["launches"] == 0
    assert not ended.data["complete"]


def test_a_guard_keeps_the_index_from_wrapping(warpmill: Warpmill) -> None:
    ended = warpmill(
        "24-int32-offset-overflow", "check kernel.ptx --grid 4,4 --block 256",
        "--arg buffer=f32:4096 --arg 1024 --arg 1024 --arg 2.0",
    )  # fmt: skip
    assert ended.code == 0
    assert "Clean" in ended.out


MASKED = "54-shuffle-mask-names-absent-lanes"


def test_a_mask_that_names_absent_lanes_is_an_error(warpmill: Warpmill) -> None:
    launch = "-k halfshuffle --grid 1 --block 32 --arg buffer=i32:32"
    ended = warpmill(MASKED, f"check kernel.ptx {launch} --tool synccheck --format json")
    assert ended.code == 1
    (found,) = ended.data["findings"]
    assert (found["kind"], found["severity"]) == ("absent lanes", "error")
    assert "names lanes 16-31 in its mask 0xffffffff, but lanes 0-15 alone" in found["message"]
    assert [found[a]["place"]["line"] for a in ("access", "other")] == [13, 14]


def test_a_mask_that_names_lanes_which_exit_is_a_warning(warpmill: Warpmill) -> None:
    launch = "-k absentvote --grid 1 --block 32 --arg buffer=i32:32"
    ended = warpmill(MASKED, f"check kernel.ptx {launch} --tool synccheck --format json")
    assert ended.code == 0
    (found,) = ended.data["findings"]
    assert (found["kind"], found["severity"]) == ("exited lanes", "warning")
    assert ended.data["verdict"] == "warnings"
