"""How a simulation is shown: the page, GPGPU-Sim's words, CSV."""

import csv
import io
import re
from dataclasses import replace

import pytest

from tests.unit.simulated_kernels import instruction, jobs, simulated, small_plan
from tests.unit.simulation_results import sampled_result
from warpmill.cli.progress import time_left
from warpmill.commands.simulate.gpgpusim import gpgpusim_text
from warpmill.commands.simulate.result import simulate_report
from warpmill.commands.simulate.table import COLUMNS
from warpmill.report.render import render
from warpmill.report.style import Style
from warpmill.session.simulations import Done, Simulated
from warpmill.simulator.gpu.fields import REASONS
from warpmill.simulator.gpu.result_parts import DramResult, SimulatedCache, Totals
from warpmill.simulator.resources import WARP_STATES


def report(options=None, **changes):
    return simulate_report("kernels.ptx", [simulated(options, **changes)])


def page(verbose=False, **changes):
    return render(report(**changes), "text", Style(verbose, 80))


def section(text, title):
    """Give the lines of a section, split into words."""
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith(title))
    rest = lines[first + 1 :]
    return [re.split(r"\s{2,}", line.strip()) for line in rest[: rest.index("")]]


def test_the_page_has_its_sections_in_order():
    titles = [line for line in page().splitlines() if line and line[0] not in " ~"]
    begins = (
        "simulate: 3 launches of 2 kernels on two_sms", "summary", "utilization",
        "warp stall reasons", "lines: 3", "memory", "latency of memory", "occupancy", "over time",
        "launches: 3", "tail", "units for sampling", "assumptions and provenance",
    )  # fmt: skip
    assert len(titles) == len(begins)
    for title, begin in zip(titles, begins, strict=True):
        assert title.startswith(begin)


@pytest.mark.parametrize("verbose", [False, True])
def test_lines_fit_and_are_not_cut(verbose):
    text = page(verbose)
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text


def test_figures_are_marked():
    text = page(assumptions=())
    assert "418~ cycles at 800 MHz" in text
    assert "178 by warps, 5,696 by threads" in text
    assert "178? by warps" in page()


def test_reasons_are_ranked_and_each_has_words():
    rows = [row for row in section(page(), "warp stall reasons")[1:] if len(row) == 4]
    assert [row[0] for row in rows][:3] == ["Stall Long Scoreboard", "Stall Wait", "Selected"]
    assert rows[0][1:3] == ["1,541~", "76.9%~"]
    assert rows[2] == ["Selected", "178~", "8.9%~", "none: it issues"]
    shown = {row[0] for row in section(page(verbose=True), "warp stall reasons")}
    assert shown >= {WARP_STATES[reason] for reason in REASONS}


def test_the_first_lines_are_shown_and_all_on_request():
    rows = [
        instruction(block.id, place, kernel, selected=1, wait=100 * block.id + place)
        for kernel, job in enumerate(jobs()[:2])
        for block in job.kernel.blocks
        for place in range(len(block.instructions))
    ]
    lines = report(instructions=tuple(rows)).simulations[0].lines
    assert len(lines) > 10
    text = page(instructions=tuple(rows))
    shown = section(text, f"lines: {len(lines)}")
    assert len([row for row in shown if row[-1] == "Stall Wait"]) == 10
    assert f"and {len(lines) - 10} more (--verbose)" in text
    everything = page(verbose=True, instructions=tuple(rows))
    assert "more (--verbose)" not in everything
    for more in ("blocks: 7", "SMs: 2 SMs", "events of an energy model"):
        assert more in everything


def test_functions_are_shown_where_some_were_inlined():
    rows = (instruction(0, 0, selected=2, wait=5), instruction(1, 1, selected=2, wait=30))
    (header, double, kernel) = section(page(instructions=rows), "functions: 2")
    assert header[:2] == ["function", "copies"]
    assert double[:2] == ["double(float)", "1"]
    assert kernel[:2] == ["sum", "the kernel"]
    assert "functions" not in page()


def test_dram_and_shared_memory_are_told_where_they_were_used():
    text = page()
    assert "160~ sectors read, 0~ written: 5,120 B~, 9.799~ GB/s" in text
    assert "shared memory" not in text.split("latency")[0].split("memory\n")[1]
    none = page(dram=DramResult(0, 0, 0, 0, 0.0, None), shared_accesses=4, shared_passes=6)
    assert "no access" in none
    assert "4~ accesses of warps in 6~ wavefronts" in none


def test_stretches_of_time_add_up_to_the_whole():
    rows = section(page(), "over time")[1:-1]
    ends = [int(row[0].replace(",", "")) for row in rows[1:]] + [418]
    begins = [int(row[0].replace(",", "")) for row in rows]
    issued = sum(
        float(row[1].rstrip("~")) * (end - begin)
        for row, begin, end in zip(rows, begins, ends, strict=True)
    )
    assert issued == pytest.approx(178, rel=1e-3)


def test_launches_have_streams_or_hit_rates():
    assert section(page(), "launches: 3")[0][-1] == "stream"
    serial = tuple(replace(work, stream=0) for work in small_plan().works)
    made = replace(small_plan(), works=serial)
    plain = simulate_report("x", [Simulated(made, simulated(totals=totals()).result)])
    rows = section(render(plain, "text", Style(width=100)), "launches: 3")
    assert rows[0][-2:] == ["L1", "L2"]
    assert rows[-2][-2:] == ["50.0%~", "-"]


def totals():
    def one(n):
        l1 = SimulatedCache("l1", 10 * n, 4 * n, n, 5 * n, 0, 0)
        return Totals(
            n, n, 32 * n, 100 * n, (l1, SimulatedCache("l2", 0, 0, 0, 0, 0, 0)), 7 * n, 3 * n
        )

    return tuple(one(n) for n in (1, 2, 3))


def test_a_sampled_simulation_says_so():
    done = Simulated(small_plan(waves=2), sampled_result())
    text = render(simulate_report("x", [done]), "text", Style(width=80))
    assert "2 waves of CTAs of each launch, continued in a line" in text
    assert "418≈ of these cycles; all below is of them" in text
    assert "0.8975≈ µs: 718≈ cycles" in text
    assert gpgpusim_text(simulate_report("x", [done])).splitlines()[1].startswith("# cycles are")


def test_options_and_machines_that_failed_are_told():
    options = {"keep_l1": True, "flush_l2": True, "l2": "warm"}
    made = simulate_report(
        "x", [simulated(options)], [("tiny", "too small")], overrides={"sm.count": 2}
    )
    text = " ".join(render(made, "text", Style(width=80)).split())
    assert "L2 begins with what it can hold of the buffers; kept from launch to launch: L1" in text
    assert "set sm.count = 2" in text
    assert "tiny not simulated: too small" in text


# --------------------------------------------------------------------------------- GPGPU-Sim


def blocks(text):
    """Give the values of each launch by name."""
    found = []
    for line in text.splitlines():
        name, equals, value = line.partition(" = ")
        if name == "kernel_name":
            found.append({})
        if equals:
            found[-1][name.strip()] = value.strip()
    return found


def test_gpgpusim_s_names_have_a_block_for_each_launch():
    first, second, third = blocks(gpgpusim_text(report(totals=totals())))
    assert (first["kernel_name"], first["kernel_launch_uid"]) == ("_Z5scalePfif", "1")
    assert (second["kernel_name"], second["kernel_stream_id"]) == ("sum", "7")
    assert (first["gpu_sim_cycle"], first["gpu_tot_sim_cycle"]) == ("300", "300")
    assert (third["gpu_sim_cycle"], third["gpu_tot_sim_cycle"]) == ("117", "607")
    assert (third["gpu_sim_insn"], third["gpu_tot_sim_insn"]) == ("32", "96")
    assert float(third["gpu_tot_ipc"]) == pytest.approx(96 / 607, abs=1e-4)
    assert third["gpu_tot_issued_cta"] == "7"
    assert float(third["gpu_occupancy"].rstrip("%")) == pytest.approx(
        100 * 100 / 117 / (2 * 64), abs=1e-3
    )
    assert third["L1D_total_cache_accesses"] == "30"
    assert third["L1D_total_cache_misses"] == "15"
    assert third["L1D_total_cache_miss_rate"] == "0.5000"
    assert third["L1D_total_cache_pending_hits"] == "3"
    assert "L2_total_cache_accesses" not in third
    assert (third["total dram reads"], third["total dram writes"]) == ("21", "9")
    assert (third["gpgpu_n_load_insn"], third["gpgpu_n_shmem_insn"]) == (str(32 * 116), "0")
    assert third["gpgpu_n_tot_w_icount"] == "178"
    assert "gpgpu_n_load_insn" not in first


def test_gpgpusim_s_names_stand_only_for_what_is_known():
    found = blocks(gpgpusim_text(report()))
    assert len(found) == 3
    for block in found:
        assert "gpu_sim_cycle" in block
        assert not {"gpu_sim_insn", "gpu_ipc", "gpu_occupancy", "total dram reads"} & set(block)


# --------------------------------------------------------------------------------------- CSV


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_a_row_for_each_thing():
    rows = rows_of(render(report(), "csv"))
    assert tuple(rows[0]) == COLUMNS
    kinds = {row["kind"] for row in rows}
    assert kinds == {
        "total", "rate", "cache", "issue", "occupancy", "moved", "dram", "shared", "tail", "event",
        "launch", "stall", "line", "block", "function", "instruction", "sm", "time",
        "unit of instructions", "unit of a CTA's life",
    }  # fmt: skip
    by_key = {(r["kind"], r["name"], r["key"]): r for r in rows if r["key"]}
    assert by_key["total", "", "cycles"]["value"] == "418.0"
    assert by_key["total", "", "warp_instructions"]["mark"] == "assumed"
    hits = by_key["cache", "l1", "hits"]
    assert (hits["value"], hits["mark"]) == ("232", "modelled")
    assert by_key["dram", "", "gb_per_s"]["unit"] == "GB/s"
    assert by_key["occupancy", "", "warps_per_sm"]["mark"] == "exact"
    (load,) = [r for r in rows if r["kind"] == "instruction" and r["name"] == "ld.global.f32"]
    assert (load["long_scoreboard"], load["sectors"], load["p50_cycles"]) == (
        "1541",
        "464",
        "112.0",
    )
    lines = [r for r in rows if r["kind"] == "line"]
    assert [r["stall_cycles"] for r in lines] == ["1741", "73", "12"]
    launches = [r for r in rows if r["kind"] == "launch"]
    assert [(r["launch"], r["grid"], r["ctas"]) for r in launches] == [
        ("0", "4 x 1 x 1", "4"), ("1", "1 x 1 x 1", "1"), ("2", "2 x 1 x 1", "2"),
    ]  # fmt: skip
    assert all(row["mark"] for row in rows)


def test_csv_names_machines_that_failed():
    made = simulate_report("x", [simulated()], [("tiny", "too small")])
    last = rows_of(render(made, "csv"))[-1]
    assert (last["machine"], last["kind"], last["reason"]) == ("tiny", "not simulated", "too small")


# ----------------------------------------------------------------------------------- progress


def test_the_time_left_is_that_of_what_was_done():
    assert Done(0.0, 100, 5.0).seconds_left is None
    assert Done(0.25, 100, 10.0).seconds_left == 30
    assert Done(1.0, 100, 10.0).seconds_left == 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (None, "time left unknown"),
        (0.2, "about 1 s left"),
        (119, "about 119 s left"),
        (150, "about 2 min left"),
        (3 * 3600, "about 3 h left"),
    ],
)
def test_words_for_the_time_left(seconds, words):
    assert time_left(seconds) == words
