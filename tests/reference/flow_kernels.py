"""Small kernels whose divergence flow graphs can be worked out on paper.

Each has three registers that matter: %r1 is tid.x, %r2 and %r3 count.
"""

from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx

SELF_LOOP = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
    LOOP: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 5; @%p1 bra LOOP;
    DONE: ret;"""
"""Five iterations of one block, in all threads."""

OWN_TRIPS = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
    LOOP: add.u32 %r2, %r2, 1; setp.le.u32 %p1, %r2, %r1; @%p1 bra LOOP;
    DONE: ret;"""
"""tid.x + 1 iterations."""

NORMAL_LOOP = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
    HEAD: setp.lt.u32 %p1, %r1, 8; @%p1 bra LOW;
    HIGH: add.u32 %r3, %r2, 2; bra NEXT;
    LOW: add.u32 %r3, %r2, 1;
    NEXT: bar.sync 0; add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 4; @%p2 bra HEAD;
    DONE: ret;"""
"""Four iterations with a barrier; threads below 8 go through LOW, the others through HIGH."""

TOP_TESTED = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
    HEAD: setp.ge.u32 %p1, %r2, 3; @%p1 bra DONE;
    BODY: add.u32 %r2, %r2, 1; bra HEAD;
    DONE: ret;"""
"""Three rounds of BODY; HEAD runs once more."""

NESTED = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0;
    OUTER: mov.u32 %r3, 0;
    INNER: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 7; @%p1 bra INNER;
    NEXT: add.u32 %r2, %r2, 1; setp.lt.u32 %p2, %r2, 3; @%p2 bra OUTER;
    DONE: ret;"""
"""Three times seven iterations."""

IF_ELSE = """mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 10; @%p1 bra THEN;
    ELSE: mov.u32 %r2, 1; bra JOIN;
    THEN: mov.u32 %r2, 2;
    JOIN: bar.sync 0; ret;"""
"""Threads below 10 go through THEN, the others through ELSE."""

EARLY_RETURN = """mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 24; @%p1 ret;
    WORK: mov.u32 %r2, 1; ret;"""
"""Threads from 24 on return at once."""

GUARDED_BARRIER = """mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 16;
    @%p1 bar.sync 0; bar.sync 1; ret;"""
"""A barrier for threads below 16, then one for all."""

TWO_ENTRIES = """mov.u32 %r1, %tid.x; mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 4; @%p1 bra SECOND;
    FIRST: add.u32 %r2, %r2, 1;
    SECOND: add.u32 %r2, %r2, 2; setp.lt.u32 %p2, %r2, 6; @%p2 bra FIRST;
    DONE: ret;"""
"""A cycle of two blocks that can be entered at both."""


def kernel_of(body):
    """Read the kernel of a body."""
    return ptx.parse(Source("k.ptx", kernel_text(body, {}, ""))).module.kernels[0]
