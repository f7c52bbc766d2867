"""Control flow of small functions whose answers are known by hand."""

import subprocess
import sys

import pytest

from warpmill.analyzer.analyses.cfg.graph import (
    build_cfg,
    cfg_from_successors,
    dominator_tree,
    find_loops,
    postdominator_tree,
    reconvergence,
)
from warpmill.analyzer.ir.reader import read_module


def kernel_of(body):
    head = '.module m target sm_80 version "9.0" address_bits 64 warp_size 32\n'
    declared = ".kernel k [1:1-2]\n.reg pred %p\n.reg s32 %i\n"
    return read_module(f"{head}{declared}{body}.end\n").kernels[0]


def analyse(body):
    cfg = build_cfg(kernel_of(body))
    dom, pdom = dominator_tree(cfg), postdominator_tree(cfg)
    return cfg, dom, pdom, find_loops(cfg, dom)


NESTED = """
.block 0 ^entry fallthrough ^outer
    @%p bra -> ^end [1:1-2]
.block 1 ^outer fallthrough ^inner
    mov.s32 %i, 0 [2:1-2]
.block 2 ^inner fallthrough ^skip
    @%p bra -> ^latch [3:1-2]
.block 3 ^skip fallthrough ^latch
    mov.s32 %i, 1 [4:1-2]
.block 4 ^latch fallthrough ^tail
    @%p bra -> ^inner [5:1-2]
.block 5 ^tail fallthrough ^end
    @%p bra -> ^outer [6:1-2]
.block 6 ^end
    ret [7:1-2]
"""


def test_a_nest_of_two_loops():
    cfg, dom, pdom, forest = analyse(NESTED)
    assert cfg.successors == ((1, 6), (2,), (3, 4), (4,), (5, 2), (6, 1), (7,), ())
    assert cfg.predecessors[4] == (2, 3)
    assert cfg.reverse_postorder == (0, 1, 2, 3, 4, 5, 6)
    assert cfg.virtual_edges == ()
    assert dom.idom == (None, 0, 1, 2, 2, 4, 0, 6)
    assert dom.depth == (0, 1, 2, 3, 3, 4, 1, 2)
    assert dom.frontier == ((), (1, 6), (1, 2, 6), (4,), (1, 2, 6), (1, 6), (), ())
    assert pdom.idom == (6, 2, 4, 4, 5, 6, 7, None)
    outer, inner = forest.loops
    assert (outer.header, outer.blocks, outer.latches) == (1, (1, 2, 3, 4, 5), (5,))
    assert (inner.header, inner.blocks, inner.latches) == (2, (2, 3, 4), (4,))
    assert (outer.exits, inner.exits) == (((5, 6),), ((4, 5),))
    assert (outer.parent, outer.depth, outer.children) == (None, 1, (1,))
    assert (inner.parent, inner.depth, inner.children) == (0, 2, ())
    assert forest.back_edges == ((4, 2), (5, 1))
    assert forest.innermost_ids == (None, 0, 1, 1, 1, 0, None, None)
    assert forest.containing(3) == (inner, outer)
    assert reconvergence(cfg, pdom) == (6, None, 4, None, 5, 6, None)


def test_a_guarded_return_goes_on_and_ends():
    cfg, _, pdom, _ = analyse("""
.block 0 ^a fallthrough ^b
    @%p exit [1:1-2]
.block 1 ^b
    ret [2:1-2]
""")
    assert cfg.successors == ((1, 2), (2,), ())
    assert reconvergence(cfg, pdom) == (2, None)


def test_the_default_of_a_switch_comes_first_and_a_switch_without_cases_does_not_end():
    cfg, _, pdom, _ = analyse("""
.block 0 ^a fallthrough ^d
    switch %i, 3, 1, 7 -> ^b, ^c, ^b [1:1-2]
.block 1 ^b fallthrough ^c
.block 2 ^c
    ret [2:1-2]
.block 3 ^d fallthrough ^c
    switch %i [3:1-2]
""")
    assert cfg.successors == ((3, 1, 2), (2,), (4,), (2,), ())
    assert cfg.reverse_postorder == (0, 3, 1, 2)
    assert reconvergence(cfg, pdom)[0] == 2


def test_a_return_inside_a_loop_is_an_exit_of_the_loop():
    _, _, _, forest = analyse("""
.block 0 ^head fallthrough ^next
    @%p ret [1:1-2]
.block 1 ^next
    bra -> ^head [2:1-2]
""")
    assert forest.loops[0].exits == ((0, 2),)


ENDLESS = """
.block 0 ^entry fallthrough ^head
    @%p bra -> ^end [1:1-2]
.block 1 ^head fallthrough ^left
    @%p bra -> ^right [2:1-2]
.block 2 ^left
    bra -> ^latch [3:1-2]
.block 3 ^right fallthrough ^latch
.block 4 ^latch
    bra -> ^head [4:1-2]
.block 5 ^end
    ret [5:1-2]
"""


def test_an_endless_loop_leaves_by_a_virtual_edge_after_its_last_block():
    cfg, _, pdom, forest = analyse(ENDLESS)
    assert cfg.reverse_postorder == (0, 1, 2, 3, 4, 5)
    assert cfg.virtual_edges == ((4, 6),)
    assert cfg.successors[4] == (1,)
    assert cfg.predecessors[6] == (5,)
    assert cfg.graph[4] == (1, 6)
    assert pdom.idom == (6, 4, 4, 4, 6, 6, None)
    assert forest.loops[0].exits == ()
    assert reconvergence(cfg, pdom) == (6, 4, None, None, None, None)


def test_unreachable_blocks_are_in_no_dominator_tree_and_no_loop():
    cfg, dom, pdom, forest = analyse("""
.block 0 ^a
    ret [1:1-2]
.block 1 ^dead fallthrough ^a
    @%p bra -> ^dead [2:1-2]
""")
    assert cfg.reachable == {0}
    assert dom.idom == (None, None, 0)
    assert dom.depth == (0, None, 1)
    assert not dom.dominates(1, 1)
    assert pdom.idom == (2, 0, None)
    assert forest.loops == ()


def test_a_cycle_with_two_entries_is_irreducible():
    cfg = cfg_from_successors([(1, 2), (2, 3), (1,), (4,)])
    forest = find_loops(cfg, dominator_tree(cfg))
    assert forest.loops == ()
    assert forest.back_edges == ()
    assert forest.irreducible == ((1, 2),)


def test_an_irreducible_cycle_inside_a_loop_is_found():
    cfg = cfg_from_successors([(1,), (2, 3), (3,), (2, 4), (1, 5)])
    forest = find_loops(cfg, dominator_tree(cfg))
    assert [loop.header for loop in forest.loops] == [1]
    assert forest.irreducible == ((2, 3),)


def test_a_self_loop_and_an_entry_that_is_a_header():
    cfg = cfg_from_successors([(0, 1), (2,)])
    dom = dominator_tree(cfg)
    (loop,) = find_loops(cfg, dom).loops
    assert (loop.header, loop.blocks, loop.latches, loop.exits) == (0, (0,), (0,), ((0, 1),))
    assert dom.frontier[0] == (0,)


def test_results_are_frozen():
    cfg = cfg_from_successors([(1,)])
    with pytest.raises(AttributeError):
        cfg.entry = 1


def test_a_function_without_blocks_is_refused():
    with pytest.raises(ValueError, match="no blocks"):
        build_cfg(kernel_of(""))


def test_a_thousand_blocks_with_a_hundred_loops():
    successors = [(i + 1, i - i % 10) if i % 10 == 9 else (i + 1, i + 1) for i in range(1000)]
    cfg = cfg_from_successors(successors)
    dom = dominator_tree(cfg)
    assert len(reconvergence(cfg, postdominator_tree(cfg))) == 1000
    assert len(find_loops(cfg, dom).loops) == 100


def test_the_package_is_light():
    code = (
        "import sys, warpmill.analyzer.analyses.cfg, warpmill.analyzer.ir.reader;"
        "import warpmill.analyzer.ir.printer, warpmill.analyzer.ir.verifier;"
        "print({'networkx', 'lark', 'numpy', 'llvmlite'} & set(sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "set()\n"
