"""What each lane adds to the one before it as the kernel alone tells, with control flow in it."""

from tests.analyses.test_access_launch import AT, IN_TILE
from tests.analyses.test_access_patterns import module_of
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure

START = (
    "ld.param.u64 %rd1, [data]; ld.param.u32 %r9, [n]; mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;"
)
HALVES = f"and.b32 %r6, %r1, 15; {IN_TILE.format('%r6')}"
LOAD = "ld.shared.f32 %f1, [%rd6];"
GLOBAL = f"{AT.format('%r6')} ld.global.f32 %f1, [%rd3];"
KERNELS = {
    "all lanes": (f"{HALVES} {LOAD}", None),
    "one half by a branch": (f"{HALVES} setp.ge.u32 %p2, %r1, 16; @%p2 bra E; {LOAD} E:", "4"),
    "one half by a guard": (f"{HALVES} setp.lt.u32 %p2, %r1, 16; @%p2 {LOAD}", "4"),
    "all but one half": (f"{HALVES} setp.lt.u32 %p2, %r1, 16; @!%p2 {LOAD}", None),
    "ids choose": (
        "mov.u32 %r6, %r1; setp.lt.u32 %p2, %r1, 32; @%p2 bra E; add.s32 %r6, %r1, 96;"
        f"E: {GLOBAL}",
        "4",
    ),
    "ids choose within a warp": (
        "mov.u32 %r6, %r1; setp.lt.u32 %p2, %r1, 8; @%p2 bra E; add.s32 %r6, %r1, 96;"
        f"E: {GLOBAL}",
        None,
    ),
    "an argument chooses": (
        "mov.u32 %r6, %r1; setp.lt.u32 %p2, %r9, 8; @%p2 bra E; mad.lo.s32 %r6, %r9, 3, %r1;"
        f"E: {GLOBAL}",
        "4",
    ),
    "an argument chooses other strides": (
        "mov.u32 %r6, %r1; setp.lt.u32 %p2, %r9, 8; @%p2 bra E; shl.b32 %r6, %r1, 1;"
        f"E: {GLOBAL}",
        None,
    ),
    "data of each lane choose": (
        f"{AT.format('%r1')} ld.global.u32 %r7, [%rd3]; mov.u32 %r6, %r1; setp.lt.u32 %p2, %r7, 8;"
        f"@%p2 bra E; add.s32 %r6, %r1, 96; E: {GLOBAL}",
        None,
    ),
    "carried, moved by an argument now and then": (
        "mov.u32 %r6, %r1; mov.u32 %r8, 0; L: setp.eq.s32 %p2, %r8, %r9; @%p2 bra M;"
        f"add.s32 %r6, %r6, %r9; M: {GLOBAL} add.s32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 9;"
        "@%p3 bra L;",
        "4",
    ),
    "carried, moved by lanes now and then": (
        "mov.u32 %r6, %r1; mov.u32 %r8, 0; L: setp.eq.s32 %p2, %r8, %r1; @%p2 bra M;"
        f"add.s32 %r6, %r6, %r9; M: {GLOBAL} add.s32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 9;"
        "@%p3 bra L;",
        None,
    ),
    "carried, twice as far apart each time": (
        f"mov.u32 %r6, %r1; mov.u32 %r8, 0; L: {GLOBAL} add.s32 %r6, %r6, %r6;"
        "add.s32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 9; @%p3 bra L;",
        None,
    ),
    "left by lanes in different iterations": (
        "mov.u32 %r6, %r1; mov.u32 %r8, 0; L: xor.b32 %r7, %r8, %r9; add.s32 %r6, %r6, %r7;"
        f"add.s32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, %r1; @%p3 bra L; {GLOBAL}",
        None,
    ),
    "carried, and left by lanes in different iterations": (
        "mov.u32 %r6, %r1; mov.u32 %r8, 0; L: setp.ge.u32 %p3, %r8, %r1; @%p3 bra E;"
        f"xor.b32 %r7, %r8, %r9; add.s32 %r6, %r6, %r7; add.s32 %r8, %r8, 1; bra L; E: {GLOBAL}",
        None,
    ),
    "left by all together": (
        "mov.u32 %r6, %r1; mov.u32 %r8, 0; L: xor.b32 %r7, %r8, %r9; add.s32 %r6, %r6, %r7;"
        f"add.s32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, %r9; @%p3 bra L; {GLOBAL}",
        "4",
    ),
}  # fmt: skip


def step_of(text):
    module = module_of(f"{START}{text}\nret;")
    *_, access = memory_accesses(module, analyse_structure(module.kernels[0]))
    return None if access.lane_stride is None else str(access.lane_stride)


def test_steps_are_those_of_lanes_that_are_on_together():
    found = {name: step_of(text) for name, (text, _) in KERNELS.items()}
    assert found == {name: step for name, (_, step) in KERNELS.items()}
