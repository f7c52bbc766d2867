"""Faults in words: everything that is known, in one located diagnostic."""

import pytest

from warpmill.analyzer.base.diagnostics import DebugLocation, Severity, Source, Span
from warpmill.analyzer.ir.types import Space
from warpmill.executor.faults import ExecutionFault, Fault, WaitingWarp
from warpmill.executor.native.layout import FaultKind

SOURCE = Source("k.ptx", "// one\n  ld.global.u32 %r1, [%rd1];\n")
ACCESS = Fault(
    FaultKind.OUT_OF_BOUNDS,
    "saxpy",
    instruction=(2, 1),
    opcode="ld.global.u32",
    span=Span(2, 3, 28),
    debug=DebugLocation("saxpy.cu", 12, 0),
    cta=(3, 1, 0),
    thread=(17, 0, 2),
    warp=0,
    lanes=0b1110_0000_0000_0000_0010,
    address=0x1000_1020,
    access_bytes=4,
    space=Space.GLOBAL,
    nearest="32 B past the end of `y` of 4096 B",
)


def test_an_access_says_all_that_is_known():
    (diagnostic,) = ExecutionFault(ACCESS, SOURCE).diagnostics
    assert diagnostic.severity is Severity.ERROR
    assert (diagnostic.file, diagnostic.span) == ("k.ptx", Span(2, 3, 28))
    assert diagnostic.excerpt == "  ld.global.u32 %r1, [%rd1];"
    for words in (
        "`ld.global.u32` of 4 B at global address 0x10001020 is out of bounds",
        "32 B past the end of `y` of 4096 B",
        "kernel saxpy, CTA (3,1,0), thread (17,0,2), and 3 more lanes of its warp",
        "saxpy.cu:12",
    ):
        assert words in diagnostic.message
    assert "\n" not in diagnostic.message


def test_the_line_may_come_later():
    bare = ExecutionFault(ACCESS)
    assert bare.diagnostics[0].file is None
    assert str(bare.located(SOURCE)) == str(ExecutionFault(ACCESS, SOURCE))
    assert bare.near("5 B into `x` of 8 B").fault.nearest == "5 B into `x` of 8 B"


def test_waiting_warps_are_named_with_their_lines():
    waiting = tuple(WaitingWarp(w, "at barrier 1", Span(7 + w, 1, 5)) for w in range(3))
    fault = Fault(FaultKind.BARRIER_DEADLOCK, "k", cta=(0, 0, 0), waiting=waiting)
    message = ExecutionFault(fault).diagnostics[0].message
    assert "wait" in message
    assert "warp 0 at barrier 1 in line 7, warp 1 at barrier 1 in line 8" in message
    many = Fault(FaultKind.SPIN, "k", waiting=tuple(WaitingWarp(w, "in a loop") for w in range(32)))
    message = ExecutionFault(many).diagnostics[0].message
    assert "warp 7 in a loop" in message
    assert "warp 8 in a loop" not in message
    assert "and 24 more" in message


@pytest.mark.parametrize("kind", FaultKind)
def test_every_kind_has_words_and_an_exit_code(kind):
    error = ExecutionFault(Fault(kind, "some_kernel"))
    message = error.diagnostics[0].message
    assert "some_kernel" in message
    assert "None" not in message
    assert "{" not in message
    codes = {FaultKind.STACK: 3}  # a limit
    assert error.exit_code == codes.get(kind, 2)


def test_a_null_pointer_is_not_near_a_buffer():
    fault = Fault(FaultKind.NULL, "k", opcode="ld.u8", address=8, nearest="much before `a`")
    message = ExecutionFault(fault).diagnostics[0].message
    assert "null pointer" in message
    assert "0x8" in message
    assert "`a`" not in message
