"""What analyze reports beside loops: blocks, outcomes, calls, the paper's view, costs, pictures."""

import json
import shutil
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.access.accesses import AccessPattern
from warpmill.analyzer.analyses.access.coalescing import LoopReuseKind
from warpmill.analyzer.analyses.mix import CallKind, SyncScope
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.cli.main import main
from warpmill.commands.analyze.result import analyze_report
from warpmill.report.base import Mark
from warpmill.report.fields import marks_of
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace

SAMPLES = Path(__file__).parents[2] / "samples"


def analysis(sample, file="launch.toml"):
    (found,) = analyze_report([prepare(SAMPLES / sample / file)]).analyses
    return found


def test_blocks_carry_their_executions_in_the_launch():
    """262,144 warps; eight steps of the tree; the step's half of the CTA works, at least a warp."""
    blocks = {b.label: b for b in analysis("reduce").blocks}
    assert blocks["bb0"].warp_executions == 262_144
    assert blocks["$L__BB0_7"].warp_executions == 8 * 262_144
    assert blocks["bb6"].warp_executions == (4 + 2 + 1 + 5) * 32_768
    assert blocks["bb9"].warp_executions == 32_768


def test_blocks_carry_what_listing_1_holds():
    blocks = {b.label: b for b in analysis("matmul").blocks}
    inner = blocks["$L__BB0_2"]
    assert inner.loop_bound == "max(1, ceildiv(matmul_param_3, 16))"
    assert inner.preceding_block == "bb1"
    assert blocks["bb0"].loop_bound is None


def test_outcomes_say_who_takes_a_branch_and_when():
    """``if (tid < step)`` is left by warps whose threads are all at or above the step."""
    branches = {b.block: b for b in analysis("reduce").branches}
    step = branches["$L__BB0_5"].outcomes
    assert step is not None
    first, second = step.warps[0], step.warps[1]
    assert (first.taken, first.not_taken, first.divergent) == (0, 3, 5)
    assert [(r.first, r.iterations, r.taken_mask) for r in first.runs][:2] == [
        (0, 3, "0x0"),
        (3, 1, "0xffff0000"),
    ]
    assert (second.taken, second.not_taken, second.divergent) == (6, 2, 0)
    assert (step.taken, step.not_taken, step.divergent) == (52, 7, 5)


def test_branches_on_thread_ids_part_lanes_and_others_do_not():
    branches = {b.block: b for b in analysis("reduce").branches}
    assert branches["$L__BB0_5"].may_diverge
    assert branches["$L__BB0_5"].region == ["bb6"]
    assert not branches["$L__BB0_7"].may_diverge


def test_a_block_shape_keeps_lanes_together():
    """stencil5's rows are a warp wide: tests of tid.y part no warp."""
    found = {b.condition: b.may_diverge for b in analysis("stencil5").branches}
    assert any(not parts for condition, parts in found.items() if "tid.y" in condition)
    assert any(parts for condition, parts in found.items() if condition.startswith("tid.x"))


def test_calls_are_sorted():
    calls = [c.call for c in analysis("matmul", "launch.opencl.toml").calls]
    kinds = {c.kind.value for c in calls}
    assert kinds == {"work-item function", "synchronisation", "intrinsic function"}
    barriers = [c for c in calls if c.kind is CallKind.SYNCHRONISATION]
    assert {(c.name, c.scope) for c in barriers} == {("bar.sync", SyncScope.CTA)}


def test_the_papers_view_of_vecadd():
    """Kept: index arithmetic, the comparison, two loads, the addition, a store."""
    found = analysis("vecadd")
    assert found.pruned.kept == 6
    assert sum(found.pruned.left_out.values()) + found.pruned.kept == found.instructions
    job = prepare(SAMPLES / "vecadd" / "launch.toml")
    whole, kept = (trace(job, TraceOptions(pruned=p)).summary for p in (False, True))
    assert kept.warp_instructions == kept.warps * 6
    assert whole.warp_instructions > kept.warp_instructions
    assert dict(kept.by_class)["load"] == 2 * kept.warps


def test_accesses_tell_what_a_warp_moves():
    accesses = analysis("transpose").accesses
    for access in accesses:
        costs = access.in_launch.all_iterations
        if access.access.space is Space.SHARED:
            assert (costs.wavefronts.least, costs.wavefronts.most) == (1, 1)
        else:
            assert (costs.sectors.least, costs.sectors.most) == (4, 4)
    assert all(a.alignment.bytes >= 4 and a.alignment.meets_width for a in accesses)


def test_the_answer_counts_trips_divergence_coalescing_and_registers():
    flow, accesses, registers = analysis("spmv").answer
    assert flow.startswith("None of 2 loops has a known trip count in this launch; 6 of 6 branches")
    assert accesses.startswith("2 of 18 global accesses are coalesced (not line ")
    assert accesses.endswith("; 15 unknown).")
    assert registers == "A thread has 26~ live registers at most, as modelled."
    assert analysis("matmul").answer[1] == (
        "3 of 3 global accesses are coalesced; 34 of 34 shared accesses are free of bank conflicts."
    )


def test_accesses_that_need_more_than_their_bytes_fill_are_told():
    """A warp's 128 B begin 4 B before a sector: five sectors where four would do."""
    (odd,) = (a for a in analysis("spmv").accesses if a.is_coalesced is False)
    assert (odd.sectors, odd.wavefronts, odd.is_conflict_free) == (5.0, None, None)
    assert marks_of(odd)["sectors"] is Mark.SAMPLED


def test_data_dependent_accesses_name_the_load():
    accesses = analysis("spmv").accesses
    gathers = [a for a in accesses if a.buffer == "spmv_param_3"]
    assert gathers and all(a.pattern is AccessPattern.DATA and a.decided_by for a in gathers)
    assert all(a.in_launch.all_iterations is None and a.in_launch.reason for a in gathers)


def test_reuse_over_loops_and_threads():
    found = analysis("matmul").accesses
    kinds = [(a.access.space, a.access.op_class) for a in found]
    tiles = [a for a, k in zip(found, kinds, strict=True) if k == (Space.SHARED, OpClass.LOAD)]
    rows = [a for a in tiles if a.lane_stride_bytes == 0]
    assert {loop.reuse.kind for a in tiles for loop in a.loops} == {LoopReuseKind.TEMPORAL}
    assert all("tid.x" in a.reuse.same_for for a in rows)


def test_without_a_launch_nothing_rests_on_one(capsys):
    path = SAMPLES / "matmul" / "matmul.ll"
    assert main(["analyze", str(path), "--format", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)["analyses"]
    assert found["no_traces"] == "no launch was given"
    assert {b["warp_executions"] for b in found["blocks"]} == {None}
    assert {b["outcomes"] for b in found["branches"]} == {None}
    assert {a["in_launch"] for a in found["accesses"]} == {None}


def test_dot_shows_weights_and_where_lanes_part(capsys):
    assert main(["analyze", str(SAMPLES / "reduce" / "launch.toml"), "--format", "dot"]) == 0
    text = capsys.readouterr().out
    assert "2,097,152 executions, 35% of instructions" in text
    assert text.count("peripheries=2") == 4
    assert text.count("dashed") == 4


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not here")
def test_svg_is_drawn_by_graphviz(capsys):
    assert main(["analyze", str(SAMPLES / "reduce" / "launch.toml"), "--format", "svg"]) == 0
    text = capsys.readouterr().out
    assert "<svg" in text and "cluster $L__BB0_5" in text


def test_without_graphviz_svg_says_what_to_do(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["analyze", str(SAMPLES / "reduce" / "launch.toml"), "--format", "svg"]) == 2
    assert "--format dot" in capsys.readouterr().err


def test_an_analysis_that_would_walk_too_long_says_so(monkeypatch):
    monkeypatch.setattr("warpmill.session.traces.ANALYSIS_VISITS", 10)
    found = analysis("reduce")
    assert "more than 10 blocks" in found.no_traces
    assert {b.warp_executions for b in found.blocks} == {None}
    assert found.accesses[0].in_launch is not None  # what needs no trace stays


def test_formulas_show_parameters_of_mangled_kernels_by_their_numbers(tmp_path, capsys):
    name = "_Z4copyPfi"
    text = (SAMPLES / "matmul" / "matmul.sm_80.ptx").read_text().replace("matmul", name)
    path = tmp_path / "k.ptx"
    path.write_text(text)
    assert main(["analyze", str(path)]) == 0
    short = capsys.readouterr().out
    assert "max(1, ceildiv(param_3, 16))" in short
    assert main(["analyze", str(path), "--format", "json"]) == 0
    (loop,) = json.loads(capsys.readouterr().out)["analyses"][0]["loops"]
    assert loop["bound"]["trip_count"] == f"max(1, ceildiv({name}_param_3, 16))"


VECTOR = "ld.global.v4.f32 {%f1,%f2,%f3,%f4}, [%rd1+4]"
BULK = "cp.async.bulk.shared::cluster.global."
BULK += "mbarrier::complete_tx::bytes [tile+16], [%rd1], 48, [%r2]"


@pytest.mark.parametrize(("text", "told"), [(VECTOR, True), (BULK, False)])
def test_only_what_is_accessed_at_once_has_to_be_aligned_to_its_width(tmp_path, capsys, text, told):
    path = tmp_path / "k.ptx"
    path.write_text(
        ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
        ".reg .f32 %f<9>; .reg .b64 %rd<9>; .reg .b32 %r<9>;\n"
        ".shared .align 256 .b8 tile[256];\n.shared .align 8 .b64 bar;\n"
        f"ld.param.u64 %rd1, [p]; mov.u32 %r2, bar;\n{text};\nret; }}\n"
    )
    assert main(["analyze", str(path)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert ("Never aligned to their width: line 9." in shown) == told
