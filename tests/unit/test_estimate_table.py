"""benchmarks/estimate_table.py: its spaces beside the paper's sums, figures from rows by hand."""

import csv
import json
from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod
from statistics import fmean

import pytest

from benchmarks import estimate_table
from benchmarks.estimate_table_parts import page, points, printing, spaces
from benchmarks.estimate_table_parts.estimating import (
    Prepared,
    estimated,
    facts_of,
    prepared,
    trace_lengths,
)
from benchmarks.estimate_table_parts.figures import Course, figures, growth
from benchmarks.estimate_table_parts.points import Stretch, pairs, point_of, stretches
from benchmarks.estimate_table_parts.spaces import GPUS, Line, table_kernel, table_kernels
from warpmill.analyzer.base.toml_source import read_toml_file
from warpmill.analyzer.traces.model import events
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace, trace_source

MEMSET = table_kernel("memset")


# -- the spaces --------------------------------------------------------------------------------


def test_a_space_has_as_many_configurations_as_the_paper():
    for kernel in table_kernels():
        assert kernel.configurations == kernel.paper.configurations
        assert prod(len(set(axis.values)) for axis in kernel.axes) == kernel.configurations


def test_the_table_is_the_papers():
    papers = [kernel.paper for kernel in table_kernels()]
    assert sum(one.configurations for one in papers) == spaces.PAPER_CONFIGURATIONS == 306_558
    assert fmean(one.configurations for one in papers) == pytest.approx(15_327.9)
    assert fmean(one.trace for one in papers) == pytest.approx(4_148.15)
    assert fmean(one.ms for one in papers) == pytest.approx(931.33, abs=0.005)
    means = [fmean(one.errors[place] for one in papers) for place in range(len(GPUS))]
    assert means == pytest.approx([15.39, 21.43, 14.63, 16.71], abs=0.005)


@pytest.mark.parametrize("kernel", table_kernels()[:12:3], ids=lambda kernel: kernel.name)
def test_lines_part_a_space_between_the_gpus(kernel):
    along = len(kernel.along.values)
    lines = list(kernel.lines())
    assert len(lines) * along == kernel.configurations
    assert len({tuple(line.held.items()) for line in lines}) == len(lines)
    shares = Counter(gpu for line in lines for gpu in line.gpus)
    assert set(shares) == set(GPUS)
    assert max(shares.values()) - min(shares.values()) <= 2
    assert all(line.gpus == GPUS for line in kernel.lines(each_gpu=True))


@pytest.mark.parametrize("axis", ["degree", "local"])
def test_every_gpu_has_every_value_of_sizes_that_are_held(axis):
    seen = {(line.gpus[0], line.held[axis]) for line in table_kernel("BFS_1").lines()}
    values = next(a.values for a in table_kernel("BFS_1").axes if a.name == axis)
    assert seen == {(gpu, value) for gpu in GPUS for value in values}


def test_all_corners_of_a_space_can_be_launched():
    for kernel in table_kernels():
        file = kernel.launch_file
        one = Prepared(kernel, prepare(file), read_toml_file(file), 0.0)
        ends = [[(axis.name, axis.values[k]) for k in (0, -1)] for axis in kernel.axes]
        for corner in product(*ends):
            launch = one.launch(dict(corner))
            assert launch.threads_per_cta <= 1024
            assert launch.dynamic_shared_bytes <= 48 << 10
            assert set(launch.sizes) >= set(corner)


# -- estimates ---------------------------------------------------------------------------------


def test_a_configuration_is_estimated_on_each_gpu():
    one = prepared("nearestNeighbor")
    found = estimated(one, {"local": 256, "records": 40_000}, GPUS)
    assert all(answer.us > 0 for answer in found.answers)
    assert found.ms > 0
    again = estimated(one, {"local": 256, "records": 40_000}, GPUS[2:])
    assert again.answers == found.answers[2:]


def test_what_a_gpu_cannot_hold_is_no_estimate():
    # a tile of 100 takes 4 * (101² + 100²) bytes of shared memory, more than the 48 KiB there are
    along = {"size": "symbols", "values": [400, 800], "gpus": ["quadro_k600"]}
    facts = facts_of("nw_kernel1", {"tile": 100}, along)
    assert facts["us"] == {"quadro_k600": [None, None]}
    assert facts["ms"] == facts["trace"] == [None, None]
    assert all("does not fit on quadro_k600" in text for text in facts["cannot_run"]["quadro_k600"])
    assert facts["problem"] == {"quadro_k600": ["", ""]}


def test_a_launch_that_there_cannot_be_is_no_estimate():
    along = {"size": "inputs", "values": [70_000], "gpus": ["quadro_k600", "gtx645"]}
    facts = facts_of("bpnn_adjust_weights", {"height": 1}, along)
    assert facts["ms"] == [None]
    assert all("grid y must be 1 to 65535" in texts[0] for texts in facts["cannot_run"].values())


def test_facts_are_by_configuration_and_gpu():
    along = {"size": "records", "values": [10_000, 40_000], "gpus": list(GPUS[:2])}
    facts = facts_of("nearestNeighbor", {"local": 128}, along)
    assert facts["prepare_ms"] > 0
    assert len(facts["ms"]) == len(facts["trace"]) == 2
    assert all(small < large for small, large in facts["us"].values())
    assert list(facts["us"]) == list(GPUS[:2])


def test_traces_have_the_instructions_that_are_executed():
    one = prepared("kmeans_swap")
    job = one.job.with_launch(one.launch({"features": 3, "local": 64, "points": 192}))
    executed = trace_source(job, TraceOptions("executed"))
    lengths = [len(block.instructions) for block in job.kernel.blocks]
    warps = executed.warps((1, 0, 0))
    counted = sum(lengths[e.block] for warp in warps for e in events(warp))
    length, kept = trace_lengths(job, trace_source(job, TraceOptions("static")))
    assert length == counted / len(warps)
    pruned = trace(job, TraceOptions("static", pruned=True), ctas=[(1, 0, 0)]).summary
    assert kept == pruned.warp_instructions / len(warps) < length


def test_edges_of_a_node_are_trips_of_its_loop():
    few, many = (
        estimated(prepared("BFS_1"), {"degree": n, "local": 64, "nodes": 6000}, GPUS[:1])
        for n in (2, 4)
    )
    assert many.trace > few.trace
    assert many.answers[0].us > few.answers[0].us


# -- points ------------------------------------------------------------------------------------


def test_stretches_are_whole_lines_in_parts():
    kernel = table_kernel("time_step")
    parts = list(points._chosen(kernel, quick=False, each_gpu=False))
    assert sum(len(values) for _, values in parts) == kernel.configurations
    first = [values for line, values in parts if line.held == {"local": 32}]
    assert [len(values) for values in first] == [32, 32, 32]
    assert sum(first, ()) == kernel.along.values


def test_a_quick_run_has_a_few_of_each_kernel_on_each_gpu():
    for kernel in table_kernels():
        parts = list(points._chosen(kernel, quick=True, each_gpu=False))
        assert {line.gpus[0] for line, _ in parts} == set(GPUS)
        assert 12 <= sum(len(values) for _, values in parts) <= 24
        assert all(len(values) >= 2 for _, values in parts)


def test_pairs_lie_in_a_line():
    assert pairs(100) == [16, 49, 82]
    assert all(begin + 1 < number for number in range(7, 50) for begin in pairs(number))


def test_points_differ_by_what_they_follow_from():
    kernel = table_kernel("BFS_1")
    line, *others = kernel.lines()
    one = point_of(kernel, line, [6000])
    assert one.key == point_of(kernel, line, [6000]).key
    other = [
        point_of(kernel, line, [12000]),
        point_of(kernel, others[0], [6000]),
        point_of(kernel, replace(line, gpus=GPUS), [6000]),
        point_of(replace(kernel, assume={}), line, [6000]),
        point_of(table_kernel("BFS_2"), line, [6000]),
    ]
    assert len({one.key, *(point.key for point in other)}) == 6


def test_what_is_known_is_not_estimated_again(tmp_path, monkeypatch):
    first = stretches([MEMSET], tmp_path / "s.db", 1, quick=False, each_gpu=False)
    monkeypatch.setattr(points, "facts_of", None)
    again = stretches([MEMSET], tmp_path / "s.db", 1, quick=False, each_gpu=False)
    assert again == first
    assert sum(len(one.values) for one in first) == 12


# -- figures -----------------------------------------------------------------------------------


def stretch(values, us, *, gpu="quadro_k620", ms=2.0, local=64, **more):
    """A stretch of memset; a time that is None is one that the GPU cannot run."""
    known = [one is not None for one in us]
    traces = [tuple(length if one else None for one in known) for length in (15.0, 3.0)]
    return Stretch(
        MEMSET, Line({"local": local}, (gpu,)), tuple(values), 6.0,
        tuple(ms if one else None for one in known), *traces,
        {gpu: us}, {gpu: more.get("cannot_run", ["" if one else "too much" for one in known])},
        {gpu: more.get("problem", [""] * len(us))},
    )  # fmt: skip


BYTES = MEMSET.along.values


def test_the_time_of_an_estimate_has_its_share_of_the_analysis():
    found = figures([stretch(BYTES, [1.0, 2.0, 3.0]), stretch(BYTES, [1.0, None, 3.0], local=128)])
    (one,) = found["kernels"]
    assert one["estimates"] == 5
    assert one["configurations"] == 6
    assert one["cannot_run"] == 1
    assert one["reasons"] == {"too much": 1}
    assert one["time_per_estimate_ms"] == pytest.approx(2.0 + 6.0 / 5)
    assert found["time_per_estimate_ms"] == one["time_per_estimate_ms"]
    assert one["cpu_s"] == pytest.approx(16.0 / 1e3)
    assert (one["trace"], one["kept_trace"]) == (15.0, 3.0)
    assert one["gpus"]["quadro_k620"] == {
        "estimates": 5, "least_us": 1.0, "median_us": 2.0, "most_us": 3.0,
    }  # fmt: skip
    assert one["gpus"]["gtx645"]["estimates"] == 0


def test_the_mean_is_over_kernels_not_over_estimates():
    other = replace(stretch([40_000], [5.0], ms=20.0), kernel=table_kernel("nearestNeighbor"))
    found = figures([stretch(BYTES, [1.0, 2.0, 3.0]), other])
    assert found["time_per_estimate_ms"] == pytest.approx(fmean([2.0 + 2.0, 20.0 + 6.0]))
    assert found["time_of_all_ms"] == pytest.approx((6 + 6 + 20 + 6) / 4)
    assert found["times_faster"] == pytest.approx((7.081 / 4 * 6.03 / 26) ** 0.5)
    assert found["slower"] == ["nearestNeighbor"]
    assert found["whole_cpu_s"] == pytest.approx((12 * 4.0 + 66 * 26.0) / 1e3)


def test_problems_are_told_apart_from_what_cannot_run():
    one = stretch(BYTES, [1.0, None, 3.0], cannot_run=[""] * 3, problem=["", "odd", ""])
    found = figures([one])
    assert (found["cannot_run"], found["problems"]) == (0, 1)
    assert found["kernels"][0]["problem_reasons"] == {"odd": 1}


def test_neighbours_grow_or_fall():
    found = growth([Course("a", (4.0, 4.0, 2.0, 3.0)), Course("b", (5.0, None, 1.0))])
    assert found == {
        "pairs": 3, "grows": 2, "grows_percent": pytest.approx(200 / 3),
        "largest_fall_percent": 50.0,
    }  # fmt: skip


def test_neighbours_are_in_one_line_also_over_stretches():
    parts = [stretch(BYTES[:1], [1.0]), stretch(BYTES[1:], [2.0, 3.0])]
    parts += [stretch(BYTES, [9.0, 8.0, 7.0], local=128)]
    one = figures(parts)["kernels"][0]
    assert (one["pairs"], one["grows"]) == (4, 2)
    apart = [stretch(BYTES[:1], [1.0]), stretch(BYTES[2:], [3.0])]
    assert figures(apart)["kernels"][0]["pairs"] == 0


def test_without_any_estimate_nothing_is_known():
    found = figures([stretch(BYTES, [None] * 3)])
    assert found["time_per_estimate_ms"] is None
    assert found["kernels"][0]["grows_percent"] is None
    assert list(printing.table(found))


# -- what is written ---------------------------------------------------------------------------


@pytest.fixture
def result():
    """A result of two lines of one kernel."""
    found = figures([stretch(BYTES, [1.0, 2.0, 3.0]), stretch(BYTES, [1.0, None, 3.0], local=128)])
    computer = {"processor": "a processor", "python": "3"}
    return {**found, "each_gpu": False, "quick": False, "computer": computer, "date": "today"}


def test_the_page_has_the_figures(result):
    text = page.page(result)
    assert "| cfd | memset | 6 | 5 | 1 | 15 | 3 | 2 | 3.20 |" in text
    assert "| memset | `bytes` | 2 | 100.0 % | 0.0 % |" in text
    assert "| memset | 4 `local` 64…256 × 3 `bytes` 388184…1940920 | 12 |" in text
    assert "| memset | 1 | too much |" in text
    assert "1.00 / 2.00 / 3.00" in text
    assert "306,558" in text
    assert "\n\n\n" not in text


def test_rows_are_written_as_csv(tmp_path):
    path = tmp_path / "rows.csv"
    printing.write_rows(path, [stretch(BYTES, [1.0, None, 3.0])])
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert [row["predicted_us"] for row in rows] == ["1.0", "", "3.0"]
    assert rows[0]["configuration"] == "local=64 bytes=388184"
    assert rows[1]["cannot_run"] == "too much"


def test_the_whole_takes_no_part():
    with pytest.raises(SystemExit):
        estimate_table.main(["--fresh", "--quick"])


def test_there_is_no_page_of_a_part(monkeypatch):
    monkeypatch.setattr(estimate_table, "_kept", lambda: {"unfinished": ["memset"]})
    monkeypatch.setattr(page, "write", lambda *_: pytest.fail("the page was written"))
    with pytest.raises(SystemExit, match="of all kernels"):
        estimate_table.main(["--docs"])


def test_a_kernel_that_is_not_there_is_said(tmp_path, capsys):
    with pytest.raises(SystemExit, match="nothing here is named nothing"):
        estimate_table.main(["--only", "nothing", "--store", str(tmp_path / "s.db")])


def test_some_are_estimated_and_printed(tmp_path, capsys):
    store, rows = tmp_path / "s.db", tmp_path / "rows.csv"
    words = [
        "--only",
        "memset",
        "--quick",
        "--json",
        "--store",
        str(store),
        "--rows-out",
        str(rows),
    ]
    estimate_table.main(words)
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["estimates"] == 12
    assert [one["name"] for one in result["kernels"]] == ["memset"]
    assert len(rows.read_text().splitlines()) == 13
