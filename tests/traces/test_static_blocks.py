"""What is known of each block beforehand, by the names of the paper's Listing 1."""

from pathlib import Path

import pytest

from tests.reference.programs import Loop, Lowering
from tests.reference.random_programs import NAMES
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.ranges.bounds import SymbolicTrips, UnknownTrips, loop_bounds
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.traces.static.plan import basic_block_infos

FILETESTS = Path(__file__).parents[1] / "filetests"
SAMPLES = Path(__file__).parents[2] / "samples"


def infos_of(kernel):
    structure = analyse_structure(kernel)
    return structure, basic_block_infos(structure, loop_bounds(structure))


def by_label(path):
    """{label: (depth, bound, headers on which it depends, preceding block)}."""
    kernel = load(path).module.kernels[0]
    _, infos = infos_of(kernel)
    labels = [b.label for b in kernel.blocks]
    return {
        i.bb_name: (
            i.loop_depth,
            None if i.loop_bound_expr is None else str(i.loop_bound_expr),
            tuple(labels[b] for b in i.associated_bbs),
            None if i.preced_bb is None else labels[i.preced_bb],
        )
        for i in infos
    }


def test_blocks_outside_all_loops_have_depth_one_and_no_bound():
    assert by_label(FILETESTS / "if_else_divergent.ptx")
    for depth, bound, associated, preceding in by_label(FILETESTS / "straight_line.ptx").values():
        assert (depth, bound, associated, preceding) == (1, None, (), None)


def test_a_triangular_nest_says_whose_iterations_its_bound_depends_on():
    """``for i < n: for j = i; j < n``: the inner loop comes from the block that starts it."""
    found = by_label(FILETESTS / "triangular_loops.ptx")
    outer = (2, "max(0, n)", (), "bb0")
    inner = (3, "max(0, n - i(ROW))", ("ROW",), "bb2")
    assert found == {
        "bb0": (1, None, (), None),
        "ROW": outer,
        "bb2": outer,
        "COLUMN": inner,
        "bb4": inner,
        "NEXT": outer,
        "DONE": (1, None, (), None),
    }


def test_a_rectangular_nest_depends_on_no_other_loop():
    for _, _, associated, _ in by_label(FILETESTS / "nested_loops.ptx").values():
        assert associated == ()


def test_a_loop_that_data_end_has_a_bound_that_is_not_known():
    kernel = load(FILETESTS / "data_dependent_loop.ptx").module.kernels[0]
    _, infos = infos_of(kernel)
    (bound,) = [i.loop_bound_expr for i in infos if i.bb_name == "NODE"]
    assert isinstance(bound, UnknownTrips)


@pytest.mark.parametrize("phis", [False, True])
def test_a_threefold_nest_depends_on_the_loops_that_its_limits_name(phis):
    def loop(counter, limit, *body):
        return ("loop", Loop(counter, 0, ("add", 1), "lt", limit), list(body))

    limit = ("add.s32", "c0", "c1")
    program = [loop("c0", 9, loop("c1", "arg0", loop("c2", limit, ("store", "c2", None))))]
    structure, infos = infos_of(Lowering(NAMES, phis=phis).kernel(program))
    by_depth = {loop.depth: loop.header for loop in structure.loops.loops}
    (deepest,) = {i.associated_bbs for i in infos if i.loop_depth == 4}
    assert deepest == (by_depth[1], by_depth[2])
    assert all(i.associated_bbs == () for i in infos if i.loop_depth < 4)


@pytest.mark.parametrize("sample", ["matmul", "lud", "nw", "reduce", "scan"])
def test_every_block_of_a_sample_fits_the_loops_around_it(sample):
    for kernel in load(SAMPLES / sample / f"{sample}.sm_80.ptx").module.kernels:
        structure, infos = infos_of(kernel)
        assert [i.bb_name for i in infos] == [b.label for b in kernel.blocks]
        for block, info in enumerate(infos):
            around = structure.loops.containing(block)
            assert info.loop_depth == 1 + len(around)
            if not around:
                continue
            innermost = structure.loops.innermost(block)
            assert info.preced_bb not in innermost.blocks
            assert structure.dominators.dominates(info.preced_bb, block)
            if not isinstance(info.loop_bound_expr, SymbolicTrips):
                assert info.associated_bbs == ()
