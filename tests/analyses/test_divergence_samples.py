"""Divergence of the samples: which branches part threads, read off the sources by hand."""

import re
from pathlib import Path

import pytest

from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import WarpShape, divergence, divergent_branches
from warpmill.analyzer.frontends.load import load_kernel

SAMPLES = Path(__file__).parents[2] / "samples"

X = "tid.x + ctaid.x*ntid.x"
BOTH = "2*ctaid.x*ntid.x"
TILES = ["", " + 8", " + 16", " + 24"]
BY_HAND = {
    ("vecadd", "vecadd"): [f"{X} < arg3"],  # i < n
    ("matmul", "matmul"): [],
    ("reduce", "reduce"): [
        f"tid.x + {BOTH} < arg2",  # first < n
        f"ntid.x + tid.x + {BOTH} < arg2",  # second < n
        "tid.x == 0",
        "tid.x < %",  # t < s
    ],
    ("stencil5", "stencil5"): [
        "tid.x == 0",
        "tid.x + 1 == 32",
        "tid.y == 0",
        "tid.y + 1 == 8",
        "(32*ctaid.x + tid.x < arg2) and (8*ctaid.y + tid.y < arg3)",
    ],
    ("transpose", "transpose"): [
        f"(32*ctaid.y + tid.y{t} < arg2) and (32*ctaid.x + tid.x < arg3)" for t in TILES
    ]
    + [f"(32*ctaid.y + tid.x < arg2) and (32*ctaid.x + tid.y{t} < arg3)" for t in TILES],
    ("scan", "scan_blocks"): [
        *(f"tid.x + {BOTH} < arg3", f"ntid.x + tid.x + {BOTH} < arg3"),  # first, second < n
        *("tid.x == 0", "tid.x < %"),  # t < nodes, on the way up
        f"tid.x + {BOTH} < arg3",
        "tid.x < %",  # and down
        f"ntid.x + tid.x + {BOTH} < arg3",
    ],
    ("scan", "scan_add"): [f"tid.x + {BOTH} < arg2", f"ntid.x + tid.x + {BOTH} < arg2"],
    ("bitonic", "bitonic_sort"): [],  # threads choose by minimum and maximum
    ("bitonic", "bitonic_global"): [],
    ("bitonic", "bitonic_merge"): [],
    ("lud", "lud_diagonal"): ["tid.x > i"],  # tx > p
    ("lud", "lud_perimeter"): [
        "tid.x < 256",  # threadIdx.x / TILE < TILE, before the first turn
        "tid.x < 16",
        "2*i + floordiv(tid.x, 16) < 14",  # the next turn
        "tid.x < 256",
        "2*i + floordiv(tid.x, 16) < 14",
    ],
    ("lud", "lud_internal"): [],
    ("lud", "lud_product"): ["tid.x > i", "min(i, tid.x) == 0", "i + 1 == min(i, tid.x)"],
    ("nw", "nw_upper_left"): ["tid.x == 0", "tid.x > i", "tid.x > -i + 14"],
    ("nw", "nw_lower_right"): ["tid.x == 0", "tid.x > i", "tid.x > -i + 14"],
    ("trisolve", "trisolve_forward"): [f"({X} < arg4) and (arg3 > 0)"],  # t < sides, and n > 0
    ("trisolve", "trisolve_pairs"): [f"({X} < arg4) and (arg3 > 0)"],
    ("trisolve", "trisolve_factor"): [f"({X} < arg2) and (arg1 > 0)"],
    ("binomial", "binomial_block"): [
        *("tid.x > arg3", "tid.x + i*ntid.x > 0", "floordiv(%, 2) == 0"),  # j, and in power(): e
        *("ntid.x + tid.x + i*ntid.x > arg3", "tid.x == 0"),
        *("tid.x < arg3 - i", "ntid.x + tid.x + i*ntid.x < arg3 - i"),  # j < i
    ],
    ("binomial", "binomial_thread"): [f"{X} < arg3"],
    ("binomial", "binomial_pair"): [],
}


@pytest.mark.parametrize(("sample", "kernel"), BY_HAND)
def test_divergent_branches_of_samples_by_hand(sample, kernel):
    loaded = load_kernel(SAMPLES / sample / f"{sample}.bc", kernel)[1]
    found = divergence(analyse_structure(loaded))
    texts = [re.sub(r"%\d+", "%", re.sub(r"i\(\d+\)", "i", b.condition)) for b in found.branches]
    assert texts == BY_HAND[sample, kernel]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("sample", "kernel"), BY_HAND)
@pytest.mark.parametrize("suffix", [".bc", ".sm_80.ptx"])
def test_branches_alone_are_those_of_all(sample, kernel, suffix):
    loaded = load_kernel(SAMPLES / sample / f"{sample}{suffix}", kernel)[1]
    structure = analyse_structure(loaded)
    found = {b.block: b.reconvergence for b in divergence(structure).branches}
    assert divergent_branches(structure) == found


def test_every_branch_of_spmv_is_decided_by_its_row():
    """Rows have different lengths: the loop over them ends at different iterations."""
    loaded = load_kernel(SAMPLES / "spmv/spmv.bc")[1]
    found = divergence(analyse_structure(loaded))
    cfg = found.structure.cfg
    assert [b.block for b in found.branches] == [
        b for b in sorted(cfg.reachable) if len(cfg.successors[b]) > 1
    ]
    assert len(found.loops) == 1
    assert all("loaded at an address that differs" in " ".join(b.reason)
               for b in found.branches[1:])  # fmt: skip


@pytest.mark.parametrize("suffix", [".bc", ".sm_80.ptx", ".sm_80.clang.ptx", ".opencl.bc"])
def test_stencil5_in_its_launch_parts_only_at_the_sides(suffix):
    """North and south halos are whole warps of a 32 x 8 block, as the source says."""
    loaded = load_kernel(SAMPLES / f"stencil5/stencil5{suffix}")[1]
    structure = analyse_structure(loaded)
    anywhere = divergence(structure).branches
    in_launch = divergence(structure, WarpShape((32, 8, 1), 32)).branches
    assert len(anywhere) == 5
    assert [b.block for b in in_launch] == [anywhere[i].block for i in (0, 1, 4)]
