"""Figures of benchmarks/static from rows by hand; what is read of ptxas and of samples' records."""

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.frontend_inputs.assembler import chip_of
from warpmill.benchmarks.frontend_inputs.build import Input
from warpmill.benchmarks.static import (
    BENCHMARK,
    RegisterPair,
    SpillCase,
    StaticResult,
    TracedLaunch,
    errors_of,
    measuring,
    pairs_of,
)
from warpmill.benchmarks.static.registers import read_counts, recorded_counts, rows_of

ROW = RegisterPair(producer="nvcc", file="nvcc.a.sm_80.ptx", kernel="k", target="sm_80",
                   flavour="plain", estimated=12, ptxas=10)  # fmt: skip
SAID = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for helper
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z1aPf
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Function properties for b
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers
"""


def test_counts_are_read_by_kernel():
    assert read_counts(SAID) == {"_Z1aPf": 20, "b": 8}


def test_texts_for_old_chips_are_assembled_for_the_oldest_that_ptxas_has():
    assert chip_of(".version 6.0\n.target sm_50\n") == "sm_75"
    assert chip_of(".target sm_90a\n") == "sm_90a"
    assert chip_of("nothing") is None


def test_a_kernel_counts_once_for_a_target_and_plain_text_first():
    lines = replace(ROW, file="nvcc.a.lines.sm_80.ptx", flavour="lines", estimated=99)
    other = replace(ROW, target="sm_90")
    assert pairs_of([lines, ROW, other]) == (ROW, other)


def test_errors_are_relative_and_without_sign():
    found = errors_of("g", [ROW, replace(ROW, estimated=9), replace(ROW, estimated=10)])
    assert (found.pairs, found.median, found.within) == (3, pytest.approx(0.1), 2 / 3)


def test_debug_texts_llvm_and_the_half_put_aside_stand_apart():
    aside = replace(ROW, kernel="e", estimated=10)
    assert aside.is_put_aside is not ROW.is_put_aside
    debug = replace(ROW, file="nvcc.z.debug.ptx", flavour="debug", estimated=100)
    llvm = replace(ROW, flavour="llvm", estimated=11)
    found = StaticResult(failures=(), register_rows=(ROW, aside, debug, llvm))
    by_group = {one.group: one for one in found.registers}
    assert found.registers_pairs == 2
    assert by_group["unoptimised, apart"].median == 9.0
    assert by_group["LLVM IR, apart"].median == pytest.approx(0.1)
    halves = [by_group["half put aside"].median, by_group["fitted half"].median]
    assert sorted(halves) == [0.0, pytest.approx(0.2)]
    verdicts = {g.what: g.verdict for g in BENCHMARK.judged(Measured(found, {}))}
    assert verdicts["registers beside ptxas: pairs"] == "MISSED"
    assert StaticResult(failures=()).registers_median_error is None
    assert "nvcc.a.sm_80.ptx" in BENCHMARK.text(Measured(found, {}))


def test_spills_agree_where_both_spill_or_neither():
    sizes = ((0, 0), (8, 4), (8, 16), (0, 4), (8, 0))
    cases = [SpillCase(kernel="k", limit=32, ptxas=a, modelled=b) for a, b in sizes]
    found = StaticResult(failures=(), spills=tuple(cases))
    assert (found.spill_cases, found.spill_agreed, found.spill_model_alone) == (5, 3, 1)
    assert found.spill_bytes_ratio_median == pytest.approx(1.25)


def test_traces_are_summed_over_launches():
    row = TracedLaunch(file="f", kernel="k", threads=1, events=300, trees=1, warp_instructions=100,
                       seconds=1.0, file_bytes=10, unfolded_per_s=50.0)  # fmt: skip
    found = StaticResult(failures=(), trace_rows=(row, replace(row, events=100, seconds=3.0)))
    assert found.trace_events_per_s == 100.0
    assert (found.ratio_to_unfolding, found.trace_set_s, found.trace_set_worst_s) == (2.0, 2.0, 3.0)
    assert found.trace_bytes_per_dynamic_instruction == 0.1


@pytest.mark.parametrize("changed", [False, True])
def test_a_sample_counts_as_long_as_its_record_is_of_this_text(tmp_path, changed):
    sample = Path("samples/vecadd")
    for name in ("vecadd.sm_80.ptx", "artefacts.json"):
        (tmp_path / name).write_bytes((sample / name).read_bytes())
    module = tmp_path / "vecadd.sm_80.ptx"
    if changed:
        module.write_text(module.read_text() + "\n")
    assert recorded_counts(module)["vecadd"].get("sm_80", 0) == (0 if changed else 12)
    assert recorded_counts(tmp_path / "absent.ptx") == {}


def test_rows_of_a_sample_and_a_traced_launch(monkeypatch):
    rows, problem = rows_of(Input(Path("samples/vecadd/vecadd.sm_80.ptx"), "samples", "plain"))
    assert problem == ""
    assert {row.kernel for row in rows} == {"vecadd"}
    assert all(abs(row.error) < 0.5 for row in rows)
    monkeypatch.setattr(measuring, "THREADS", 512)
    (job,) = [job for job in measuring.jobs("launch.toml") if job.kernel.name == "vecadd"]
    monkeypatch.setattr(measuring, "jobs", lambda _: [job])
    (row,) = measuring.measure(Request(names=("traces",))).trace_rows
    assert row.threads == 512
    assert row.warp_instructions >= row.events > 0
