"""The benchmark of workloads: figures of rows, groups of opcodes, the page and its pictures."""

from dataclasses import replace

import pytest

from warpmill.analyzer.ir.types import OpClass
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.workloads import (
    BENCHMARK,
    CALLS,
    GROUPS,
    LANES,
    Application,
    Run,
    Size,
    WorkloadsResult,
)
from warpmill.benchmarks.workloads import measuring as module
from warpmill.session.workloads import workloads

GROUP_SHARES = dict(zip(sorted(GROUPS), (0.7, 0.2, 0.05, 0.03, 0.02), strict=True))
"""In the order that a study keeps them in: computation, control, logic, move, send."""


def run(workload, preset, **more):
    return Run(workload=workload, preset=preset, area="graphics", right=True, launches=9, ctas=90,
               threads=2048, warp_instructions=800, thread_instructions=20_480, static_blocks=7,
               branch_share=0.125, memory_share=0.25, lane_utilization=0.5, memory_divergence=2.0,
               bank_conflict_share=None,
               main={"launches": 9, "ctas": 2331, "threads_per_cta": 64}, **more)  # fmt: skip


APPLICATION = Application(
    application="Processor GPU", target="arithmetic-stress:paper-gtpin", right=True, launches=4,
    kernels=2, intervals=3, calls=dict(zip(CALLS, (0.5, 0.3, 0.2), strict=True)), static_blocks=9,
    block_executions=90, warp_instructions=60_000_000, groups=GROUP_SHARES,
    lanes=dict.fromkeys(LANES, 0.2), bytes_read=8,
    bytes_written=16, differing=("k",),
)  # fmt: skip


def result():
    rows = (run("ray", "small"), run("mst", "paper-tbpoint"), run("matmul", "paper-stargazer"),
            run("matmul", "paper-minibench", name="MM"))  # fmt: skip
    other = replace(APPLICATION, application="Other", right=False, warp_instructions=900,
                    groups={**GROUP_SHARES, "computation": 0.1, "move": 0.63})  # fmt: skip
    return WorkloadsResult(
        rows=rows,
        targets=tuple(t for name in ("mst", "matmul") for t in module.targets(name, rows)),
        figure_7=(Size(workload="nw", sizes="symbols 128", threads=128, ipc=0.16),),
        figure_13=(57600, 51200, 6400),
        applications=(other, APPLICATION),
    )


def test_figures_of_the_whole():
    found = result()
    assert (found.wrong, found.beyond) == (1, 1)
    assert found.rows[0].per_thread == 10.0
    assert found.mean_groups["computation"] == pytest.approx(40.0)
    assert found.most_computation == pytest.approx(70.0)
    # mst has 9 launches of 2331 CTAs, matmul 64 threads a CTA and far more instructions
    assert [(t.workload, t.figure, t.within) for t in found.targets] == [
        ("mst", "launches", True), ("mst", "CTAs", True),
        ("matmul", "thread instructions", False), ("matmul", "threads a CTA", True),
    ]  # fmt: skip
    assert found.missed == 1
    assert WorkloadsResult(rows=found.rows).missed is None


def test_every_class_of_operation_is_in_one_group():
    names = [name for each in module.OF_CLASS.values() for name in each]
    assert sorted(names) == sorted(one.name for one in OpClass)
    assert tuple(module.OF_CLASS) == GROUPS


def test_launches_differ_from_a_fifth_of_the_largest_on():
    assert not module.differ([100, 80])
    assert module.differ([100, 79, 100])
    assert not module.differ([0, 0])


def test_a_tiny_workload_is_run():
    found = module.measure(Request(names=("lps",), quick=True))
    (row,) = found.rows
    assert (row.workload, row.preset, row.right) == ("lps", "tiny", True)
    assert row.area == workloads()["lps"].form.area
    assert 0 < row.branch_share < row.lane_utilization <= 1
    assert row.warp_instructions <= row.thread_instructions <= 32 * row.warp_instructions
    assert found.targets == found.applications == ()


def test_everything_of_a_paper_is_wanted():
    julia = [own for what, own in module.points(["julia"], quick=False)
             if what is module.characterised]  # fmt: skip
    assert [name for name, *_ in julia] == ["Throughput Juliaset"]
    nw = list(module.points(["nw"], quick=False))
    assert sum(what is module.simulated for what, _ in nw) == 4
    presets = {own[1] for what, own in nw if what is module.executed}
    assert {"small", "paper-minibench", "paper-stargazer"} <= presets


def test_the_page_and_its_pictures(tmp_path):
    found = Measured(result(), {"computer": {"processor": "a CPU", "python": "3"}})
    BENCHMARK.write(found, tmp_path)
    text = (tmp_path / "workloads.md").read_text("utf-8")
    assert "| MM | matmul | yes | 9 | 2,048 | 10.0 | 20,480 | 7 | 12.5% |" in text
    assert "| mst | TBPoint | CTAs | 2,331 | 2,331 | +0.0 % | yes |" in text
    assert "here 57,600, 51,200, 6,400." in text
    starts = ("| application | kernel |", "| Processor GPU | 50% |")
    lines = text.splitlines()
    header, stress = (next(line for line in lines if line.startswith(own)) for own in starts)
    shares = dict(zip(header.split("|"), stress.split("|"), strict=True))
    assert shares[" computation "] == " 70.0% "
    assert shares[" move "] == " 3.0% "
    named = {part.split(")")[0] for part in text.split("](workloads/")[1:]}
    assert named == {path.name for path in (tmp_path / "workloads").iterdir()}
    assert len(named) == 6
