"""The reports of real kernels, against what the samples' notes derive by hand."""

from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.analyses.ranges.launch_trips import TripRange
from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.types import OpClass, Space
from warpmill.analyzer.launch.options import launch_from_options
from warpmill.commands.analyze.result import analyze_report
from warpmill.commands.inspect.result import inspect_report
from warpmill.commands.trace.result import launch_trace
from warpmill.report.base import Mark, Part, figures, marks
from warpmill.report.fields import marks_of
from warpmill.session.options import LaunchOptions, RegisterSources, TraceOptions

SAMPLES = Path(__file__).parents[2] / "samples"


def job(name, file="launch.toml", **sizes):
    return warpmill.prepare(SAMPLES / name / file, None, LaunchOptions(sizes=sizes))


def analysed(name, file="launch.toml", **sizes):
    return analyze_report([job(name, file, **sizes)]).analyses[0]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("file", ["launch.toml", "launch.bc.toml", "launch.opencl.toml"])
@pytest.mark.parametrize(("n", "trips"), [(1024, 64), (160, 10)])
def test_a_formula_becomes_the_number_of_the_launch(file, n, trips):
    (loop,) = analysed("matmul", file, n=n).loops
    assert loop.bound.kind == "symbolic"
    assert "ceildiv" in loop.bound.trip_count
    assert loop.in_launch == TripRange(trips, trips)
    assert marks_of(loop)["in_launch.high"] is Mark.EXACT


def test_without_a_launch_there_is_a_formula_and_no_number():
    (loop,) = analysed("matmul", "matmul.sm_80.ptx").loops
    assert "ceildiv" in loop.bound.trip_count
    assert (loop.in_launch.low, loop.in_launch.reason) == (None, "no launch was given")


def test_what_data_decide_has_a_reason():
    loops = analysed("spmv").loops
    assert loops
    for loop in loops:
        assert loop.bound.kind == "unknown"
        assert loop.in_launch.high is None
        assert loop.bound.reason
        assert loop.in_launch.reason


def test_branches_say_what_decides_them():
    branches = analysed("spmv", "launch.bc.toml").branches
    guard = branches[0]
    assert guard.decided_by == ["argument", "thread id", "block id", "launch size"]
    assert any("memory load" in b.decided_by for b in branches)
    assert [b.leaves_loop for b in branches].count("45") == 1


def test_accesses_name_their_buffer_and_line():
    accesses = analysed("stencil5", "stencil5.ll").accesses
    kinds = [(a.access.op_class, a.access.space) for a in accesses]
    pairs = zip(accesses, kinds, strict=True)
    stores = [a for a, kind in pairs if kind == (OpClass.STORE, Space.GLOBAL)]
    assert [(a.buffer, a.place.file, a.place.line, a.place.of) for a in stores] == [
        ("arg1", "stencil5.cu", 41, "source")
    ]
    assert {a.buffer for a in accesses if a.access.space is Space.SHARED} == {"_ZZ8stencil5E4tile"}


def test_a_number_that_is_added_to_an_address_is_no_buffer():
    """With a launch, 64-bit numbers and pointers are told apart."""
    text = (
        ".version 7.0\n.target sm_80\n.address_size 64\n"
        ".visible .entry k(.param .u64 p, .param .u64 n)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<2>;\n"
        "ld.param.u64 %rd1, [p];\nld.param.u64 %rd2, [n];\nadd.s64 %rd3, %rd1, %rd2;\n"
        "ld.global.u32 %r1, [%rd3];\nst.global.u32 [%rd3], %r1;\nret;\n}\n"
    )
    path = SAMPLES / "none.ptx"
    source = Source(str(path), text)
    module = parse(source).module
    loaded = LoadedModule(source.name, FileFormat.PTX, module, (), source)
    launch = launch_from_options(module.kernels[0], path, 1, 32, 0, ["buffer=u32:64", "16"])
    with_launch = analyze_report([warpmill.Job(loaded, module.kernels[0], launch)])
    without = analyze_report([warpmill.Job(loaded, module.kernels[0], None)])
    assert {a.buffer for a in with_launch.analyses[0].accesses} == {"p"}
    assert {a.buffer for a in without.analyses[0].accesses} == {None}


def test_inspect_counts_what_the_file_says():
    loaded = warpmill.load(SAMPLES / "reduce" / "reduce.sm_80.ptx")
    (file,) = inspect_report([loaded]).files
    (kernel,) = file.kernels
    assert (kernel.shared_bytes, kernel.uses_dynamic_shared) == (1024, False)
    assert kernel.instructions == sum(kernel.by_class.values()) == sum(kernel.by_opcode.values())
    assert kernel.instructions_known == kernel.instructions
    assert kernel.registers == sum(kernel.registers_by_type.values())
    assert [p.name for p in kernel.parameters] == [f"reduce_param_{i}" for i in range(3)]
    assert kernel.source is None


def test_inspect_gives_the_source_line_where_there_is_one():
    loaded = warpmill.load(SAMPLES / "stencil5" / "stencil5.ll")
    (kernel,) = inspect_report([loaded]).files[0].kernels
    assert (kernel.source.of, kernel.place.of) == ("source", "input")
    assert kernel.source.line > 0


def traced(name, file="launch.toml", ctas=None, most=64, sizes=None, **options):
    one = job(name, file, **(sizes or {}))
    return launch_trace(
        one, warpmill.trace(one, TraceOptions(**options), ctas=ctas, most_ctas=most)
    )


def test_what_was_assumed_for_a_part_stays_assumed_for_the_grid():
    some = traced("spmv", most=2, source="static")
    assert some.traced.assumptions
    assert some.traced.summary.ctas < some.traced.ctas_total
    assert marks_of(some.traced)["grid_warp_instructions"] is Mark.ASSUMED


def test_a_part_of_the_grid_is_scaled_and_marked_sampled():
    some = traced("vecadd", most=4)
    counts = some.traced.summary
    assert (counts.ctas, some.traced.ctas_total, counts.warps) == (4, 65536, 32)
    assert some.traced.grid_warp_instructions == counts.warp_instructions * 16384
    assert marks_of(some.traced)["summary.warp_instructions"] is Mark.EXACT
    assert marks_of(some.traced)["grid_warp_instructions"] is Mark.SAMPLED


def test_the_whole_grid_is_exact():
    whole = traced("vecadd", sizes={"n": 1024}, most=64).traced
    assert whole.summary.ctas == whole.ctas_total == 4
    assert whole.grid_warp_instructions == whole.summary.warp_instructions
    assert marks_of(whole)["grid_thread_instructions"] is Mark.EXACT


def test_what_rests_on_assumptions_is_marked_so():
    assumed = traced("spmv", ctas=[(0, 0, 0)], source="static")
    assert assumed.traced.assumptions
    assert marks_of(assumed)["accesses.sectors"] is Mark.ASSUMED
    assert marks_of(assumed.traced)["summary.warps"] is Mark.EXACT


def test_classes_add_up_by_warps_and_by_threads():
    one = traced("reduce", ctas=[(0, 0, 0)]).traced.summary
    assert sum(c.warp_instructions for c in one.classes) == one.warp_instructions
    assert sum(c.thread_instructions for c in one.classes) == one.thread_instructions
    assert one.thread_instructions < 32 * one.warp_instructions


def test_coalesced_accesses_take_four_sectors_and_shared_ones_no_sectors():
    accesses = traced("reduce", ctas=[(0, 0, 0)]).accesses
    assert any(a.space == "shared" for a in accesses)
    assert any(a.space != "shared" and a.opcode.startswith("ld") for a in accesses)
    for access in accesses:
        if access.space == "shared":
            assert (access.sectors, access.lines) == (None, None)
            assert access.wavefronts_per_request == 1
        elif access.opcode.startswith("ld"):
            assert access.sectors_per_request == 4
            assert access.wavefronts is None
        assert access.reason is None


def estimated(name, machine="a100", regs=None, **options):
    one = job(name)
    return warpmill.estimate(
        one, machine, registers=RegisterSources(regs), trace_options=TraceOptions(**options)
    )


def test_an_estimate_is_reported_as_it_is():
    shown = estimated("vecadd", regs=16)
    assert shown.time_us == pytest.approx(shown.execution_us + shown.launch_us)
    assert shown.execution_us == pytest.approx(shown.cycles / shown.clock_mhz)
    assert shown.launch_us > 0
    assert shown.achieved_occupancy_fraction <= shown.occupancy.occupancy_fraction
    assert [t.region for t in shown.traffic] == [f"vecadd_param_{i}" for i in range(3)]


def test_marks_of_an_estimate_follow_its_sources():
    given = marks_of(estimated("vecadd", regs=16))
    assert given["time_us"] is Mark.MODELLED
    assert given["registers.registers_per_thread"] is Mark.EXACT
    assert given["traffic.requested_bytes"] is Mark.SAMPLED
    guessed = marks_of(estimated("vecadd", machine="gtx480"))
    assert guessed["registers.registers_per_thread"] is Mark.ASSUMED
    assert guessed["occupancy.ctas_per_sm"] is Mark.ASSUMED
    assumed = marks_of(estimated("spmv", source="static"))
    assert assumed["traffic.requested_bytes"] is Mark.ASSUMED


class Inner(Part):
    count: int
    name: str


class Outer(Part):
    total: float | None
    inner: list[Inner]
    sizes: dict[str, int]
    flag: bool


def test_marks_cover_all_figures_and_nothing_else():
    assert figures(Outer) == ("total", "inner.count", "sizes")
    made = marks(Outer, Mark.EXACT, inner=Mark.SAMPLED)
    assert made == {"inner.count": Mark.SAMPLED, "sizes": Mark.EXACT, "total": Mark.EXACT}
    deeper = marks(Outer, Mark.EXACT, inner=Mark.SAMPLED, inner__count=Mark.MODELLED)
    assert deeper["inner.count"] is Mark.MODELLED
    with pytest.raises(AssertionError, match="no figures"):
        marks(Outer, Mark.EXACT, flag=Mark.SAMPLED)
