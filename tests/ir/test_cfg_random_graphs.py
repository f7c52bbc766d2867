"""Random control-flow graphs: dominators, loops and reconvergence against slow, obvious twins."""

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.analyses.cfg.graph import (
    cfg_from_successors,
    dominator_tree,
    find_loops,
    postdominator_tree,
    reconvergence,
)


@st.composite
def successor_lists(draw):
    """Successors of up to 9 blocks; twice given, self loops, dead blocks, endless loops."""
    count = draw(st.integers(1, 9))
    one = st.lists(st.integers(0, count), min_size=1, max_size=3).map(tuple)
    return draw(st.lists(one, min_size=count, max_size=count))


def reach(edges, start, without=None):
    """All nodes that ``start`` reaches by ``edges`` when one node is taken away."""
    seen, todo = set(), [start]
    while todo:
        node = todo.pop()
        if node not in seen and node != without:
            seen.add(node)
            todo += [b for a, b in edges if a == node]
    return seen


def slow_dominates(edges, root, a, b):
    """a dominates b: the root reaches b, and no longer does without a."""
    return b in reach(edges, root) and b not in reach(edges, root, without=a)


def edges_of(cfg):
    return [(a, b) for a, after in enumerate(cfg.graph) for b in after]


def check_tree(tree, edges, root, count):
    nodes = range(count)
    dominates = {(a, b) for a in nodes for b in nodes if slow_dominates(edges, root, a, b)}
    assert {(a, b) for a in nodes for b in nodes if tree.dominates(a, b)} == dominates
    strictly = {(a, b) for a, b in dominates if a != b}
    for node in nodes:
        above = [a for a in nodes if (a, node) in strictly]
        closest = [a for a in above if all((other, a) in dominates for other in above)]
        assert [tree.idom[node]] == (closest or [None])
        depth = len(above) if (node, node) in dominates else None
        assert tree.depth[node] == depth
        assert tree.children[node] == tuple(n for n in nodes if tree.idom[n] == node)
        frontier = {v for u, v in edges if (node, u) in dominates and (node, v) not in strictly}
        assert tree.frontier[node] == tuple(sorted(frontier))


@settings(max_examples=150, deadline=None)
@given(successor_lists())
def test_dominators_agree_with_taking_nodes_away(successors):
    cfg = cfg_from_successors(successors)
    edges = edges_of(cfg)
    count = len(successors) + 1
    check_tree(dominator_tree(cfg), edges, 0, count)
    check_tree(postdominator_tree(cfg), [(b, a) for a, b in edges], cfg.exit_id, count)


@settings(max_examples=150, deadline=None)
@given(successor_lists())
def test_graph_orders_and_virtual_edges(successors):
    cfg = cfg_from_successors(successors)
    real = {(a, b) for a, after in enumerate(successors) for b in after}
    virtual = set(cfg.virtual_edges)
    assert cfg.exit_id == len(successors)
    assert [list(s) for s in cfg.successors[:-1]] == [list(dict.fromkeys(s)) for s in successors]
    assert {(a, b) for b, before in enumerate(cfg.predecessors) for a in before} == real
    assert set(edges_of(cfg)) == real | virtual
    assert not real & virtual
    assert cfg.reachable == reach(real, 0) - {cfg.exit_id}
    assert sorted(cfg.reverse_postorder) == sorted(cfg.reachable)
    assert cfg.reverse_postorder[0] == 0

    # Every block gets to the exit, and no virtual edge could be spared or joins one that could.
    stuck = {b for b in range(cfg.exit_id) if cfg.exit_id not in reach(real, b)}
    assert all(cfg.exit_id in reach(real | virtual, b) for b in range(cfg.exit_id))
    assert {a for a, _ in virtual} <= stuck
    for edge in virtual:
        assert cfg.exit_id not in reach(real | (virtual - {edge}), edge[0])
        group = reach(real, edge[0])
        assert all(edge[0] in reach(real, b) for b in group)
        if edge[0] in cfg.reachable:
            assert max(map(cfg.rpo_number.__getitem__, group)) == cfg.rpo_number[edge[0]]


@settings(max_examples=150, deadline=None)
@given(successor_lists())
def test_reverse_postorder_puts_a_block_before_what_follows_it(successors):
    """Edges that go backwards in the order close cycles; without cycles there are none."""
    cfg = cfg_from_successors(successors)
    real = {(a, b) for a, after in enumerate(successors) for b in after}
    for a, b in real:
        if a in cfg.reachable and b in cfg.reachable and cfg.rpo_number[a] >= cfg.rpo_number[b]:
            assert a in reach(real, b)


def slow_loops(edges, blocks):
    """Header -> (body, latches) over the reachable blocks, from the definitions."""
    found = {}
    for latch, header in edges:
        if latch in blocks and header in blocks and slow_dominates(edges, 0, header, latch):
            without = [(a, b) for a, b in edges if header not in (a, b)]
            body = {b for b in blocks - {header} if latch in reach(without, b)} | {header, latch}
            old_body, old_latches = found.get(header, (set(), set()))
            found[header] = (old_body | body, old_latches | {latch})
    return found


@settings(max_examples=200, deadline=None)
@given(successor_lists())
def test_loops_agree_with_the_definition(successors):
    cfg = cfg_from_successors(successors)
    forest = find_loops(cfg, dominator_tree(cfg))
    real = {(a, b) for a, after in enumerate(successors) for b in after}
    slow = slow_loops(real, set(cfg.reachable))

    found = {one.header: (set(one.blocks), set(one.latches)) for one in forest.loops}
    assert found == slow
    assert set(forest.back_edges) == {(latch, h) for h, (_, ls) in slow.items() for latch in ls}
    for number, loop in enumerate(forest.loops):
        assert loop.id == number
        body = set(loop.blocks)
        assert list(loop.blocks) == sorted(body)
        assert set(loop.exits) == {(a, b) for a, b in real if a in body and b not in body}
        around = [o for o in forest.loops if o is not loop and body < set(o.blocks)]
        assert all(o.id < number for o in around)
        closest = min(around, key=lambda o: len(o.blocks), default=None)
        assert loop.parent == (None if closest is None else closest.id)
        assert loop.depth == len(around) + 1
        assert loop.children == tuple(o.id for o in forest.loops if o.parent == number)
    for block in range(cfg.exit_id + 1):
        inside = [one for one in forest.loops if block in one.blocks]
        around = sorted(inside, key=lambda one: len(one.blocks))
        assert forest.containing(block) == tuple(around)
        assert forest.innermost(block) == (around[0] if around else None)


@settings(max_examples=200, deadline=None)
@given(successor_lists())
def test_irreducible_regions_are_the_cycles_with_several_entries(successors):
    cfg = cfg_from_successors(successors)
    forest = find_loops(cfg, dominator_tree(cfg))
    real = {(a, b) for a, after in enumerate(successors) for b in after}
    rest = {(a, b) for a, b in real - set(forest.back_edges) if a in cfg.reachable}
    graph = nx.DiGraph(rest)
    cyclic = {frozenset(c) for c in nx.strongly_connected_components(graph) if len(c) > 1}
    assert {frozenset(region) for region in forest.irreducible} == cyclic
    for region in cyclic:
        entries = {b for a, b in rest if b in region and a not in region} | (region & {0})
        assert len(entries) > 1


@settings(max_examples=100, deadline=None)
@given(successor_lists())
def test_reconvergence_is_on_every_way_to_the_exit(successors):
    cfg = cfg_from_successors(successors)
    points = reconvergence(cfg, postdominator_tree(cfg))
    edges = [(b, a) for a, b in edges_of(cfg)]
    assert len(points) == cfg.exit_id
    for block, point in enumerate(points):
        if len(set(successors[block])) == 1:
            assert point is None
            continue
        after = [
            n
            for n in range(cfg.exit_id + 1)
            if n != block and slow_dominates(edges, cfg.exit_id, n, block)
        ]
        assert point in after
        assert all(slow_dominates(edges, cfg.exit_id, n, point) for n in after)


@settings(max_examples=60, deadline=None)
@given(successor_lists())
def test_equal_functions_have_equal_results(successors):
    first, second = cfg_from_successors(successors), cfg_from_successors(successors)
    assert first == second
    assert dominator_tree(first) == dominator_tree(second)
    assert find_loops(first, dominator_tree(first)) == find_loops(second, dominator_tree(second))
