"""benchmarks/estimate_table: its spaces beside the paper's sums, figures from rows by hand."""

from collections import Counter
from dataclasses import replace
from itertools import product
from math import prod
from statistics import fmean

import pytest

from warpmill.analyzer.base.toml_source import read_toml_file
from warpmill.analyzer.traces.model import events
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.estimate_table import BENCHMARK, EstimateTable, measuring
from warpmill.benchmarks.estimate_table.measuring import (
    Estimated,
    Prepared,
    Stretch,
    estimated,
    of_kernel,
    point_of,
    prepared,
    trace_lengths,
)
from warpmill.benchmarks.estimate_table.spaces import GPUS, PAPER_MEANS, Line, table_kernels
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.session.traces import trace, trace_source

KERNELS = table_kernels()
MEMSET = KERNELS["memset"]


def test_the_table_is_the_papers():
    papers = [kernel.paper for kernel in KERNELS.values()]
    assert sum(one.configurations for one in papers) == PAPER_MEANS.configurations == 306_558
    assert fmean(one.trace for one in papers) == pytest.approx(PAPER_MEANS.trace, abs=0.5)
    assert fmean(one.ms for one in papers) == pytest.approx(PAPER_MEANS.ms, abs=0.005)
    for kernel in KERNELS.values():
        assert kernel.configurations == kernel.paper.configurations
        assert prod(len(set(own)) for own in kernel.over.values()) == kernel.configurations


@pytest.mark.parametrize("name", ["bpnn_layerforward", "BFS_1", "kmeans_c", "memset"])
def test_lines_part_a_space_between_the_gpus(name):
    kernel = KERNELS[name]
    lines = list(kernel.lines())
    assert len(lines) * len(kernel.values) == kernel.configurations
    assert len({tuple(line.held.items()) for line in lines}) == len(lines)
    shares = Counter(line.gpu for line in lines)
    assert set(shares) == set(GPUS)
    assert max(shares.values()) - min(shares.values()) <= 2
    for size in lines[0].held:  # every GPU has every value of sizes that are held
        seen = {(line.gpu, line.held[size]) for line in lines}
        assert len(seen) == len(GPUS) * len(kernel.over[size]) or len(kernel.over) == 2


def test_all_corners_of_a_space_can_be_launched():
    for kernel in KERNELS.values():
        file = kernel.launch_file
        one = Prepared(kernel, prepare(file), read_toml_file(file), 0.0)
        ends = [[(name, own[k]) for k in (0, -1)] for name, own in kernel.over.items()]
        for corner in product(*ends):
            launch = one.launch(dict(corner))
            assert launch.threads_per_cta <= 1024
            assert launch.dynamic_shared_bytes <= 48 << 10
            assert set(launch.sizes) >= set(corner)


# -- estimates ---------------------------------------------------------------------------------


def test_a_larger_input_takes_longer_and_is_estimated_alike_again():
    one = prepared("nearestNeighbor")
    small, large = (estimated(one, {"local": 128, "records": n}, GPUS[0]) for n in (10_000, 40_000))
    assert 0 < small.us < large.us
    assert small.ms > 0
    assert estimated(one, {"local": 128, "records": 10_000}, GPUS[0]).us == small.us


@pytest.mark.parametrize(
    ("name", "sizes", "words"),
    [
        # a tile of 100 takes 4 * (101² + 100²) bytes of shared memory, more than 48 KiB
        ("nw_kernel1", {"tile": 100, "symbols": 400}, "does not fit on quadro_k600"),
        ("bpnn_adjust_weights", {"height": 1, "inputs": 70_000}, "grid y must be 1 to 65535"),
    ],
)  # fmt: skip
def test_what_a_gpu_cannot_hold_is_no_estimate(name, sizes, words):
    found = estimated(prepared(name), sizes, "quadro_k600")
    assert words in found.cannot_run
    assert replace(found, cannot_run="") == Estimated()


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
    sizes = {"local": 64, "nodes": 6000}
    few, many = (estimated(prepared("BFS_1"), {"degree": n, **sizes}, GPUS[0]) for n in (2, 4))
    assert many.trace > few.trace
    assert many.us > few.us


# -- points ------------------------------------------------------------------------------------


def test_stretches_are_whole_lines_in_parts():
    kernel = KERNELS["time_step"]
    parts = list(measuring.all_of(kernel))
    assert sum(len(values) for _, values in parts) == kernel.configurations
    first = [values for line, values in parts if line.held == {"local": 32}]
    assert [len(values) for values in first] == [32, 32, 32]
    assert sum(first, ()) == kernel.values


def test_a_quick_run_has_pairs_of_each_kernel_on_each_gpu():
    for kernel in KERNELS.values():
        parts = list(measuring.few(kernel))
        assert {line.gpu for line, _ in parts} == set(GPUS)
        assert all(len(values) == 2 for _, values in parts)


def test_points_differ_by_what_they_follow_from():
    kernel = KERNELS["BFS_1"]
    line, other, *_ = kernel.lines()
    one = point_of(kernel, line, [6000])
    assert one.key == point_of(kernel, line, [6000]).key
    others = [
        point_of(kernel, line, [12000]),
        point_of(kernel, other, [6000]),
        point_of(kernel, replace(line, gpu=other.gpu), [6000]),
        point_of(replace(kernel, assume={}), line, [6000]),
        point_of(KERNELS["BFS_2"], line, [6000]),
    ]
    assert len({one.key, *(point.key for point in others)}) == 6


def test_what_is_known_is_not_estimated_again(tmp_path, monkeypatch):
    request = Request(names=("memset",), store=str(tmp_path / "s.db"))
    first = measuring.measure(request)
    assert first.parts["memset"].estimates == 12
    monkeypatch.setattr(measuring, "estimated", None)
    assert measuring.measure(request) == first


# -- figures -----------------------------------------------------------------------------------


def stretch(values, us, *, local=64, ms=2.0, **more):
    """A stretch of memset; a time that is None is one that the GPU cannot run."""
    rows = [
        Estimated(cannot_run="too much", **more) if one is None else Estimated(one, ms, 15.0, 3.0)
        for one in us
    ]
    return Stretch(Line({"local": local}, "quadro_k620"), tuple(values), 6.0, tuple(rows))


BYTES = MEMSET.values
OWN = [stretch(BYTES, [1.0, 2.0, 3.0]), stretch(BYTES, [1.0, None, 3.0], local=128)]


def test_the_time_of_an_estimate_has_its_share_of_the_analysis():
    one = of_kernel(MEMSET, OWN)
    assert (one.configurations, one.estimates, one.cannot_run) == (6, 5, 1)
    assert one.reasons == {"too much": 1}
    assert one.ms == pytest.approx(2.0 + 6.0 / 5)
    assert (one.trace, one.kept_trace) == (15.0, 3.0)
    assert one.gpus["quadro_k620"].words == "1.00 / 2.00 / 3.00"
    assert one.gpus["gtx645"].words == "- / - / -"


def test_the_mean_is_over_kernels_not_over_estimates():
    nearest = KERNELS["nearestNeighbor"]
    other = of_kernel(nearest, [stretch([nearest.values[0]], [5.0], ms=20.0)])
    memset = of_kernel(MEMSET, OWN[:1])
    found = EstimateTable(parts={"memset": memset, "nearestNeighbor": other})
    assert found.ms == pytest.approx(fmean([2.0 + 2.0, 20.0 + 6.0]))
    assert found.ms_of_all == pytest.approx((6 + 6 + 20 + 6) / 4)
    assert found.times_faster == pytest.approx((7.081 / 4 * 6.03 / 26) ** 0.5)


def test_neighbours_are_in_one_line_also_over_stretches():
    parts = [stretch(BYTES[:1], [1.0]), stretch(BYTES[1:], [2.0, 1.5])]
    one = of_kernel(MEMSET, [*parts, stretch(BYTES, [8.0, 8.0, 6.0], local=128)])
    assert (one.pairs, one.grows, one.largest_fall) == (4, 2, 25.0)
    apart = of_kernel(MEMSET, [stretch(BYTES[:1], [1.0]), stretch(BYTES[2:], [3.0]), OWN[1]])
    assert (apart.pairs, apart.grow_share, apart.largest_fall) == (0, None, None)


def test_the_page_has_the_figures():
    found = Measured(
        EstimateTable(parts={"memset": of_kernel(MEMSET, OWN)}),
        {"computer": {"processor": "a CPU", "python": "3"}},
    )
    text = BENCHMARK.page(found)
    assert "| cfd | memset | 5 | 15 | 3 | 2 | 3.2 |" in text
    assert "| memset | bytes | 2 | 100% | 0.0 % |" in text
    assert "| memset | 4 local 64…256 × 3 bytes 388184…1940920 | 12 |" in text
    assert "| memset | 1 | too much |" in text
    assert "1.00 / 2.00 / 3.00" in text
    assert "particle_naive,\nmake up 85.3 % of its mean: without them it is 152 ms" in text
    nothing = EstimateTable(parts={"memset": of_kernel(MEMSET, [stretch(BYTES, [None] * 3)])})
    assert nothing.ms is None
    assert "| memset | 3 | too much |" in BENCHMARK.page(replace(found, result=nothing))
