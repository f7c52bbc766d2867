"""Where ways from a branch meet, in graphs of all kinds."""

from __future__ import annotations

import numpy as np
import pytest

from warpmill.analyzer.analyses.cfg.graph import (
    cfg_from_successors,
    postdominator_tree,
    reconvergence,
)
from warpmill.analyzer.analyses.divergence.solver import _frontiers, _joins, _reached


@pytest.mark.parametrize("forward", [True, False])
def test_ways_with_nothing_in_common_meet_where_dominance_frontiers_say(forward):
    """Most branches are so simple that no frontier has to be worked out: it would say the same."""
    rng = np.random.default_rng(int(forward))
    simple = others = 0
    for _ in range(400):
        blocks = int(rng.integers(3, 9))
        first = [b + 1 if forward else 0 for b in range(blocks)]
        successors = [
            tuple(dict.fromkeys(rng.integers(f, blocks + 1, int(rng.integers(1, 3))).tolist()))
            for f in first
        ]
        cfg = cfg_from_successors(successors)
        meets = reconvergence(cfg, postdominator_tree(cfg))
        for branch in cfg.reverse_postorder:
            if branch == cfg.exit_id or len(cfg.successors[branch]) < 2:
                continue
            end = cfg.exit_id if meets[branch] is None else meets[branch]
            ways = [after for after in cfg.successors[branch] if after != cfg.exit_id]
            inside = frozenset(_reached(cfg, cfg.successors[branch], end))
            found = _joins(cfg, branch, inside, end)
            if len(ways) < 2:
                assert not found
                continue
            wanted = _frontiers(cfg, ways, inside - {branch}, inside | {end}) - {cfg.exit_id}
            assert found == wanted
            apart = [_reached(cfg, (way,), end) for way in ways]
            simple += apart[0].isdisjoint(apart[1])
            others += not apart[0].isdisjoint(apart[1])
    assert simple > 50
    assert forward or others > 50
