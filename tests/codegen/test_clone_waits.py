"""What the instructions of clones wait for, and for how long: by hand, and as in the originals."""

from dataclasses import replace

import pytest

from tests.reference.clone_kernels import FETCH, LANE, SIDES, TID, WARP, studied
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.codegen.model import ByThread, ByWarp, Random
from warpmill.codegen.synthesis import make
from warpmill.codegen.synthesis import waits as waiting
from warpmill.codegen.synthesis.assembly import assemble
from warpmill.codegen.synthesis.make import make_model
from warpmill.codegen.synthesis.waits import (
    binding_producers,
    latency_slots,
    wait_share,
    waits,
    with_waits,
)

TEXT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
.reg .pred %p<4>; .reg .b32 %r<20>; .reg .f32 %f<9>; .reg .b64 %rd<4>;
BODY
}
"""


def block_of(body):
    """The only block of a kernel, without its return."""
    (kernel,) = parse(Source("k.ptx", TEXT.replace("BODY", body + " ret;"))).module.kernels
    (block,) = kernel.blocks
    return block.instructions[:-1]


def slots(opcode, operands):
    """How many slots a result of an instruction takes."""
    return latency_slots(block_of(f"{opcode} {operands};")[0])


ADD = slots("add.u32", "%r1, %r2, %r3")
PRODUCT = slots("mul.lo.u32", "%r1, %r2, %r3")
CONVERT = slots("cvt.rn.f32.u32", "%f1, %r1")


def test_slower_units_take_longer():
    assert 2 < ADD < CONVERT < slots("div.rn.f32", "%f1, %f2, %f3")
    assert ADD < PRODUCT < slots("ld.global.u32", "%r1, [%rd1]")
    assert slots("fma.rn.f32", "%f1, %f2, %f3, %f4") == ADD  # only products of integers take long


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # the second is there a slot later, and its source after all of them
        ("add.u32 %r1, %r2, 1; add.u32 %r3, %r1, 1;", [0, ADD - 1]),
        # what stands between takes its slot of them
        ("add.u32 %r1, %r2, 1; add.u32 %r4, %r2, 1; add.u32 %r3, %r1, 1;", [0, 0, ADD - 2]),
        # each waits for the one before
        ("add.u32 %r1, %r2, 1; add.u32 %r3, %r1, 1; add.u32 %r4, %r3, 1;", [0, ADD - 1, ADD - 1]),
        # two that wait for the same: the second finds it there
        ("add.u32 %r1, %r2, 1; add.u32 %r3, %r1, 1; add.u32 %r4, %r1, 1;", [0, ADD - 1, 0]),
        # the later one of two sources
        (
            "mul.lo.u32 %r1, %r2, %r2; add.u32 %r3, %r2, 1; add.u32 %r4, %r3, %r1;",
            [0, 0, PRODUCT - 2],
        ),
        # memory takes its own time, which is not counted here
        ("ld.global.u32 %r1, [%rd1]; add.u32 %r3, %r1, 1;", [0, 0]),
        # registers made anew: what is read is the newest
        ("mul.lo.u32 %r1, %r2, %r2; add.u32 %r1, %r2, 1; add.u32 %r4, %r1, 1;", [0, 0, ADD - 1]),
        # a guard is waited for as a source is
        ("setp.lt.u32 %p1, %r1, 5; @%p1 add.u32 %r3, %r2, 1;", [0, ADD - 1]),
        ("", []),
    ],
)
def test_slots_that_a_block_waits(body, expected):
    assert waits(block_of(body)) == expected


def test_the_source_that_comes_last_is_waited_for():
    """A load far before comes later than an add next to it; of equals the nearer one."""
    body = """ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r9, 1; add.u32 %r3, %r1, %r2;
add.u32 %r4, %r9, 1; add.u32 %r5, %r9, 1; add.u32 %r6, %r5, %r4; add.u32 %r7, %r9, %r9;"""
    assert binding_producers(block_of(body)) == (None, None, 0, None, None, 4, None)


def test_a_share_weighs_blocks_by_their_executions(kernels):
    """Blocks that are not executed count for nothing."""
    blocks = kernels("hundred").subjects[0].structure.kernel.blocks
    own = [(len(b.instructions), sum(waits(b.instructions))) for b in blocks]
    executions = [1.0, 100.0, 0.0]
    issued = own[0][0] + 100 * own[1][0]
    assert wait_share(blocks, executions) == pytest.approx((own[0][1] + 100 * own[1][1]) / issued)
    assert wait_share(blocks, [0.0] * 3) == 0.0


# -- as in the original ----------------------------------------------------------------------------


def shares_of(subject, monkeypatch, **options):
    """The original's share, the clone's before its instructions are changed, and after."""
    seen = []

    def spy(model, written, of):
        seen.append(written)
        return with_waits(model, written, of)

    monkeypatch.setattr(make, "with_waits", spy)
    model = make_model(subject, **options)
    expected = [block.expected for block in model.blocks]
    before, after = seen[-1], assemble(model).kernel
    assert [len(b.instructions) for b in before.blocks] == [
        len(b.instructions) for b in after.blocks
    ]
    original = wait_share(subject.structure.kernel.blocks, subject.executions)
    return original, *(wait_share(k.blocks, expected) for k in (before, after))


@pytest.mark.parametrize("reduction", [1, 4])
@pytest.mark.parametrize("name", ["plain", "nested", "warps", "guarded", "banks", "shuffled"])
def test_clones_wait_nearer_to_their_originals(kernels, monkeypatch, name, reduction):
    """Never farther from them than before anything was changed, and by as many instructions."""
    subject = kernels(name).subjects[0]
    original, before, after = shares_of(subject, monkeypatch, reduction=reduction)
    assert abs(after - original) <= abs(before - original) + 1e-9


@pytest.mark.parametrize("name", ["guarded", "plain"])
def test_clones_that_wait_less_or_more_come_nearer(kernels, monkeypatch, name):
    """One's sums lost those that they waited for, the other's own numbers wait for each other."""
    original, before, after = shares_of(kernels(name).subjects[0], monkeypatch, reduction=1)
    assert (before < original) == (name == "guarded")
    assert abs(after - original) < 0.5 * abs(before - original)


@pytest.mark.parametrize("name", ["guarded", "plain", "nested"])
def test_what_blocks_gained_of_themselves_is_not_asked_for_again(kernels, monkeypatch, name):
    """All together are asked for the slots that are owed in the end, each time for what is left."""
    seen, asked = [], []

    def spy(model, written, of):
        seen.append((model, written))
        asked.clear()
        return with_waits(model, written, of)

    def wait(block, wanted):
        gained = own_wait(block, wanted)
        asked.append((block.block.expected, wanted, gained))
        return gained

    own_wait = waiting._Block.wait
    monkeypatch.setattr(make, "with_waits", spy)
    monkeypatch.setattr(waiting._Block, "wait", wait)
    subject = kernels(name).subjects[0]
    make_model(subject, reduction=1)
    model, written = seen[-1]
    pairs = [(b, w) for b, w in zip(model.blocks, written.blocks, strict=True) if b.original]
    executed = [(b.expected, len(w.instructions)) for b, w in pairs if b.expected]
    missing = wait_share(subject.structure.kernel.blocks, subject.executions)
    missing -= wait_share(written.blocks, [b.expected for b in model.blocks])
    owed = missing * sum(times * length for times, length in executed)
    together = asked[-len(executed) :]
    owed -= sum(times * gained for times, _, gained in asked[: -len(executed)])
    for times, wanted, gained in together:
        assert wanted * times == pytest.approx(owed)
        owed -= times * gained


# -- for the same values as the original -----------------------------------------------------------


def made_of(instructions, place):
    """Opcodes of what an instruction reads, and of what that is made of, the last one first."""
    found, wanted = [], set(instructions[place].reads)
    for before in reversed(instructions[:place]):
        if wanted & set(before.writes):
            wanted = wanted - set(before.writes) | set(before.reads)
            found.append(before.operation.opcode)
    return found


LOADED = "ld.global.u32 %r20, [%rd4]; and.b32 %r20, %r20, 0;\n"
"""Nothing, but known only when it has come from memory."""


@pytest.mark.parametrize(
    ("condition", "decision"),
    [
        (f"add.u32 %r20, %r20, {TID}; setp.lt.u32 %p1, %r20, 40;", ByThread),
        (f"add.u32 %r20, %r20, {TID}; cvt.rn.f32.u32 %f1, %r20; setp.lt.f32 %p1, %f1, 0f42200000;",
         ByThread),
        (f"add.u32 %r20, %r20, {WARP}; sub.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 2;", ByWarp),
        (f"add.u32 %r20, %r20, {LANE}; and.b32 %r20, %r20, 1; setp.ne.u32 %p1, %r20, 0;", Random),
    ],
    ids=["thread", "as a float", "warp", "lane"],
)  # fmt: skip
def test_branches_wait_for_a_loaded_value_that_the_original_compares(tmp_path, condition, decision):
    """The clone decides by itself, and no sooner than the original could."""
    model = make_model(studied(tmp_path, LOADED + condition + SIDES).subjects[0], reduction=1)
    assert isinstance(model.blocks[0].decision, decision)
    block = assemble(model).kernel.blocks[0]
    assert "ld.global.u32" in made_of(block.instructions, len(block.instructions) - 1)


@pytest.mark.parametrize("bits", [64, 32])
def test_addresses_wait_for_loaded_values_of_either_width(tmp_path, bits):
    """A chase: the second load goes where the first one says, by an index of 32 bits."""
    body = LOADED.replace("%r20, 0", "%r20, 255") + FETCH.replace("%r12", "%r20")
    model = make_model(studied(tmp_path, body).subjects[0], reduction=1)
    (block, *rest) = model.blocks
    index = next(slot.operands[0] for slot in block.slots if slot.opcode == "and.b32")
    slots = tuple(replace(s, after=(index,)) if s.after else s for s in block.slots)
    assert slots != block.slots
    if bits == 32:  # as where the product that widens the index has been left out
        model = replace(model, blocks=(replace(block, slots=slots), *rest))
    instructions = assemble(model).kernel.blocks[0].instructions
    loads = [k for k, i in enumerate(instructions) if i.operation.opcode == "ld.global.u32"]
    assert len(loads) == 2
    assert made_of(instructions, loads[1]).count("ld.global.u32") == 1
