"""How a simulation is shown: the page, GPGPU-Sim's words, CSV."""

import csv
import io
import re
from dataclasses import replace

import pytest

from tests.timing.simulated_kernels import instruction, jobs, simulated, small_plan
from tests.timing.simulation_results import sampled_result
from warpmill.cli.progress import time_left
from warpmill.commands.simulate.exports import gpgpusim_text
from warpmill.commands.simulate.result import simulate_report
from warpmill.commands.simulate.table import COLUMNS
from warpmill.report.page import Style
from warpmill.report.text import render
from warpmill.session.simulations import Done, Simulated
from warpmill.simulator.gpu.result_parts import SimulatedCache, Totals, alone


def report(options=None, **changes):
    return simulate_report("kernels.ptx", [simulated(options, **changes)])


def page(verbose=False, **changes):
    return render(report(**changes), "text", Style(verbose, 80))


def section(text, title):
    """The lines of a section, split into words."""
    lines = text.splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith(title))
    rest = lines[first + 1 :]
    return [re.split(r"\s{2,}", line.strip()) for line in rest[: rest.index("")]]


def test_the_page_has_its_sections_in_order():
    titles = [line for line in page().splitlines() if line and line[0] not in " ~"]
    begins = (
        "simulate: 3 launches of 2 kernels on two_sms", "GPU Speed of Light", "Memory workload",
        "Occupancy", "Rules", "Warp state statistics", "Source counters", "Caches",
        "Latency of memory", "Launches", "Over time", "Tail", "Assumptions and provenance",
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
    heading = next(x for x in page().splitlines() if x.startswith("GPU Speed of Light"))
    assert heading.endswith("(modelled; ? assumed)")
    rows = dict(section(page(), "GPU Speed of Light"))
    assert (rows["Elapsed cycles"], rows["Executed instructions"]) == ("418", "178?")
    assert "\nCaches  (modelled)\n" in page()
    exact = dict(section(page(assumptions=()), "GPU Speed of Light"))
    assert exact["Executed instructions"] == "178="
    assert exact["DRAM bandwidth"] == "1.1% of 900 GB/s"


def test_the_answer_comes_first():
    lines = page().splitlines()
    assert lines[lines.index("", 1) + 1].startswith("  0.5225 µs on ")


def test_states_are_ranked_and_each_has_words():
    rows = section(page(), "Warp state statistics")[1:]
    assert [row[0] for row in rows][:3] == ["Stall Long Scoreboard", "Stall Wait", "Selected"]
    assert rows[0][1:3] == ["1,541", "76.9%"]
    assert rows[2] == ["Selected", "178", "8.9%", "none: it issues"]


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
    shown = section(text, "Source counters")
    assert len([row for row in shown if row[-1] == "Stall Wait"]) == 10
    assert f"and {len(lines) - 10} more (--verbose)" in text
    everything = page(verbose=True, instructions=tuple(rows))
    assert "more (--verbose)" not in everything
    for more in ("Source counters by basic block", "SMs  ("):
        assert more in everything


def test_functions_are_shown_where_some_were_inlined():
    rows = (instruction(0, 0, selected=2, wait=5), instruction(1, 1, selected=2, wait=30))
    (_, double, kernel) = section(page(instructions=rows), "Source counters by function")
    assert double[:2] == ["double(float)", "1="]
    assert kernel[:2] == ["sum", "0="]
    assert "by function" not in page()


def test_shared_memory_is_told_where_it_was_used():
    assert "Shared memory" not in page()
    rows = dict(section(page(shared_requests=4, shared_wavefronts=6), "Memory workload"))
    assert rows["Shared memory"] == "4 requests, 6 wavefronts, 0 bank conflicts"


def test_stretches_of_time_add_up_to_the_whole():
    rows = [row for row in section(page(), "Over time") if len(row) > 4 and row[1] != "IPC"]
    begins = [int(row[0].replace(",", "")) for row in rows]
    issued = sum(
        float(row[1]) * (end - begin)
        for row, begin, end in zip(rows, begins, [*begins[1:], 418], strict=True)
    )
    assert issued == pytest.approx(178, rel=1e-3)


def test_launches_that_ran_alone_have_hit_rates():
    assert "L1 hit" not in page()
    launches = with_totals().launches
    text = render(report(launches=launches), "text", Style(width=120))
    rows = section(text, "Launches")
    assert rows[-1][-2:] == ["50.0%", "-"]


def with_totals():
    """The result with what each launch did alone."""

    def one(n):
        l1 = SimulatedCache("l1", 10 * n, 4 * n, n, 5 * n, 0, 0)
        l2 = SimulatedCache("l2", 0, 0, 0, 0, 0, 0)
        return Totals(n, n, 32 * n, 100 * n, (l1, l2), 7 * n, 3 * n)

    result = simulated().result
    own = alone(tuple(map(one, (1, 2, 3))), 3)
    both = zip(result.launches, own, strict=True)
    return replace(result, launches=tuple(replace(x, alone=a) for x, a in both))


def test_a_sampled_simulation_says_so():
    done = Simulated(small_plan(waves=2), sampled_result())
    text = render(simulate_report("x", [done]), "text", Style(width=80))
    assert "2 waves of CTAs of each launch, extrapolated linearly" in text
    rows = dict(section(text, "GPU Speed of Light"))
    assert rows["Simulated cycles"] == "418; all below is of them"
    assert (rows["Duration (µs)"], rows["Elapsed cycles"]) == ("0.8975", "718")
    assert gpgpusim_text(simulate_report("x", [done])).splitlines()[1].startswith("# cycles are")


def test_machines_stand_side_by_side():
    made = simulate_report("x", [simulated(), simulated(machine="another")])
    rows = section(render(made, "text", Style(width=80)), "GPU Speed of Light")
    assert rows[0] == ["two_sms", "another"]
    assert ["Elapsed cycles", "418", "418"] in rows


def test_options_and_machines_that_failed_are_told():
    options = {"keep_l1": True, "flush_l2": True, "l2": "warm"}
    made = simulate_report(
        "x", [simulated(options)], [("tiny", "too small")], overrides={"sm.count": 2}
    )
    text = " ".join(render(made, "text", Style(width=80)).split())
    assert "L2 begins with what it can hold of the buffers" in text
    assert "between launches kept in caches: L1" in text
    assert "set sm.count = 2" in text
    assert "tiny not simulated: too small" in text


# --------------------------------------------------------------------------------- GPGPU-Sim


def blocks(text):
    """The values of each launch by name."""
    found = []
    for line in text.splitlines():
        name, equals, value = line.partition(" = ")
        if name == "kernel_name":
            found.append({})
        if equals:
            found[-1][name.strip()] = value.strip()
    return found


def test_gpgpusim_s_names_have_a_block_for_each_launch():
    first, second, third = blocks(gpgpusim_text(report(launches=with_totals().launches)))
    assert (first["kernel_name"], first["kernel_launch_uid"]) == ("_Z5scalePfif", "1")
    assert (second["kernel_name"], second["kernel_stream_id"]) == ("sum", "7")
    assert (first["gpu_sim_cycle"], first["gpu_tot_sim_cycle"]) == ("300", "300")
    assert (third["gpu_sim_cycle"], third["gpu_tot_sim_cycle"]) == ("117", "607")
    assert (third["gpu_sim_insn"], third["gpu_tot_sim_insn"]) == ("32", "96")
    assert float(third["gpu_tot_ipc"]) == pytest.approx(96 / 607, abs=1e-4)
    assert third["gpu_tot_issued_cta"] == "7"
    assert float(third["gpu_occupancy"].rstrip("%")) == pytest.approx(
        100 * 100 / 117 / (2 * 4), abs=1e-3
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
        "total", "rate", "cache", "dram", "tail", "event", "launch", "stall", "line", "block",
        "function", "instruction", "sm", "time", "unit of instructions", "unit of a CTA's life",
    }  # fmt: skip
    by_key = {(r["kind"], r["name"], r["key"]): r for r in rows if r["key"]}
    assert by_key["total", "", "cycles"]["value"] == "418.0"
    assert by_key["total", "", "warp_instructions"]["mark"] == "assumed"
    hits = by_key["cache", "l1", "hits"]
    assert (hits["value"], hits["mark"]) == ("232", "modelled")
    assert by_key["total", "", "dram_gb_per_s"]["unit"] == "GB/s"
    assert by_key["total", "", "warp_slots_per_sm"]["mark"] == "exact"
    assert by_key["rate", "dram_bandwidth", "peak"]["value"] == "900.0"
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
