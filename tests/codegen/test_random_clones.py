"""Clones of kernels with control flow of any form run, end, and are about as long as they say.

Loops with several entries and exits, returns of some lanes, branches that data decide: nothing in
them is as the papers' kernels are, so what is asked is that clones stay whole.
"""

import pytest

from tests.reference.plain_graphs import graph_text
from warpmill.analyzer.ir.verifier import verify
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.profiles import profile

LAUNCH = LaunchOptions(grid="6", block="72", args=("buffer=u32:65536",))


def a_warp(subject):
    return subject.profile.warp_instructions / (subject.ctas * subject.warps_per_cta)


@pytest.mark.one_in(12)
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("reduction", [None, 2])
def test_clones_of_graphs_run(tmp_path, seed, reduction):
    """They execute no more than 3 times what the original does, all of whose loops are short."""
    path = tmp_path / "graph.ptx"
    path.write_text(graph_text(f"clones {seed}", 3 + seed))
    original = study(path, None, LAUNCH)
    cloned = clone_studied(original, CloneOptions(reduction=reduction, seed=seed))
    assert verify(cloned.application.module) == ()
    for name, text in cloned.files.files:
        (tmp_path / name).write_text(text)
    (there,) = original.subjects
    warps = there.ctas * there.warps_per_cta
    most = int(3 * warps * a_warp(there))
    # beyond the limit by far: it is there so that a clone which never ends ends the test
    limit = RunOptions(max_instructions=1000 * most)
    (ran,) = profile(tmp_path / "launch.toml", options=limit).launches
    assert (ran.profile.grid, ran.profile.block) == (there.grid, there.block)
    assert 0 < ran.profile.warp_instructions <= most
