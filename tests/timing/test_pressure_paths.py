"""Which blocks are put together to straight code, and what predicates keep."""

from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.analyses.liveness import live_registers, machine_view
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.simulator.assembler.registers import MOST_PREDICATED, straight_paths

HEAD = """\
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data)
{
    .reg .pred %p<9>;
    .reg .b32 %r<99>;
    .shared .align 4 .b8 tile[4096];
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
"""


def paths_of(text):
    """Give, for each path, the opcodes of its lines."""
    _, paths = found(text)
    return [[line.instruction.operation.name for line in path.lines] for path in paths]


def found(text):
    kernel = parse(Source("k.ptx", f"{HEAD}{text}\nret;\n}}\n")).module.kernels[0]
    cfg = build_cfg(kernel)
    view = machine_view(kernel, cfg)
    return kernel, straight_paths(view, live_registers(view, cfg), cfg)


def test_a_short_block_loses_the_branch_around_it():
    text = "@%p1 bra J; ld.shared.u32 %r2, [tile]; st.shared.u32 [tile+4], %r2; J: membar.cta;"
    assert paths_of(text) == [["mov", "setp", "ld", "st", "membar", "ret"]]


def test_several_such_blocks_make_one_path():
    one = "@%p1 bra {0}; ld.shared.u32 %r2, [tile]; st.shared.u32 [tile+4], %r2; {0}: "
    text = "".join(one.format(name) for name in ("A", "B", "C"))
    assert paths_of(text) == [["mov", "setp", *["ld", "st"] * 3, "ret"]]


def test_what_the_predicate_leaves_is_read_where_it_is_live():
    kernel, (path,) = found(
        "mov.u32 %r2, %tid.y; @%p1 bra J; add.s32 %r3, %r1, 1; add.s32 %r2, %r3, %r1;"
        "J: st.shared.u32 [tile], %r2;"
    )
    names = [
        {kernel.registers[r].name for r in line.reads}
        for line in path.lines
        if line.instruction.operation.name == "add"
    ]
    assert names == [{"%r1"}, {"%r3", "%r1", "%r2"}]  # lanes that went around keep %r2


def test_long_blocks_barriers_and_loops_keep_their_branches():
    body = "add.s32 %r1, %r1, 1; " * (MOST_PREDICATED + 1)
    for inside in (body, "bar.sync 0;"):
        assert len(paths_of(f"@%p1 bra J; {inside} J: st.shared.u32 [tile], %r1;")) == 3
    fits = "add.s32 %r1, %r1, 1; " * MOST_PREDICATED
    assert len(paths_of(f"@%p1 bra J; {fits} J: st.shared.u32 [tile], %r1;")) == 1
    loop = "L: add.s32 %r1, %r1, 1; setp.lt.s32 %p2, %r1, 9; @%p2 bra L;"
    assert len(paths_of(f"{loop} st.shared.u32 [tile], %r1;")) == 3


def test_both_sides_of_a_branch_stay_blocks():
    sides = "@%p1 bra A; add.s32 %r1, %r1, 1; bra J; A: add.s32 %r1, %r1, 2;"
    text = f"{sides} J: st.shared.u32 [tile], %r1;"
    assert len(paths_of(text)) == 4


def test_a_block_that_others_lead_to_begins_a_path():
    text = "@%p1 bra J; setp.eq.u32 %p2, %r1, 7; @%p2 bra J; add.s32 %r1, %r1, 1;"
    assert len(paths_of(f"{text} J: st.shared.u32 [tile], %r1;")) == 4


def test_every_line_is_on_one_path():
    text = (
        "@%p1 bra J; add.s32 %r1, %r1, 1; J: @%p1 bra K; bar.sync 0; K: st.shared.u32 [tile], %r1;"
    )
    names = sorted(name for path in paths_of(text) for name in path)
    assert names == sorted(["mov", "setp", "add", "bra", "bar", "st", "ret"])
