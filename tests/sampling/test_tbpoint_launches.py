"""TBPoint's features of launches and which launches stand for others, worked out by hand."""

import statistics
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import pdist

import warpmill
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.counts import AccessProfile, BlockProfile, CtaProfile, Profile
from warpmill.session.options import LaunchOptions
from warpmill.simulator.sampling.model import CountedLaunch, SelectionUnit, Stratum, project
from warpmill.simulator.sampling.tbpoint import FEATURES, inter_features, inter_launch

SAMPLES = Path(__file__).parents[2] / "samples"
NONE = np.zeros((0, 0), np.int64)


def access(space, **counts):
    return AccessProfile(0, 0, "load", space, 4, 1, 32, **counts)


@cache
def kernel_of(name):
    return SimpleNamespace(name=name, blocks=[SimpleNamespace(id=0, instructions=("add",))])


def launch(sizes, warps, lines, kernel="k", number=0):
    """Make a launch of CTAs of so many thread instructions, of a kernel of one instruction."""
    sizes = np.array(sizes, np.int64)
    zero = np.zeros(len(sizes), np.int64)
    profile = Profile(
        kernel=kernel_of(kernel),
        grid=(len(sizes), 1, 1),
        block=(32, 1, 1),
        dynamic_shared_bytes=0,
        warp_size=32,
        blocks=(BlockProfile(0, warps=warps, threads=int(sizes.sum())),),
        accesses=(access(Space.GLOBAL, lines=lines), access(Space.SHARED, wavefronts=7)),
        by_cta=CtaProfile(zero, sizes, zero, zero, NONE, NONE),
    )
    places = ((len(sizes), 1, 1), (32, 1, 1))
    return CountedLaunch(number, kernel, *places, warps, (), profile, 0)


# ------------------------------------------------------------------------------ features


def test_the_paper_s_two_launches():
    """Two CTAs of 100 thread instructions, and of 160 and 40: as large, but they vary by 0.6."""
    found = inter_features([launch([100, 100], 10, 5), launch([160, 40], 30, 15)])
    assert found.values.tolist() == [[1.0, 0.5, 0.5, 0.0], [1.0, 1.5, 1.5, 0.6]]
    assert (found.names, found.dropped) == (FEATURES, ())


def test_features_are_those_of_plain_lists():
    chance = np.random.default_rng(1)
    drawn = [
        (chance.integers(1, 5000, 17).tolist(), *chance.integers(1, 9000, 2).tolist())
        for _ in range(9)
    ]
    means = [
        statistics.fmean(sum(sizes) for sizes, _, _ in drawn),
        statistics.fmean(warps for _, warps, _ in drawn),
        statistics.fmean(requests for _, _, requests in drawn),
    ]
    wanted = [
        [
            sum(sizes) / means[0],
            warps / means[1],
            requests / means[2],
            statistics.pstdev(sizes) / statistics.fmean(sizes),
        ]
        for sizes, warps, requests in drawn
    ]
    found = inter_features([launch(*each) for each in drawn])
    np.testing.assert_allclose(found.values, wanted, rtol=1e-12)


def test_features_without_anything_are_dropped():
    """Kernels without memory whose CTAs are all as large have two features left."""
    found = inter_features([launch([100], 10, 0), launch([300], 30, 0)])
    assert found.names == ("thread instructions", "warp instructions")
    assert found.dropped == ("memory requests", "variation of CTA sizes")
    assert found.values.tolist() == [[0.5, 0.5], [1.5, 1.5]]


def test_requests_are_those_of_global_and_local_memory():
    one = launch([100], 10, 30)
    local = replace(
        one.profile, accesses=(access(Space.GLOBAL, lines=20), access(Space.LOCAL, lines=10))
    )
    found = inter_features([one, replace(one, profile=local)])
    assert found.values[:, 2].tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("missing", "words"), [("accesses", "no memory accesses"), ("by_cta", "no CTAs")]
)
def test_what_was_not_counted_is_not_zero(missing, words):
    one = launch([100], 10, 5, number=3)
    bare = replace(one, profile=replace(one.profile, **{missing: None}))
    with pytest.raises(UsageError, match=f"launch 3, k, has {words}") as caught:
        inter_launch([one, bare])
    assert "collect them" in str(caught.value)


# ----------------------------------------------------------------------------- selection


def test_launches_alike_stand_for_each_other():
    """Sizes 96, 100, 104 are within 0.1 of their mean and 300 is not: 100 is at the centre."""
    launches = [launch([n], n, n, number=k) for k, n in enumerate((104, 300, 96, 100))]
    found = inter_launch(launches, threshold=0.15)
    assert found.method == "tbpoint"
    assert found.options == {"threshold": "0.15"}
    assert found.units == tuple(
        SelectionUnit(k, k + 1, n) for k, n in enumerate((104, 300, 96, 100))
    )
    assert found.strata == (Stratum((0, 2, 3), (3,), 0.5), Stratum((1,), (1,), 0.5))
    assert found.launches == (1, 3)
    assert found.sample_share == 400 / 600


def test_kernels_never_stand_for_each_other():
    """Launches of a and b are equal; those of a and c lie between each other."""
    names = "baabcc"
    launches = [launch([100], 10, 5, kernel=name, number=k) for k, name in enumerate(names)]
    found = inter_launch(launches)
    assert [each.members for each in found.strata] == [(0, 3), (1, 2), (4, 5)]
    assert [each.chosen for each in found.strata] == [(0,), (1,), (4,)]


def test_kernels_of_one_name_and_other_code_never_stand_for_each_other(tmp_path):
    kernels = []
    for folder, body in (("a", ""), ("b", "bar.sync 0;"), ("c", "")):
        path = tmp_path / f"{folder}.ptx"
        head = ".version 7.8\n.target sm_80\n.address_size 64\n"
        path.write_text(f"{head}.visible .entry k() {{ {body} ret; }}\n")
        kernels.append(load_kernel(path)[1])
    made = [launch([100], 10, 5, number=k) for k in range(3)]
    made = [
        replace(one, profile=replace(one.profile, kernel=kernel))
        for one, kernel in zip(made, kernels, strict=True)
    ]
    assert [each.members for each in inter_launch(made).strata] == [(0, 2), (1,)]


def test_means_are_those_of_the_kernel():
    """Beside a million of b, 100 and 120 of a would be alike; of a's own mean they are not."""
    launches = [launch([n], n, 0, kernel=k) for k, n in (("a", 100), ("a", 120), ("b", 10**6))]
    assert [each.members for each in inter_launch(launches).strata] == [(0,), (1,), (2,)]


def test_weights_are_shares_of_warp_instructions():
    launches = [launch([n], n, n) for n in (100, 500, 100, 300)]
    found = inter_launch(launches)
    assert [(each.members, each.weight) for each in found.strata] == [
        ((0, 2), 0.2),
        ((1,), 0.5),
        ((3,), 0.3),
    ]


def test_the_default_is_the_paper_s_threshold():
    """Two features of 1 ± d/2 are d * sqrt(2) apart; the threshold is 0.1."""
    near = [launch([n], n, 0) for n in (1000 - 35, 1000 + 35)]
    far = [launch([n], n, 0) for n in (1000 - 36, 1000 + 36)]
    assert [len(inter_launch(each).strata) for each in (near, far)] == [1, 2]


def test_no_two_of_a_stratum_are_further_apart():
    chance = np.random.default_rng(6)
    launches = [
        launch(chance.integers(80, 120, 8), *chance.integers(80, 120, 2).tolist())
        for _ in range(150)
    ]
    found = inter_launch(launches)
    points = inter_features(launches).values
    widths = [pdist(points[list(s.members)]).max(initial=0.0) for s in found.strata]
    assert max(widths) <= 0.1
    assert 1 < len(found.strata) < 150
    assert sorted(n for s in found.strata for n in s.members) == list(range(150))
    assert [s.members[0] for s in found.strata] == sorted(s.members[0] for s in found.strata)
    for each in found.strata:
        members = points[list(each.members)]
        away = np.linalg.norm(members - members.mean(axis=0), axis=1)
        assert away[each.members.index(each.chosen[0])] == pytest.approx(away.min())
    assert sum(each.weight for each in found.strata) == pytest.approx(1.0)


@pytest.mark.parametrize("launches", [[], [launch([0], 0, 0)]])
def test_nothing_cannot_be_sampled(launches):
    with pytest.raises(UsageError, match="nothing to sample"):
        inter_launch(launches)


def test_a_kernel_that_does_nothing_is_one_stratum():
    idle = [launch([0], 0, 0, kernel="idle"), launch([0, 0], 0, 0, kernel="idle")]
    found = inter_launch([*idle, launch([100], 10, 5)])
    assert found.strata == (Stratum((0, 1), (0,), 0.0), Stratum((2,), (2,), 1.0))


def test_launches_of_a_real_kernel():
    """vecadd for 1,000 and 8,000 elements in two turns."""
    launches = []
    for number, n in enumerate((1000, 8000, 1000, 8000)):
        options = LaunchOptions(sizes={"n": n})
        (done,) = warpmill.profile(SAMPLES / "vecadd" / "launch.toml", launch=options).launches
        one = done.profile
        counts = (one.grid, one.block, one.warp_instructions)
        launches.append(CountedLaunch(number, "vecadd", *counts, (), one, 0))
    assert [each.members for each in inter_launch(launches).strata] == [(0, 2), (1, 3)]
    found = inter_features(launches)
    assert found.dropped == ()
    assert found.values[0, 3] == pytest.approx(
        statistics.pstdev([256 * 11 + 11 * n for n in (256, 256, 256, 232)])
        / statistics.fmean([256 * 11 + 11 * n for n in (256, 256, 256, 232)])
    )


# ------------------------------------------------------------------------------ Table IV


def test_cycles_of_the_whole_by_hand():
    """Launches of 100, 100 and 200 instructions at a CPI of 2, 2 and 5: 2 * 200 + 5 * 200."""
    found = inter_launch([launch([n], n, n) for n in (100, 200, 100)])
    assert found.chosen == (0, 1)
    assert project(found, {0: 200.0, 1: 1000.0}).cycles == pytest.approx(1400.0)
