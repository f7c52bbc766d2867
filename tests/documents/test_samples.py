"""The samples: what is recorded holds, everything loads, and all doors show the same kernel."""

import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.reference.sample_traces import SAMPLED_CTAS, traced_of
from warpmill.analyzer.analyses.values.symbolic import AtomKind, evaluate
from warpmill.analyzer.frontends.load import SUFFIXES, load, load_kernel
from warpmill.analyzer.ir.verifier import verify
from warpmill.analyzer.launch import ScalarArgument, check_launch, load_launches
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all

SAMPLES = Path(__file__).parents[2] / "samples"
ARTEFACTS = sorted(p for p in SAMPLES.glob("*/*.*") if p.suffix in SUFFIXES)
LAUNCHES = sorted(SAMPLES.glob("*/launch*.toml"))


def name_of(path):
    return f"{path.parent.name}/{path.name}"


def kernels_of(folder):
    """Name the kernels of a sample: those that its launch file launches."""
    return {x.kernel for x in load_launches(folder / "launch.toml")}


def test_the_samples_are_found():
    """Each has PTX of nvcc and of clang, two LLVM modules, and a launch file for three of these."""
    folders = {p.parent for p in SAMPLES.glob("*/artefacts.json")}
    assert len(folders) >= 12
    for folder in folders:
        assert sum(p.parent == folder for p in ARTEFACTS) >= 4
        assert sum(p.parent == folder for p in LAUNCHES) >= 3


def test_the_artefacts_are_those_recorded():
    command = [sys.executable, str(SAMPLES / "build.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith(" samples checked, 0 differences\n")


@pytest.mark.parametrize("path", ARTEFACTS, ids=name_of)
def test_artefacts_load_and_verify(path):
    loaded = load(path)
    assert {k.name for k in loaded.module.kernels} == kernels_of(path.parent)
    assert all(k.startswith(path.parent.name) for k in kernels_of(path.parent))
    assert [str(d) for d in (*loaded.diagnostics, *verify(loaded.module))] == []


@pytest.mark.parametrize("path", LAUNCHES, ids=name_of)
def test_launches_load_and_fit_their_kernels(path):
    launches = load_launches(path)
    for launch in launches:
        loaded, kernel = load_kernel(launch.module, launch.kernel)
        check_launch(launch, loaded.module, kernel)
        assert launch.module.parent == path.parent
    assert {x.kernel for x in launches} == kernels_of(path.parent)
    assert max(x.cta_count for x in launches) > 100


# ---------------------------------------------------------------- one kernel, two doors


def job_of(sample, file):
    """Prepare a sample's launch with another of its files as the module."""
    (launch,) = load_launches(SAMPLES / sample / "launch.toml")
    loaded, kernel = load_kernel(SAMPLES / sample / file)
    return Job(loaded, kernel, launch)


def at_launch(job, expression):
    """Evaluate a formula with the launch's numbers for arguments; None where that is not enough."""
    if expression is None:
        return None
    values = {
        atom: job.launch.arguments[atom.key].value
        for atom in expression.atoms
        if atom.kind is AtomKind.ARGUMENT
        and isinstance(job.launch.arguments[atom.key], ScalarArgument)
    }
    return evaluate(expression, values)


def loops_of(job):
    """Describe each loop, outer before inner: depth, test at the bottom, iterations at launch."""
    loops = job.analysis.structure.loops.loops
    return [
        (
            loops[b.loop].depth,
            b.bottom_tested,
            b.at_most,
            at_launch(job, b.trips.formula) if hasattr(b.trips, "formula") else b.trips,
        )
        for b in job.analysis.bounds
    ]


def accesses_of(job):
    """Describe accesses in program order by innermost loop; strides over loops are at launch."""
    structure = job.analysis.structure
    found = {}
    for access in job.analysis.accesses:
        around = tuple(loop.id for loop in reversed(structure.loops.containing(access.block)))
        counters = [next(iter(structure.values.counter(loop).atoms)) for loop in around]
        strides = tuple(at_launch(job, access.address.coefficient(c)) for c in counters)
        found.setdefault(around, []).append(
            (
                access.space.value,
                access.width_bytes,
                access.op_class.value,
                access.pattern.value,
                access.lane_stride_bytes,
                strides,
            )
        )
    return found


@pytest.mark.parametrize("sample", ["vecadd", "matmul", "transpose"])
def test_llvm_ir_and_the_ptx_made_of_it_agree(sample):
    ir, ptx = job_of(sample, f"{sample}.bc"), job_of(sample, f"{sample}.sm_80.clang.ptx")
    assert loops_of(ir) == loops_of(ptx)
    assert accesses_of(ir) == accesses_of(ptx)


def test_what_both_doors_say_of_matmul():
    """64 tiles of 16: a row of A is walked by 64 B a tile, a column of B by 16 rows of 4 KiB."""
    job = job_of("matmul", "matmul.ll")
    assert loops_of(job) == [(1, True, False, 64)]
    inside, outside = accesses_of(job)[(0,)], accesses_of(job)[()]
    assert inside[:4] == [
        ("global", 4, "load", "contiguous", 4, (64,)),
        ("shared", 4, "store", "contiguous", 4, (0,)),
        ("global", 4, "load", "contiguous", 4, (65536,)),
        ("shared", 4, "store", "contiguous", 4, (0,)),
    ]
    shared = Counter(inside[4:])
    assert shared == {
        ("shared", 4, "load", "broadcast", 0, (0,)): 16,
        ("shared", 4, "load", "contiguous", 4, (0,)): 16,
    }
    assert outside == [("global", 4, "store", "contiguous", 4, ())]


# Accesses derived by hand in each sample's README: those of a thread or, where threads differ, of a
# CTA over its threads; every access is of 4 bytes. None: compilers keep some in registers.
# A CTA of stencil5 loads its 32 x 8 tile and a halo of 2 * 32 + 2 * 8, one of reduce adds 256
# numbers.
NW = {
    "global load": (1 + 2 * 16 + 256) / 16,
    "global store": 16,
    "shared load": (4 * 256 + 256) / 16,
    "shared store": (1 + 2 * 16 + 256 + 256) / 16,
}
TOTALS = {
    "vecadd": {"global load": 2, "global store": 1},
    "matmul": {"global load": 128, "global store": 1, "shared load": 2048, "shared store": 128},
    "transpose": {"global load": 4, "global store": 4, "shared load": 4, "shared store": 4},
    "stencil5": {
        "global load": 336 / 256,
        "global store": 1,
        "shared load": 5,
        "shared store": 336 / 256,
    },
    "reduce": {
        "global load": 2,
        "global store": 1 / 256,
        "shared load": (2 * 255 + 1) / 256,
        "shared store": (256 + 255) / 256,
    },
    "lud_diagonal": {
        "global load": 16,
        "global store": 16,
        "shared load": (2 * 120 + 2 * 1240 + 256) / 16,
        "shared store": (256 + 120 + 1240) / 16,
    },
    "lud_perimeter": {
        "global load": 24,
        "global store": 16,
        "shared load": (15 + 2 * 120 + 2 * 16 + 2 * 120) / 2 + 16,
        "shared store": 24 + (15 + 16) / 2,
    },
    "lud_internal": {"global load": 3, "global store": 1, "shared load": 32, "shared store": 2},
    "lud_product": {
        "global load": 16,
        "global store": 16,
        "shared load": (136 + 2 * 120 + 2 * 1240) / 16,
        "shared store": 16,
    },
    "nw_upper_left": NW,
    "nw_lower_right": NW,
    "trisolve_forward": {"global load": 256 * 257, "global store": 256},
    "trisolve_backward": {"global load": 256 * 257, "global store": 256},
    "trisolve_pairs": {"global load": 256 * 257, "global store": 256},
    "trisolve_factor": {
        "global load": 32 + 496 + 2 * 4960 + 2 * 496,
        "global store": 2 * 496 + 32,
    },
    "trisolve_inverse": {"global load": 32 + 2 * 5456, "global store": 496 + 32},
    "scan_blocks": {
        "global load": 2,
        "global store": 2 + 1 / 256,
        "shared load": None,
        "shared store": (512 + 511 + 1 + 2 * 511) / 256,
    },
    "scan_add": {"global load": 3, "global store": 2},
    "binomial_block": {
        "global load": 2,
        "global store": 1 / 128,
        "shared load": (2 * 131328 + 1) / 128,
        "shared store": (513 + 131328) / 128,
    },
    "binomial_thread": {
        "global load": 2,
        "global store": 1,
        "local load": None,
        "local store": 65 + 2080,
    },
    "binomial_pair": {
        "global load": 2,
        "global store": 1,
        "shared load": None,
        "shared store": 33 + 256,
    },
    "bitonic_sort": {"global load": 2, "global store": 2, "shared load": 112, "shared store": 112},
    "bitonic_global": {"global load": 2, "global store": 2},
    "bitonic_merge": {"global load": 2, "global store": 2, "shared load": 22, "shared store": 22},
}


def counted_launches():
    """List launches, by file and number, of the kernels in TOTALS; spmv's loop is data's."""
    return [
        pytest.param(path, number, id=f"{name_of(path)}-{launch.name}")
        for path in LAUNCHES
        for number, launch in enumerate(load_launches(path))
        if launch.kernel in TOTALS
    ]


@cache
def jobs_of(path):
    return prepare_all(path)


def totals(job):
    """Count accesses and bytes a thread by space and kind, over some CTAs inside the grid."""
    traced = traced_of(job)
    assert traced.assumptions == ()
    assert traced.summary.ctas == min(SAMPLED_CTAS, job.launch.cta_count)
    threads = traced.summary.ctas * job.launch.threads_per_cta
    facts = {(a.block, a.instruction): a for a in job.analysis.accesses}
    accesses, requested = Counter(), Counter()
    for total in traced.summary.accesses:
        fact = facts[total.block, total.instruction]
        name = f"{fact.space.value} {fact.op_class.value}"
        accesses[name] += total.thread_executions / threads
        requested[name] += total.bytes_requested / threads
    return accesses, requested


@pytest.mark.slow
@pytest.mark.parametrize(("path", "number"), counted_launches())
def test_all_compilers_access_memory_alike(path, number):
    """spmv is left out: data end its loop, which compilers unroll as they like."""
    job = jobs_of(path)[number]
    accesses, requested = totals(job)
    expected = TOTALS[job.kernel.name]
    assert accesses.keys() == expected.keys()
    derived = {name: count for name, count in expected.items() if count is not None}
    assert {name: accesses[name] for name in derived} == pytest.approx(derived)
    assert requested == pytest.approx({name: 4 * count for name, count in accesses.items()})
