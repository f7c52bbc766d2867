"""Sizes of workloads: one that cannot be is refused by its name before anything runs."""

import re

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.session.workload_runs import _Program, run_workload
from warpmill.session.workloads import WorkloadTarget, workloads

MAY_BE_NEGATIVE = {
    "bfs-frontier": ["degree"],  # of another kind of graph than the preset has
    "blackscholes": ["rate"],  # down to -1, see below
    "cfd": ["mach"],
    "julia": ["turn"],
    "kmeans": ["threshold"],
    "nw": ["penalty"],
    "ocean": ["direction"],
    "particlefilter": ["offset"],
    "ray": ["look"],
    "sssp": ["degree"],
}
"""Where a size below 0 means something, or is of no effect."""
MAY_BE_ZERO = {
    "aes-128": ["header"],
    "b+tree": ["absent"],
    "bfs-frontier": ["degree", "shortcuts"],
    "bfs-gpgpusim": ["shortcuts"],
    "blackscholes": ["rate"],
    "julia": ["more", "turn"],
    "kmeans": ["threshold"],
    "lbm": ["ball"],
    "mst": ["shortcuts", "towns", "streets"],
    "nw": ["penalty"],
    "ocean": ["direction"],
    "particlefilter": ["offset"],
    "ray": ["look"],
    "spmv-csr": ["reach"],
    "sssp": ["degree", "shortcuts"],
    "sto": ["segment", "boundary_bits"],
    "tpacf": ["clustered"],
    "tvl1-flow": ["speed"],
    "walsh": ["log_kernel"],
}
"""Where nothing is a size, too; 0 is a seed everywhere."""


def told(name, size, value):
    """What is said of a size of the preset ``tiny`` when inputs are made with it."""
    workload = workloads()[name]
    with pytest.raises(UsageError) as refused, _Program(workload.program) as program:
        program.make(name, workload.preset("tiny", {size: value}))
    return refused.value.diagnostics[0].message


def numbers_of(name):
    """List the sizes of a workload that are numbers."""
    sizes = workloads()[name].preset("tiny")
    return [size for size, value in sizes.items() if not isinstance(value, (bool, str))]


@pytest.mark.parametrize("name", workloads())
def test_negative_sizes_are_refused_by_name(name):
    for size in set(numbers_of(name)) - set(MAY_BE_NEGATIVE.get(name, [])):
        words = told(name, size, "-4")
        assert re.search(rf"\b{size}\b", words)
        assert words.startswith((f"{name}: ", f"--size {size}=-4: "))


@pytest.mark.parametrize("name", workloads())
def test_sizes_of_zero_are_refused_by_name(name):
    for size in set(numbers_of(name)) - {"seed", *MAY_BE_ZERO.get(name, [])}:
        words = told(name, size, "0")
        assert re.search(rf"\b{size}\b", words)
        assert words.startswith((f"{name}: ", f"--size {size}=0: "))


@pytest.mark.parametrize(
    ("name", "size", "value"),
    [
        ("ambient-occlusion", "rays", "3"),
        ("bfs-frontier", "nodes", "3"),  # of a road-like graph: a square of 2 x 2 is the least
        ("blackscholes", "rate", "-4"),
        ("cfd", "block", "193"),
        ("cfd", "mach", "-0.01"),
        ("histogram-buffer", "width", "3"),
        ("lane-detection", "candidates", "3"),
        ("lane-detection", "frame_height", "3"),
        ("lane-detection", "width", "3"),
        ("nbody", "seconds", "1"),
        ("nbody", "softening", "1e-6"),
        ("ocean", "wind", "4"),
        ("particles", "bits", "3"),
        ("rpes", "threshold", "1"),
        ("rpes", "threshold", "1e-25"),
        ("tvl1-flow", "height", "3"),
    ],
)
def test_sizes_too_small_or_large_are_refused_by_name(name, size, value):
    words = told(name, size, value)
    assert words.startswith(f"{name}: ")
    assert re.search(rf"\b{size}\b", words)


@pytest.mark.parametrize(
    ("name", "sizes"),
    [
        ("ambient-occlusion", {"width": 1, "height": 1}),
        ("ambient-occlusion", {"height": 3}),  # no sky is seen
        ("julia", {"height": 3}),  # a row of points is on the set itself
        ("julia", {"most": 1}),  # no point escapes
        ("lps", {"width": 1, "height": 1, "depth": 1, "iterations": 1}),
        ("walsh", {"log_kernel": 0}),
    ],
)
def test_the_smallest_sizes_are_right(name, sizes):
    done = run_workload(WorkloadTarget(workloads()[name], "tiny"), sizes)
    assert [check for check in done.checks if not check.passed] == []
    assert done.passed
    assert done.run.launches
