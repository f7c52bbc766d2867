"""TBPoint's epochs and homogeneous regions, beside examples worked out by hand and slow twins."""

import statistics
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np
import pytest
from scipy.cluster.hierarchy import fcluster, linkage

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.types import Space
from warpmill.session.sampled_launches import sampled_launches
from warpmill.simulator.sampling import tbpoint
from warpmill.simulator.sampling.tbpoint import (
    OUTSIDE,
    CtaWork,
    HomogeneousRegion,
    cta_work,
    epochs_of,
    regions,
)


def ctas(accesses, instructions):
    """Make the work of CTAs."""
    return CtaWork(np.array(accesses, np.int64), np.array(instructions, np.int64))


def rows(found):
    return [(r.id, r.cluster, r.first_cta, r.last_cta) for r in found.table]


# -------------------------------------------------------------------------------- epochs


def test_two_ctas_by_hand():
    """Accesses 20 of 160 and 10 of 40: p is (1/8 + 1/4) / 2; 160 and 40 vary by 60 / 100."""
    found = epochs_of(ctas([20, 10], [160, 40]), 2)
    assert found.stall_probability.tolist() == [3 / 16]
    assert found.variation_factor.tolist() == [0.6]  # of accesses 5 / 15


def test_the_larger_variation_is_the_factor():
    found = epochs_of(ctas([30, 10], [100, 100]), 2)
    assert found.variation_factor.tolist() == [0.5]


def test_the_last_epoch_has_what_is_left():
    found = epochs_of(ctas([1, 1, 1, 1, 4], [10, 10, 10, 10, 10]), 2)
    assert found.stall_probability.tolist() == [0.1, 0.1, 0.4]
    assert found.variation_factor.tolist() == [0.0, 0.0, 0.0]
    assert (len(found), found.ctas, found.occupancy) == (3, 5, 2)


def test_ctas_that_do_nothing_do_not_stall():
    found = epochs_of(ctas([0, 0, 5, 0], [0, 0, 10, 0]), 2)
    assert found.stall_probability.tolist() == [0.0, 0.25]
    assert found.variation_factor.tolist() == [0.0, 1.0]


@pytest.mark.parametrize("occupancy", [1, 2, 7, 64, 1000])
def test_epochs_are_those_of_plain_lists(occupancy):
    chance = np.random.default_rng(occupancy)
    instructions = chance.integers(1, 10_000, 301)
    requests = chance.integers(0, 400, 301)
    found = epochs_of(ctas(requests, instructions), occupancy)
    probabilities, factors = [], []
    for start in range(0, 301, occupancy):
        x = requests[start : start + occupancy].tolist()
        y = instructions[start : start + occupancy].tolist()
        probabilities.append(statistics.fmean(a / b for a, b in zip(x, y, strict=True)))
        factors.append(max(statistics.pstdev(v) / (statistics.fmean(v) or 1) for v in (x, y)))
    np.testing.assert_allclose(found.stall_probability, probabilities, rtol=1e-12)
    np.testing.assert_allclose(found.variation_factor, factors, rtol=1e-9, atol=1e-15)


def test_equal_ctas_do_not_vary_at_all():
    found = epochs_of(ctas([333] * 21, [99991] * 21), 7)
    assert found.variation_factor.tolist() == [0.0] * 3
    assert len(set(found.stall_probability.tolist())) == 1


def test_an_epoch_needs_a_cta():
    for occupancy in (0, -4):
        with pytest.raises(UsageError, match="at least 1"):
            epochs_of(ctas([1], [10]), occupancy)


# ------------------------------------------------------------------------------- regions


def figure_6():
    """Eight epochs of two CTAs: p is 0.2 in four and 0.1 in four, the third and fourth vary."""
    even, uneven, other = ([20, 20], [100, 100]), ([20, 200], [100, 1000]), ([10, 10], [100, 100])
    epochs = [even, even, uneven, uneven, other, other, other, other]
    return ctas(*(np.concatenate(each) for each in zip(*epochs, strict=True)))


def test_figure_6():
    found = regions(figure_6(), 2)
    assert found.clusters.tolist() == [0, 0, 1, 2, 3, 3, 3, 3]
    assert found.outliers.tolist() == [False, False, True, True, False, False, False, False]
    assert found.table == (HomogeneousRegion(1, 0, 0, 3), HomogeneousRegion(2, 3, 8, 15))
    assert found.of_cta.tolist() == [1] * 4 + [OUTSIDE] * 4 + [2] * 8


def test_a_cta_is_looked_up():
    found = regions(figure_6(), 2)
    first, second = found.table
    assert [found.region(cta) for cta in (0, 3, 8, 15)] == [first, first, second, second]
    assert [found.region(cta) for cta in (4, 7)] == [None, None]
    for cta in (-1, 16):
        with pytest.raises(IndexError):
            found.region(cta)


def test_one_profile_serves_machines_of_any_occupancy():
    """In epochs of four only the second one varies, and the first has even CTAs only."""
    counts = figure_6()
    assert rows(regions(counts, 4)) == [(1, 0, 0, 3), (2, 2, 8, 15)]
    assert rows(regions(counts, 1)) == [(1, 0, 0, 7), (2, 1, 8, 15)]
    assert rows(regions(counts, 99)) == []  # all in one epoch, which varies


def test_a_cluster_that_comes_back_is_another_region():
    found = regions(ctas([20, 20, 5, 20], [100] * 4), 1)
    assert rows(found) == [(1, 0, 0, 1), (2, 1, 2, 2), (3, 0, 3, 3)]


def test_an_outlier_parts_a_region():
    found = regions(ctas([20, 20, 20, 60, 20, 20], [100, 100, 100, 300, 100, 100]), 2)
    assert found.clusters.tolist() == [0, 1, 0]
    assert rows(found) == [(1, 0, 0, 1), (2, 0, 4, 5)]


def test_the_last_region_ends_with_the_grid():
    assert rows(regions(ctas([20] * 11, [100] * 11), 4)) == [(1, 0, 0, 10)]


def test_distances_are_shares_of_the_mean():
    """Of 0.09 and 0.11 the mean is 0.1: they are 0.2 of it apart. Raw they are always near."""
    assert rows(regions(ctas([10900, 9100], [100_000] * 2), 1)) == [(1, 0, 0, 1)]
    assert len(regions(ctas([11100, 8900], [100_000] * 2), 1).table) == 2
    assert len(regions(ctas([11100, 8900], [100_000] * 2), 1, threshold=0.3).table) == 1


def test_a_factor_of_the_threshold_is_no_outlier():
    """70 and 130 vary by 30 / 100."""
    counts = ctas([0, 0], [70, 130])
    assert regions(counts, 2).epochs.variation_factor.tolist() == [0.3]
    assert not regions(counts, 2).outliers.any()
    assert regions(counts, 2, variation_threshold=0.29).outliers.all()
    assert regions(ctas([0, 0], [69, 131]), 2).outliers.all()


def test_kernels_without_memory_are_one_region():
    assert rows(regions(ctas([0] * 9, [50] * 9), 2)) == [(1, 0, 0, 8)]


def test_a_launch_without_ctas_has_no_regions():
    found = regions(ctas([], []), 4)
    assert (len(found.epochs), found.table, len(found.of_cta)) == (0, (), 0)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("in_line", [False, True])
def test_regions_are_those_of_a_slow_twin(seed, in_line, monkeypatch):
    """Cluster all epochs by scipy alone, take out what varies, and group what follows.

    Instructions are drawn, so that no two distances are equal: of those either pair may be first.
    """
    if in_line:
        monkeypatch.setattr(tbpoint, "_MATRIX_POINTS", 0)
    chance = np.random.default_rng(seed)
    base = np.repeat(chance.integers(5000, 15_000, 30), 20)
    requests = base + chance.integers(0, 1 + 2000 * seed, 600)
    instructions = chance.integers(100_000, 101_000, 600) + (chance.random(600) < 0.02) * 500_000
    found = regions(ctas(requests, instructions), 5)
    epochs = found.epochs
    points = epochs.stall_probability / statistics.fmean(epochs.stall_probability.tolist())
    labels = fcluster(linkage(points[:, None], "complete"), 0.2, "distance").tolist()
    labels = [
        -k if factor > 0.3 else label
        for k, (label, factor) in enumerate(zip(labels, epochs.variation_factor, strict=True), 1)
    ]
    wanted, start = [], 0
    for label, run in groupby(labels):
        end = start + len(list(run))
        if label > 0:
            wanted.append((start * 5, end * 5 - 1))
        start = end
    assert len(wanted) > 2
    assert found.outliers.any()
    assert [(r.first_cta, r.last_cta) for r in found.table] == wanted
    assert len(set(zip(labels, found.clusters.tolist(), strict=True))) == len(set(labels))
    assert len(set(found.clusters.tolist())) == len(set(labels))


@pytest.mark.parametrize("threshold", [0.0, 0.01, 0.2, 5.0])
def test_many_epochs_are_merged_as_scipy_does(threshold):
    for seed in range(5):
        points = np.sort(np.random.default_rng(seed).gamma(2.0, 0.4, 400))
        found = tbpoint._merged_in_line(points, threshold)
        wanted = fcluster(linkage(points[:, None], "complete"), threshold, "distance")
        pairs = set(zip(found.tolist(), wanted.tolist(), strict=True))
        assert len(pairs) == len(set(found.tolist())) == len(set(wanted.tolist()))


def test_many_epochs_are_merged_up_to_the_threshold():
    """0.25 is as far apart as 0.25 allows; the first two are merged before the third comes."""
    assert tbpoint._merged_in_line(np.array([0.0, 0.25]), 0.25).tolist() == [0, 0]
    assert tbpoint._merged_in_line(np.array([0.0, 0.2, 0.5]), 0.3).tolist() == [0, 0, 2]


def test_many_epochs_that_are_evenly_spaced_keep_to_the_threshold():
    points = np.arange(20_000) / 1000
    labels = tbpoint._merged_in_line(points, 0.2)
    ends = [points[labels == label][[0, -1]] for label in np.unique(labels)]
    assert max(last - first for first, last in ends) <= 0.2
    narrowest = [b[1] - a[0] for a, b in pairwise(ends)]
    assert min(narrowest) > 0.2  # no two could be merged


# -------------------------------------------------------------------------------- profiles


def test_work_is_read_off_a_profile():
    """bfs: each block's memory instructions times its executions by a CTA's warps; all add up."""
    for one in sampled_launches("bfs:tiny", ctas=True).launches:
        work = cta_work(one.profile)
        places = {(a.block, a.instruction) for a in one.profile.accesses
                  if a.space in (Space.GLOBAL, Space.LOCAL)}  # fmt: skip
        executed = sum(one.profile.blocks[block].warps for block, _ in places)
        assert work.accesses.sum() == executed > 0
        assert work.warp_instructions.sum() == one.warp_instructions
        assert (work.accesses < work.warp_instructions).all()


def test_shared_memory_is_no_access():
    """transpose loads and stores outside once each a thread, and once each in shared memory."""
    (one, *_) = (x for x in sampled_launches("transpose:tiny", ctas=True).launches
                 if any(a.space is Space.SHARED for a in x.profile.accesses))  # fmt: skip
    work = cta_work(one.profile)
    shared = sum(a.requests for a in one.profile.accesses if a.space is Space.SHARED)
    assert 0 < work.accesses.sum() <= shared


def test_what_was_not_counted_is_told():
    (one, *_) = sampled_launches("bfs:tiny").launches
    with pytest.raises(UsageError, match="no counts of its CTAs"):
        cta_work(one.profile)
    (one, *_) = sampled_launches("bfs:tiny", ctas=True).launches
    with pytest.raises(UsageError, match="no counts of its memory accesses"):
        cta_work(replace(one.profile, accesses=None))
