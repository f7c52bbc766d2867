"""Clones do what their originals did: each kernel is cloned, written, read back, executed."""

import math

import pytest

from tests.reference.clone_kernels import (
    KERNELS,
    WORDS,
    WORK,
    a_warp,
    made,
    opcodes,
    shares,
    text,
)
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.verifier import verify
from warpmill.cloning.clone import study
from warpmill.session.options import LaunchOptions


@pytest.mark.one_in(12)
@pytest.mark.parametrize("name", KERNELS)
def test_a_clone_is_whole_and_runs_within_bounds(clones, name):
    """It is executed with arrays of exactly its sizes: an access outside would be an error.

    Blocks go on where the original's do, but for lanes that go around a loop; blocks of which
    nothing is left are gone when the text is read.
    """
    one = clones(name, reduction=4)
    assert verify(one.cloned.application.module) == ()
    assert one.here.structure.kernel.name == "clone0"
    (kernel,) = one.cloned.application.module.kernels
    around = {lp.header for lp in one.model.loops if lp.around is not None and lp.lanes < 1.0}
    entering = {block for header, block in one.model.entries if header in around}
    cfg = one.there.structure.cfg
    for block in kernel.blocks:
        if block.id not in entering:
            after = block.successors or (cfg.exit_id,)
            assert set(after) == set(cfg.successors[block.id]) - {cfg.exit_id} or set(after) == {
                cfg.exit_id
            }


@pytest.mark.parametrize("name", ["nested", "odd lanes", "scattered", "banks", "early"])
def test_what_is_printed_reads_back(clones, name):
    module = clones(name, reduction=4).cloned.application.module
    again = parse(Source("clone.ptx", print_ptx(module))).module
    assert verify(again) == ()
    for one, other in zip(again.kernels, module.kernels, strict=True):
        assert opcodes(one) == opcodes(other)
        used = [
            [[k.registers[r] for r in (*i.writes, *i.reads)] for i in k.instructions]
            for k in (one, other)
        ]
        assert used[0] == used[1]


PRINTED = """{ .param .b64 a; .param .b64 b; .param .b32 q; st.param.b64 [a], %rd1;
st.param.b64 [b], 0; call.uni (q), vprintf, (a, b); ld.param.b32 %r20, [q]; }
"""
EXTERN = ".extern .func (.param .b32 q) vprintf (.param .b64 a, .param .b64 b);\n"


@pytest.mark.parametrize(
    ("body", "left_out"),
    [
        ("setp.gt.u32 %p1, %r0, 99; @%p1 trap;", "trap"),
        ("nanosleep.u32 20;", "nanosleep.u32"),
        (PRINTED, "call.uni"),
    ],
    ids=["trap", "nanosleep", "call"],
)
def test_calls_traps_and_what_controls_the_warp_are_left_out(tmp_path, body, left_out):
    """What is around them stays, and the files read back and run."""
    path = tmp_path / "original.ptx"
    path.write_text(text(WORK + body + WORK).replace(".visible", f"{EXTERN}.visible"))
    options = LaunchOptions(grid="2", block="64", args=(f"buffer=u32:{WORDS}", "64"))
    one = made(tmp_path, study(path, None, options), reduction=1)
    assert left_out in opcodes(one.there.structure.kernel)
    assert left_out not in opcodes(one.here.structure.kernel)
    assert opcodes(one.here.structure.kernel).count("ld.global.u32") == 2


UNREDUCED = [
    "hundred", "chance", "lanes by chance", "scattered", "scattered warps", "banks", "atomic",
    "guarded", "nested", "far apart",
]  # fmt: skip


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", UNREDUCED)
def test_a_clone_without_reduction_is_as_long(clones, name):
    """Nothing shrinks: instructions are within what control flow and addresses add."""
    one = clones(name, reduction=1)
    assert one.model.represented == 1.0
    assert a_warp(one.here) == pytest.approx(a_warp(one.there), rel=0.08)


def differences(one):
    """How far the shares of kinds of instructions are from the original's."""
    a, b = shares(one.there.profile), shares(one.here.profile)
    return {kind: abs(a.get(kind, 0) - b.get(kind, 0)) for kind in a | b}


@pytest.mark.parametrize("name", KERNELS)
def test_kinds_of_instructions_are_as_often(clones, name):
    """Within 6 in 100 of all that warps execute; of short ones within 1.5 instructions."""
    one = clones(name, reduction=4)
    assert max(differences(one).values()) < max(1.5 / a_warp(one.here), 0.06)


@pytest.mark.parametrize("name", UNREDUCED)
def test_kinds_of_instructions_stay_without_reduction(clones, name):
    assert max(differences(clones(name, reduction=1)).values()) < 0.06


@pytest.mark.parametrize("name", KERNELS)
def test_blocks_are_executed_as_often_as_the_model_says(clones, name):
    """Where chance decides, within 5 standard deviations of what draws of warps would give."""
    one = clones(name, reduction=4)
    warps = one.there.ctas * one.there.warps_per_cta
    read = {b.label.strip("_$B"): b.id for b in one.here.structure.kernel.blocks}
    met = 0
    for block in one.model.blocks:
        if str(block.id) not in read or not block.expected:
            continue
        executed = one.here.executions[read[str(block.id)]]
        draws = warps / (one.there.warps_per_cta if name in {"barrier", "ctas"} else 1)
        spread = 5 * math.sqrt(max(1.0, block.expected) / draws) / 2
        assert executed == pytest.approx(block.expected, abs=spread + 0.02 * block.expected)
        met += 1
    assert met > 1 or len(one.model.blocks) == met
