"""What the report of a simulation says: sums, rates, shares, marks, by hand and by another way."""

from dataclasses import replace

import numpy as np
import pytest

from tests.timing.simulated_kernels import PTX, instruction, jobs, simulated, small_plan
from tests.timing.simulation_results import LIVES, sampled_result, small_result
from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import CallSite
from warpmill.commands.simulate.result import (
    FunctionStalls,
    StallRow,
    simulate_report,
    stalled_parts,
)
from warpmill.report.fields import marks_of
from warpmill.report.schemas import schema_of
from warpmill.session.simulations import Simulated
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu.instruction_result import latency_bin_ends, percentile
from warpmill.simulator.gpu.result import SimResult
from warpmill.simulator.gpu.result_parts import (
    SamplingUnits,
    SimulatedCache,
    Totals,
    alone,
    resident,
)
from warpmill.simulator.resources import SIMULATED_STATES


def report(**changes):
    return simulate_report("kernels.ptx", [simulated(**changes)])


def figures(**changes):
    (one,) = report(**changes).simulations
    return one


def result(**changes):
    return figures(**changes).result


def marks(one):
    """The marks of a simulation: those of its result, and those of places."""
    return marks_of(one.result) | marks_of(one)


# ------------------------------------------------------------------------------------- stalls


def test_stalls_by_line_block_function_and_instruction_add_up():
    one = figures()
    whole = {s.state.key: s.warp_cycles for s in one.result.warp_states}
    assert list(whole) == list(SIMULATED_STATES)
    assert one.result.warp_instructions == whole["selected"]
    assert (whole["long_scoreboard"], whole["wait"]) == (1541, 200)
    assert sum(s.fraction for s in one.result.warp_states) == pytest.approx(1)
    stalled = sum(count for reason, count in whole.items() if reason != "selected")
    for rows in (one.lines, one.blocks, one.functions, one.instructions):
        assert (
            sum(row.warp_instructions for row in rows)
            == one.result.warp_instructions
            == whole["selected"]
        )
        assert sum(row.stall_cycles for row in rows) == stalled
        assert sum(row.stall_fraction for row in rows) == pytest.approx(1)
        for reason in SIMULATED_STATES[1:]:
            assert sum(row.stalls_by_reason.get(reason, 0) for row in rows) == whole[reason]
        assert not any("selected" in row.stalls_by_reason for row in rows)


def test_lines_are_those_of_the_text_and_the_costliest_is_first():
    one, text = figures(), PTX.splitlines()
    assert [line.stall_cycles for line in one.lines] == [1741, 73, 12]
    for line in one.lines:
        assert line.opcode in text[line.place.line - 1]
        assert (line.place.of, line.place.column, line.instructions) == ("input", None, 1)
    for x in one.instructions:
        assert x.opcode in text[x.place.line - 1]
    labels = [(b.kernel, b.block, b.label) for b in one.blocks]
    assert labels == [(0, 1, "LOAD"), (1, 0, "bb0"), (0, 0, "bb0")]


def test_functions_have_all_their_copies_and_the_kernel_the_rest():
    rows = (
        instruction(0, 0, selected=2, wait=5),
        instruction(1, 1, selected=2, wait=30),  # in the first copy
        instruction(3, 1, selected=2, barrier=10),  # in the second
        instruction(3, 2, selected=2, wait=1),
    )
    double, kernel = figures(instructions=rows).functions
    assert (double.name, double.demangled, double.copies) == ("_Z6doublef", "double(float)", 2)
    assert (double.warp_instructions, double.stalls_by_reason) == (6, {"wait": 31, "barrier": 10})
    assert (kernel.name, kernel.copies, kernel.stalls_by_reason) == ("sum", 0, {"wait": 5})


def test_what_a_function_calls_is_not_its_own():
    span = Span(1, 1, 2)
    site = CallSite("outer", span, CallSite("inner", span))
    job, (first, *others) = jobs()[1], jobs()[1].kernel.blocks
    code = replace(first.instructions[0], inlined=site)
    first = replace(first, instructions=(code, *first.instructions[1:]))
    job = replace(job, kernel=replace(job.kernel, blocks=(first, *others)))
    rows = [StallRow(job, instruction(0, 0, wait=3))]
    (function,) = stalled_parts(FunctionStalls, rows, lambda row: row.function)
    assert (function.name, function.copies) == ("inner", 1)


# ---------------------------------------------------------------------------------- latencies


def test_bins_are_where_the_engine_puts_latencies():
    """The engine's bin of a latency: two for each doubling."""
    ends = latency_bin_ends()
    for latency in (1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 100, 5000):
        k = next(k for k, end in enumerate(ends) if latency < end)
        half = latency.bit_length() - 1
        upper = latency >= 3 << (half - 1) if half else False
        assert k == max(0, 2 * half - 1 + upper)


def test_percentiles_are_those_of_accesses_spread_evenly_in_their_bins():
    random = np.random.default_rng(3)
    edges = (0, *latency_bin_ends())
    for _ in range(20):
        bins = np.where(random.random(48) < 0.8, 0, random.integers(0, 400, 48))
        bins[5] += 1
        points = [
            edges[k] + (edges[k + 1] - edges[k]) * (np.arange(n * 50) + 0.5) / (n * 50)
            for k, n in enumerate(bins)
        ]
        spread = np.sort(np.concatenate(points))
        for share in (0.5, 0.9, 0.99):
            wanted = spread[min(len(spread) - 1, int(share * len(spread)))]
            assert percentile(bins.tolist(), share) == pytest.approx(wanted, rel=0.02)
    assert percentile([0] * 48, 0.5) == 0


def test_latencies_have_a_mean_and_the_bins_that_occurred():
    load = next(x for x in figures().instructions if x.opcode == "ld.global.f32").result
    assert (load.latency.accesses, load.latency.mean_cycles) == (116, 100)
    (only,) = load.latency.histogram
    assert (only.from_cycles, only.to_cycles, only.accesses) == (96, 128, 116)
    assert load.latency.p50_cycles == pytest.approx(112)
    assert load.latency.p99_cycles == pytest.approx(96 + 32 * 0.99)
    unmeasured = replace(small_result().instructions[0], completed=0)
    assert figures(instructions=(unmeasured,)).instructions[0].result.latency is None


# -------------------------------------------------------------------------------------- rates


def test_rates_are_over_the_time_that_was_simulated():
    one = result()
    seconds = 418 / 800e6
    by_name = {rate.resource: rate for rate in one.throughputs}
    assert by_name["L1 bandwidth"].rate == pytest.approx(464 * 32 / seconds / 1e9)
    assert by_name["DRAM bandwidth"].rate == pytest.approx(one.dram_gb_per_s)
    assert one.dram_gb_per_s == pytest.approx(160 * 32 / seconds / 1e9)
    assert by_name["L1 bandwidth"].peak == pytest.approx(2 * 128 * 800e6 / 1e9)
    assert by_name["DRAM bandwidth"].peak == 900
    per_clk = small_plan().machine.number("l2.bytes_per_clk")
    assert by_name["L2 bandwidth"].peak == pytest.approx(per_clk * 0.8)
    issue = by_name["issue slots"]
    assert (issue.rate, issue.peak) == (pytest.approx(178 / 418), 2 * 4)
    for rate in one.throughputs:
        assert rate.fraction == pytest.approx(rate.rate / rate.peak)
    l1 = one.cache("l1")
    assert (l1.level, l1.hit_fraction, l1.bytes) == ("l1", pytest.approx(1 - 200 / 464), 464 * 32)
    assert (one.l2_hit_fraction, one.l2_bytes) == (pytest.approx(0.2), 200 * 32)
    assert one.dram.row_hit_fraction == 0.75


def test_a_sampled_simulation_keeps_rates_to_what_was_simulated():
    plain, (whole,) = result(), _sampled().simulations
    sampled = whole.result
    assert (sampled.sampled, sampled.cycles, sampled.simulated_cycles) == (True, 718, 418)
    assert (sampled.warp_ipc, sampled.dram_gb_per_s) == (plain.warp_ipc, plain.dram_gb_per_s)
    assert sampled.launches[0].cycles == 600
    assert {marks(whole)[k] for k in ("cycles", "warp_ipc", "lines.stall_cycles")} == {"sampled"}


def test_no_launch_takes_no_cycles_and_has_rates_of_zero():
    none = result(launches=())
    assert (none.simulated_cycles, none.warp_ipc, none.dram_gb_per_s) == (0, 0.0, 0.0)


def _sampled():
    return simulate_report("x", [Simulated(small_plan(waves=1), sampled_result())])


def test_shared_memory_without_requests_has_no_wavefronts_per_request():
    assert result().shared_wavefronts_per_request is None
    assert result(shared_requests=4, shared_wavefronts=6).shared_wavefronts_per_request == 1.5


# --------------------------------------------------------------------------------------- time


def test_resident_ctas_are_counted_cycle_by_cycle():
    one = result()
    width, bins = one.timeline.bin_cycles, len(one.timeline.warp_instructions)
    there = np.zeros(bins * width)
    for *_, begin, end in LIVES:
        there[begin:end] += 1
    found = resident(one.ctas, np.ones(len(LIVES), np.int64), bins, width)
    assert found == pytest.approx(there.reshape(bins, width).mean(axis=1))


def test_units_have_a_mean_and_a_variation():
    units = small_result().cta_units
    assert (units.units, units.mean_ipc) == (2, pytest.approx(20 / 150))
    assert units.ipc_coefficient_of_variation == pytest.approx(0)
    changed = replace(units, warp_instructions=(20, 60))
    rates = np.array([20, 60]) / 150
    assert changed.mean_ipc == pytest.approx(rates.mean())
    assert changed.ipc_coefficient_of_variation == pytest.approx(0.5)
    assert SamplingUnits((), (), ()).mean_ipc is None


def test_the_tail_and_each_sm():
    one = result()
    assert (one.tail.begin_cycle, one.tail.cycles, one.tail.adjusted_cycles) == (400, 18, 409)
    assert one.tail_fraction == pytest.approx(18 / 418)
    assert [sm.ctas for sm in one.per_sm] == [3, 4]
    assert sum(sm.warp_ipc for sm in one.per_sm) == pytest.approx(178 / 418)


# ----------------------------------------------------------------------------------- launches


def total(launches, scale):
    caches = (
        SimulatedCache("l1", 10 * scale, 4 * scale, scale, 5 * scale, scale, 0),
        SimulatedCache("l2", 0, 0, 0, 0, 0, 0),
    )
    return Totals(launches, scale, 32 * scale, 100 * scale, caches, 7 * scale, 3 * scale)


def test_a_launch_has_what_was_done_between_its_begin_and_its_end():
    own = alone((total(1, 2), total(2, 5), total(3, 6)), 3)
    assert [x.thread_instructions for x in own] == [64, 96, 32]
    assert [(x.dram_reads, x.dram_writes) for x in own] == [(14, 6), (21, 9), (7, 3)]
    assert [x.cache("l1").accesses for x in own] == [20, 30, 10]
    assert {x.cache("l1").hit_fraction for x in own} == {0.5}
    launches = [replace(x, alone=a) for x, a in zip(small_result().launches, own, strict=True)]
    assert launches[0].thread_ipc == pytest.approx(64 / 300)
    assert launches[2].resident_warps == pytest.approx(100 / 117)


@pytest.mark.parametrize("totals", [(), (total(3, 6),)])
def test_launches_that_ran_at_the_same_time_have_nothing_of_their_own(totals):
    assert list(alone(totals, 3)) == [None] * 3
    for launch in small_result().launches:
        assert launch.thread_ipc is launch.resident_warps is None
        assert launch.warp_ipc is not None


def test_launches_name_their_kernels_streams_and_registers():
    whole = report()
    assert [(x.number, x.kernel) for x in whole.launches] == [(0, 0), (1, 1), (2, 0)]
    assert [k.demangled for k in whole.kernels] == ["scale(float*, int, float)", "sum"]
    found = whole.simulations[0].result
    assert [launch.stream for launch in found.launches] == [0, 7, 0]
    assert (found.occupancy_fraction, found.limiting) == (1, ("warps",))
    assert whole.order == "in 2 streams, as recorded"


# -------------------------------------------------------------------------------------- marks


COUNTED = (
    "warp_instructions", "lines.warp_instructions", "instructions.result.warp_instructions",
    "launches.warp_instructions",
)  # fmt: skip


def test_the_schema_says_what_arrays_hold():
    timeline = schema_of(SimResult)["$defs"]["Timeline"]["properties"]
    kinds = {
        key: timeline[key]["items"]["anyOf"][0]["type"] for key in ("l1_sectors", "resident_warps")
    }
    assert kinds == {"l1_sectors": "integer", "resident_warps": "number"}


def test_what_traces_decide_is_exact_and_what_the_engine_says_modelled():
    found = marks(figures(assumptions=()))
    assert found["timeline.l1_sectors"] == "modelled"
    for key in (*COUNTED, "clock_mhz"):
        assert found[key] == "exact", key
    for key in ("cycles", "time_us", "warp_states.warp_cycles", "lines.stall_cycles", "dram.reads"):
        assert found[key] == "modelled", key


def test_instructions_are_modelled_where_other_ones_are_issued_than_those_of_the_traces():
    found = marks(figures(assumptions=(), issues_as_traced=False))
    for key in COUNTED:
        assert found[key] == "modelled", key


@pytest.mark.parametrize("changes", [{}, {"assumptions": (), "unknown_accesses": 3}])
def test_counts_of_traces_that_assume_are_assumed(changes):
    found = marks(figures(**changes))
    assert {found[key] for key in COUNTED} == {"assumed"}
    assert found["cycles"] == "modelled"


def test_registers_that_no_compiler_counted_are_assumed():
    guess = RegisterCount(16, "a guess", True)
    launches = tuple(replace(launch, registers=guess) for launch in small_result().launches)
    found = marks(figures(launches=launches))
    assert found["launches.occupancy.ctas_per_sm"] == "assumed"
    assert found["launches.occupancy.warps_per_cta"] == "exact"
    assert marks(figures())["launches.occupancy.ctas_per_sm"] == "exact"


def test_machines_that_cannot_be_simulated_are_listed():
    made = simulate_report("x", [simulated()], [("tiny", "it does not fit")])
    assert [(n.machine, n.reason) for n in made.not_simulated] == [("tiny", "it does not fit")]
    assert len(jobs()) == len(made.launches)
