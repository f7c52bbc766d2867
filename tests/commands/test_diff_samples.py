"""Builds of the samples compared with each other: both ways say the same, mirrored."""

from functools import cache
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.frontends.load import kernel_names
from warpmill.commands.diff.result import ComparedBuilds, diff_report
from warpmill.comparing.blocks import pair_names
from warpmill.report.text import render

SAMPLES = Path(__file__).parents[2] / "samples"
NAMES = sorted(p.name for p in SAMPLES.iterdir() if (p / "launch.toml").exists())
PAIRS = [
    ("sm_80.ptx", "sm_80.clang.ptx"),
    ("sm_80.clang.ptx", "bc"),
    ("bc", "opencl.bc"),
    ("opencl.bc", "sm_80.ptx"),
]


@cache
def builds(path):
    return {name: warpmill.prepare(path, name) for name in kernel_names(path)}


def compared(a, b):
    left, right = builds(a), builds(b)
    names = pair_names(tuple(left), tuple(right))
    assert len(names) == len(left) == len(right)
    pairs = [ComparedBuilds(left[x], right[y]) for x, y in names]
    return diff_report((str(a), str(b)), pairs, all_rows=True)


def file(sample, kind):
    return SAMPLES / sample / f"{sample}.{kind}"


DERIVED = frozenset({"change_fraction", "iterations_of_a", "reason"})
"""Figures over A's, and words that name A and B."""


def turned(value, key=""):
    """The data of a report with A and B exchanged, without what is derived."""
    if isinstance(value, list):
        return [turned(v) for v in value]
    if isinstance(value, dict):
        return {_OTHER.get(k, k): turned(v, k) for k, v in value.items() if k not in DERIVED}
    return -value if key == "delta" and isinstance(value, int | float) else value


_OTHER = {"a": "b", "b": "a", "only_in_a": "only_in_b", "only_in_b": "only_in_a",
          "launch_a": "launch_b", "launch_b": "launch_a", "places_a": "places_b",
          "places_b": "places_a"}  # fmt: skip


def in_order(report):
    """Order loops by their names: those of A stand first, whichever is A."""
    for kernel in report["kernels"]:
        kernel["loops"].sort(key=lambda r: sorted(str((r[s] or {}).get("name")) for s in "ab"))
    return report


def same_changes(report):
    for kernel in report.kernels:
        for row in (*kernel.figures, *kernel.classes, *kernel.opcodes):
            if row.delta is not None and row.a:
                assert row.change_fraction == pytest.approx(row.b / row.a - 1)


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("sample", NAMES)
@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_b_against_a_is_the_mirror_of_a_against_b(sample, first, second):
    a, b = file(sample, first), file(sample, second)
    one, other = compared(a, b), compared(b, a)
    same_changes(one)
    mirrored = in_order(turned(other.flat()))
    assert in_order(turned(turned(one.flat()))) == mirrored
    for report in (one, other):
        text = render(report, "text")
        assert max(map(len, text.splitlines())) <= 80
        assert render(report, "csv").count("\n") > len(report.kernels)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("sample", [n for n in NAMES if (SAMPLES / n / f"{n}.ll").exists()])
def test_bitcode_is_what_its_print_is(sample):
    path = SAMPLES / sample
    report = compared(path / f"{sample}.bc", path / f"{sample}.ll")
    assert report.equal


def test_that_ptx_and_llvm_differ_as_languages_is_said_where_both_are_compared():
    words = "some differences are those of PTX and LLVM IR as languages"
    pairs = {("sm_80.ptx", "bc"): True, ("sm_80.ptx", "sm_80.clang.ptx"): False,
             ("bc", "opencl.bc"): False}  # fmt: skip
    for (a, b), said in pairs.items():
        text = render(compared(file("vecadd", a), file("vecadd", b)), "text")
        assert (words in " ".join(text.split())) == said, (a, b)
