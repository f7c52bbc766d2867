"""Kernels that clones are made of in tests: PTX by hand, each about one thing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from warpmill.analyzer.ir.types import Space
from warpmill.cloning.clone import Cloned, ProfiledTarget, clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.synthesis.slots import kind_of
from warpmill.session.options import LaunchOptions

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry {name}(.param .u64 p, .param .u32 n)
{{
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .f32 %f<20>;
.shared .align 16 .b8 tile[4096];
ld.param.u64 %rd1, [p]; cvta.to.global.u64 %rd2, %rd1; ld.param.u32 %r0, [n];
mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %laneid; shr.u32 %r4, %r1, 5;
mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r2, %r5, %r1; mov.u32 %r7, 0; mov.u32 %r8, tile;
mul.wide.u32 %rd3, %r6, 4; add.s64 %rd4, %rd2, %rd3; shl.b32 %r9, %r1, 2; add.u32 %r9, %r9, %r8;
"""
TAIL = "END: st.global.u32 [%rd4], %r7; ret;\n}\n"
TID, CTAID, LANE, WARP, THREAD, ROUND = "%r1", "%r2", "%r3", "%r4", "%r6", "%r7"
WORDS = 1 << 16
"""Words of the buffer that kernels have; with n."""

WORK = """ld.global.u32 %r20, [%rd4]; mad.lo.u32 %r21, %r20, 7, %r21; xor.b32 %r22, %r21, %r20;
cvt.rn.f32.u32 %f1, %r22; fma.rn.f32 %f2, %f1, %f1, %f2; add.f32 %f3, %f2, %f1;
"""
"""Some instructions of different kinds."""


def hashed(into, *values, bits=16):
    """Code that mixes numbers into one of so many bits."""
    lines = [f"mov.u32 {into}, 0x2545F491;"]
    for value in values:
        lines += [
            f"xor.b32 {into}, {into}, {value}; mul.lo.u32 {into}, {into}, 0x9E3779B1;",
            f"shr.u32 %r39, {into}, 15; xor.b32 {into}, {into}, %r39;",
            f"mul.lo.u32 {into}, {into}, 0x85EBCA6B;",
            f"shr.u32 %r39, {into}, 13; xor.b32 {into}, {into}, %r39;",
        ]
    lines.append(f"and.b32 {into}, {into}, {(1 << bits) - 1};")
    return "\n".join(lines) + "\n"


def loop(body, times, *, number=ROUND, name="LOOP"):
    """A loop with the test at its bottom; ``number`` counts from 0."""
    return f"""mov.u32 {number}, 0;
{name}: {body}
add.u32 {number}, {number}, 1; setp.lt.u32 %p8, {number}, {times}; @%p8 bra {name};
"""


def text(body, name="original"):
    return HEAD.format(name=name) + body + TAIL


@dataclass(frozen=True)
class Made:
    """An original, its clone, and what the clone's files do when they are looked at likewise."""

    original: ProfiledTarget
    cloned: Cloned
    clone: ProfiledTarget

    @property
    def model(self):
        (model,) = self.cloned.models
        return model

    @property
    def there(self):
        return self.original.subjects[0]

    @property
    def here(self):
        return self.clone.subjects[0]


def studied(folder: Path, body: str, grid=8, block=128, n=64) -> ProfiledTarget:
    path = folder / "original.ptx"
    path.write_text(text(body))
    options = LaunchOptions(grid=str(grid), block=str(block), args=(f"buffer=u32:{WORDS}", f"{n}"))
    return study(path, None, options)


def made(folder: Path, original: ProfiledTarget, **options) -> Made:
    """Clone, write the files, and read and execute what is written."""
    cloned = clone_studied(original, CloneOptions(**options))
    for name, words in cloned.files.files:
        (folder / name).write_text(words)
    return Made(original, cloned, study(folder / "launch.toml"))


def shares(profile):
    """The share of each kind of instruction in those that warps executed."""
    found: dict = {}
    for block, counts in zip(profile.kernel.blocks, profile.blocks, strict=True):
        for instruction in block.instructions:
            kind = kind_of(instruction.operation)
            found[kind] = found.get(kind, 0) + counts.warps
    whole = sum(found.values())
    return {kind: count / whole for kind, count in found.items()}


def decisions(one, kind):
    """The decisions of a clone that are of one kind, by block."""
    return {b.id: b.decision for b in one.model.blocks if isinstance(b.decision, kind)}


def branch(subject, block):
    """What warps did at the branch of a block."""
    return next(b for b in subject.branches if b.block == block)


def rate(behaviour):
    """The share of executions in which a lane took a branch."""
    return (behaviour.all_taken + behaviour.split * behaviour.split_share) / behaviour.executions


def accesses(subject, kind, space=Space.GLOBAL):
    """The accesses of a kind, such as loads, to a space."""
    return [a for a in subject.accesses if a.kind == kind and a.space is space]


def opcodes(kernel):
    """What a kernel consists of."""
    return [i.operation.opcode for i in kernel.instructions]


def a_warp(subject):
    """The instructions that a warp executes (mean)."""
    profile = subject.profile
    return profile.warp_instructions / (subject.ctas * subject.warps_per_cta)


SIDES = f"@%p1 bra SIDE; {WORK} bra NEXT;\nSIDE: add.u32 %r11, %r11, %r10;\nNEXT:\n"


def branching(condition, times=64):
    """A loop with a branch in it, which looks at ``%p1``."""
    return loop(condition + SIDES, times)


CHANCE = hashed("%r10", WARP, CTAID, ROUND)
FETCH = "mul.wide.u32 %rd5, %r12, 4; add.s64 %rd6, %rd2, %rd5; ld.global.u32 %r20, [%rd6];\n"
KERNELS = {
    "plain": WORK * 3,
    "hundred": loop(WORK, 100),
    "nested": loop(
        WORK + loop("add.f32 %f4, %f4, 0f3F800000;", 16, number="%r15", name="INNER"), 8
    ),
    "test at the top": f"""mov.u32 %r7, 0;
LOOP: setp.ge.u32 %p1, %r7, 40; @%p1 bra END;
{WORK} add.u32 %r7, %r7, 1; bra LOOP;
""",
    "chance": branching(CHANCE + "setp.lt.u32 %p1, %r10, 19661;"),
    "lanes by chance": branching(hashed("%r10", THREAD, ROUND) + "setp.lt.u32 %p1, %r10, 19661;"),
    "odd lanes": branching(f"and.b32 %r10, {TID}, 1; setp.ne.u32 %p1, %r10, 0;"),
    "ctas": hashed("%r12", CTAID, bits=2)
    + "shl.b32 %r12, %r12, 4; add.u32 %r12, %r12, 8;\n"
    + loop(WORK, "%r12"),
    "warps": f"shl.b32 %r12, {WARP}, 4; add.u32 %r12, %r12, 8;\n" + loop(WORK, "%r12"),
    "lanes stay": f"shr.u32 %r12, {LANE}, 1; add.u32 %r12, %r12, 1;\n" + loop(WORK, "%r12"),
    "barrier": branching(hashed("%r10", CTAID) + "setp.lt.u32 %p1, %r10, 32768;").replace(
        "SIDE: ", "SIDE: bar.sync 0; "
    ),
    "early": f"setp.ge.u32 %p1, {THREAD}, 999; @%p1 ret;\n" + loop(WORK, 32),
    "scattered": loop(hashed("%r12", THREAD, ROUND) + FETCH, 64),
    "scattered warps": loop(
        hashed("%r12", WARP, CTAID, ROUND, bits=11)
        + f"shl.b32 %r12, %r12, 5; add.u32 %r12, %r12, {LANE};\n"
        + FETCH,
        64,
    ),
    "far apart": loop(f"mad.lo.u32 %r12, {THREAD}, 8, {ROUND};\n" + FETCH, 32),
    "guarded": loop(
        f"setp.lt.u32 %p2, {LANE}, 8; @%p2 ld.global.u32 %r20, [%rd4]; add.u32 %r21, %r21, %r20;",
        32,
    ),
    "banks": loop(
        f"shl.b32 %r12, {LANE}, 4; add.u32 %r13, %r8, %r12; st.shared.u32 [%r13], {ROUND};"
        "bar.sync 0; ld.shared.u32 %r20, [%r9]; add.u32 %r21, %r21, %r20; bar.sync 0;",
        32,
    ),
    "atomic": loop(
        hashed("%r12", THREAD, ROUND, bits=8)
        + "mul.wide.u32 %rd5, %r12, 4; add.s64 %rd6, %rd2, %rd5;"
        "atom.global.add.u32 %r20, [%rd6], 1;",
        32,
    ),
    "shuffled": loop(
        "shfl.sync.bfly.b32 %r20, %r21, 8, 31, -1; add.u32 %r21, %r21, %r20;"
        "vote.sync.ballot.b32 %r22, %p1, -1;",
        32,
    ),
}
