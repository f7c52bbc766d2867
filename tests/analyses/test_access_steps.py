"""What each lane of a launch adds to the one before it, where branches and loops take part."""

from tests.analyses.test_access_launch import AT, IN_TILE, LOOP, Case

HALVES = f"and.b32 %r6, %r1, 15; {IN_TILE.format('%r6')}"
LOAD = "ld.shared.f32 %f1, [%rd6];"
PROLOGUE = f"""mov.u32 %r6, %r1; and.b32 %r7, %r9, 3; setp.eq.s32 %p1, %r7, 0; @%p1 bra END;
    add.s32 %r6, %r1, 32; setp.eq.s32 %p1, %r7, 1; @%p1 bra END;
    add.s32 %r6, %r1, 64; setp.eq.s32 %p1, %r7, 2; @%p1 bra END;
    add.s32 %r6, %r1, 96; END: {AT.format("%r6")} ld.global.f32 %f1, [%rd3];"""
KERNELS = {
    "all lanes": (f"{HALVES} {LOAD}", None),
    "one half by a branch": (f"{HALVES} setp.ge.u32 %p2, %r1, 16; @%p2 bra E; {LOAD} E:", 4),
    "one half by a guard": (f"{HALVES} setp.lt.u32 %p2, %r1, 16; @%p2 {LOAD}", 4),
    "a part of both halves": (f"{HALVES} setp.lt.u32 %p2, %r1, 17; @%p2 {LOAD}", None),
    "the other half": (f"{HALVES} setp.lt.u32 %p2, %r1, 16; @!%p2 {LOAD}", 4),
    "below zero, unsigned": (
        f"{HALVES} sub.s32 %r7, %r1, 16; setp.gt.u32 %p2, %r7, 100; @%p2 {LOAD}", 4,
    ),
    "two parts of a condition": (
        f"{HALVES} setp.gt.u32 %p2, %r1, 13; setp.lt.u32 %p3, %r1, 16; and.pred %p2, %p2, %p3;"
        f"@%p2 {LOAD}", 4,
    ),
    "either of two": (
        f"{HALVES} setp.lt.u32 %p2, %r1, 3; setp.eq.s32 %p3, %r9, 5; or.pred %p2, %p2, %p3;"
        f"@%p2 {LOAD}", None,
    ),
    "several ways that meet": (PROLOGUE, 4),
    "iterations alike": (
        LOOP.format(f"shl.b32 %r6, %r20, 7; or.b32 %r6, %r6, %r1; {IN_TILE.format('%r6')} {LOAD}"),
        4,
    ),
    "iterations that wrap": (
        LOOP.format(
            f"add.s32 %r6, %r1, %r20; and.b32 %r6, %r6, 31; {IN_TILE.format('%r6')} {LOAD}"
        ),
        None,
    ),
    "a tail of each row": (
        LOOP.format(
            f"and.b32 %r6, %r1, 7; mad.lo.s32 %r7, %r20, 8, %r6; setp.lt.u32 %p2, %r7, 37;"
            f"setp.gt.u32 %p3, %r7, 32; and.pred %p2, %p2, %p3; shr.u32 %r8, %r1, 3;"
            f"mad.lo.s32 %r6, %r8, 33, %r6; {IN_TILE.format('%r6')} @%p2 {LOAD}"
        ),
        4,
    ),
    "iterations that nobody counts": (
        "ld.global.u32 %r7, [%rd1]; mov.u32 %r20, 0; L: shl.b32 %r6, %r20, 7; or.b32 %r6, %r6, %r1;"
        f"and.b32 %r6, %r6, 1023; {IN_TILE.format('%r6')} {LOAD} add.s32 %r20, %r20, 1;"
        "setp.lt.s32 %p1, %r20, %r7; @%p1 bra L;",
        None,
    ),
}  # fmt: skip


def test_steps_are_those_of_lanes_that_are_on_together():
    found = {
        name: Case(text, grid=2, block=(32, 1)).last().lane_step_bytes
        for name, (text, _) in KERNELS.items()
    }
    assert found == {name: step for name, (_, step) in KERNELS.items()}
