"""GT-Pin's feature vectors of small applications, worked out by hand."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.profile.counts import AccessProfile, BlockProfile, Profile
from warpmill.simulator.sampling.gtpin import (
    FEATURES,
    launch_vectors,
)
from warpmill.simulator.sampling.model import CountedLaunch, SelectionUnit

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"


@cache
def kernel(name, *lengths, file="a.ptx", word="add.u32"):
    """Make a kernel whose blocks have so many instructions, and a last one of one."""
    body = ""
    for place, length in enumerate(lengths):
        body += f"B{place}:\n" + f"{word} %r, %r, 1;\n" * (length - 1) + "@%p bra END;\n"
    text = (
        f"{HEAD}.visible .entry {name}()\n{{\n.reg .pred %p; .reg .b32 %r;\n{body}END:\nret;\n}}\n"
    )
    return ptx.parse(Source(file, text)).module.kernels[0]


def access(block, kind, threads, space=Space.GLOBAL, width=4):
    return AccessProfile(block, 0, kind, space, width, 1, threads)


def launch(of, executions, accesses=(), *, arguments=(), grid=1, interval=0, number=0):
    """Make a launch whose blocks are executed so often by warps."""
    blocks = tuple(BlockProfile(k, warps, 32 * warps) for k, warps in enumerate(executions))
    accesses = None if accesses is None else tuple(accesses)
    profile = Profile(of, (grid, 1, 1), (32, 1, 1), 0, 32, blocks, accesses=accesses)
    counts = ((grid, 1, 1), (32, 1, 1), profile.warp_instructions)
    return CountedLaunch(number, of.name, *counts, tuple(arguments), profile, interval)


def vectors(launches, feature):
    """Each launch's vector as a dict of its keys in words."""
    found = launch_vectors(launches, feature)
    rows = found.counts.tolist()
    return [{k: v for k, v in zip(found.keys, row, strict=True) if v} for row in rows]


# ------------------------------------------------------------------------------ keys


def test_blocks_count_their_instructions_as_in_the_paper():
    """§V-B: A of 3 instructions 10 times is 30, B of 20 instructions 5 times is 100."""
    one = launch(kernel("k", 3, 20), (10, 5, 10))
    assert vectors([one], "BB") == [{"k/B0": 30, "k/B1": 100, "k/END": 10}]
    assert vectors([one], "KN") == [{"k": 140}]
    assert one.warp_instructions == 140


def application():
    """Two kernels; one launched with other arguments, another size, and with other bytes."""
    k, other = kernel("k", 4), kernel("other", 2, 6)
    moved = [access(0, "load", 64), access(0, "store", 16), access(0, "atomic", 8)]
    inside = [access(0, "load", 99, Space.SHARED), access(0, "load", 99, Space.CONST)]
    less = [access(0, "load", 32)]
    return [
        launch(k, (2, 2), moved + inside, arguments=("7",), grid=2),
        launch(k, (2, 2), moved, arguments=("8",), grid=2),
        launch(k, (4, 4), less, arguments=("7",), grid=4),
        launch(other, (1, 0, 1), [access(0, "store", 3, Space.LOCAL, 8)]),
    ]


WANTED = json.loads(Path(__file__).with_name("gtpin_vectors.json").read_text("utf-8"))


def test_the_ten_features_are_those_of_table_3():
    assert list(FEATURES) == list(WANTED)


@pytest.mark.parametrize("feature", FEATURES)
def test_keys_and_counts_by_hand(feature):
    assert vectors(application(), feature) == WANTED[feature]


def test_reads_and_writes_are_told_apart_unless_they_are_added():
    """One launch reads what another writes: equal sums are one key of BB-(R+W) alone."""
    k = kernel("k", 4)
    pair = [launch(k, (1, 1), [access(0, kind, 32)]) for kind in ("load", "store")]
    shared = {f: len(launch_vectors(pair, f).keys) for f in FEATURES}
    assert shared == {
        "KN": 1, "KN-ARGS": 1, "KN-GWS": 1, "KN-ARGS-GWS": 1, "KN-RW": 2,
        "BB": 2, "BB-R": 3, "BB-W": 3, "BB-R-W": 3, "BB-(R+W)": 2,
    }  # fmt: skip


def test_keys_stand_in_the_order_of_first_execution():
    first, second = kernel("z", 2, 2), kernel("a", 2)
    launches = [launch(first, (1, 0, 1)), launch(second, (1, 1)), launch(first, (1, 1, 1))]
    assert launch_vectors(launches, "KN").keys == ("z", "a")
    assert launch_vectors(launches, "BB").keys == ("z/B0", "z/END", "a/B0", "a/END", "z/B1")


def test_kernels_of_one_name_are_told_apart_by_their_code():
    """The module that code comes from makes no difference, another instruction does."""
    one, same = kernel("k", 3), kernel("k", 3, file="b.ptx")
    other = kernel("k", 3, word="sub.u32")
    assert one is not same
    assert distinct_names([one, same, other, same, other]) == ("k", "k", "k#2", "k", "k#2")
    launches = [launch(each, (1, 1)) for each in (one, other, same)]
    assert vectors(launches, "BB") == [
        {"k/B0": 3, "k/END": 1}, {"k#2/B0": 3, "k#2/END": 1}, {"k/B0": 3, "k/END": 1},
    ]  # fmt: skip


# ------------------------------------------------------------------------------ units


@pytest.mark.parametrize("feature", FEATURES)
def test_vectors_of_units_add_up_to_their_instructions(feature):
    launches = application()
    units = [SelectionUnit(0, 3, 40), SelectionUnit(3, 4, 3)]
    each = launch_vectors(launches, feature)
    found = each.of_units(units)
    assert found.keys == each.keys
    assert found.counts.dtype == np.float64
    assert found.counts.tolist() == [each.counts[:3].sum(axis=0).tolist(), each.counts[3].tolist()]
    assert found.counts.sum(axis=1).tolist() == [40, 3]


def test_units_may_be_some_of_the_launches():
    launches = application()
    found = launch_vectors(launches, "KN").of_units([SelectionUnit(2, 4, 23)])
    assert found.counts.tolist() == [[20, 3]]


# ------------------------------------------------------------------------------ refusals


def test_bytes_that_were_not_counted_are_unknown():
    one = launch(kernel("k", 3), (1, 1), None)
    for feature in FEATURES:
        if feature.split("-")[-1] in ("RW", "R", "W", "(R+W)"):
            with pytest.raises(ValueError, match="accesses of k to memory were not counted"):
                launch_vectors([one], feature)
        else:
            assert launch_vectors([one], feature).counts.sum() == 4


def test_a_feature_that_there_is_not():
    with pytest.raises(ValueError, match=r"no feature BB-X: there are KN, KN-ARGS, .*BB-\(R\+W\)"):
        launch_vectors(application(), "BB-X")
