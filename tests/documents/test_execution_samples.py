"""The native executor beside the NumPy one: equal counts of every block, and right results.

The NumPy executor counts as GPGPU-Sim does on the programs whose counts that has given.
"""

import json

import pytest

from tests.reference.sample_results import CHECKS
from warpmill.analyzer.launch import load_launches
from warpmill.benchmarks.execution import gpgpusim
from warpmill.benchmarks.execution.runners import NativeRunner, NumpyRunner
from warpmill.benchmarks.execution.samples import SAMPLES, SMALL, check_artefact, launch_files
from warpmill.benchmarks.execution.workloads import WORKLOADS
from warpmill.benchmarks.execution_inputs import build

SIZES = SMALL | {
    "binomial": {"options": 256, "large": 2}, "lud": {"n": 48}, "matmul": {"n": 64},
    "reduce": {"n": 3000}, "nw": {"n": 64}, "spmv": {"rows": 300, "cols": 300},
    "vecadd": {"n": 1000},
    "trisolve": {"n": 20, "sides": 200, "m": 9, "batch": 150},
}  # fmt: skip
KINDS = (".sm_80.ptx", ".sm_80.clang.ptx", ".bc", ".opencl.bc", ".O0.bc")
LONG = {"binomial": (".bc",)}
"""What is run of samples that take NumPy long at any size."""


class Both:
    """Both executors as one: what they count for each block has to be the same."""

    def __init__(self):
        self.native, self.oracle = NativeRunner(), NumpyRunner()

    def __call__(self, path, kernel, grid, block, args, shared=0):
        copies = {id(a): a.copy() for a in args}
        counted = self.oracle(path, kernel, grid, block, [copies[id(a)] for a in args], shared)
        assert self.native(path, kernel, grid, block, args, shared) == counted
        assert self.native.blocks == self.oracle.blocks
        return counted


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("sample", "kind"),
    [
        (sample, kind)
        for sample in sorted(CHECKS)
        for kind in LONG.get(sample, KINDS)
        if (SAMPLES / sample / f"{sample}{kind}").exists()
    ],
)
def test_samples_are_right_and_counted_alike(sample, kind):
    artefact = SAMPLES / sample / f"{sample}{kind}"
    file = launch_files(artefact.parent)[artefact]
    launches = load_launches(file, SIZES[sample])
    rows = list(check_artefact(Both(), artefact, launches))
    assert [row for row in rows if not row.right] == []
    assert len(rows) == len(launches)


@pytest.mark.slow
@pytest.mark.parametrize("runner", [NumpyRunner, NativeRunner])
def test_counts_are_those_of_gpgpusim(runner):
    at_once = runner() if runner is NumpyRunner else runner(gpgpusim.RESIDENT)
    rows, wrong = gpgpusim.compare(runner(), at_once, quick=True, say=lambda _: None)
    assert wrong == []
    others = [row for row in rows if row["program"] not in gpgpusim.RACING]
    assert all(row["exact"] for row in others)
    assert len(others) == 52
    # the twin runs no CTAs at the same time, which a race can tell
    ordered = [r for r in rows if runner is NativeRunner or r["config"] == "functional-only"]
    assert [row for row in ordered if not row["equal"]] == []


def test_timed_kernels_are_built_of_their_sources():
    recorded = json.loads(build.RECORD.read_text())["files"]
    assert recorded == build.hashes()
    assert sorted(recorded) == sorted(w.name for w in WORKLOADS)
