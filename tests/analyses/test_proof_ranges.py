"""Proofs for sizes that a user gives: what goes wrong beyond them is nothing."""

import pytest

import warpmill
from tests.analyses.proof_kernels import GUARDED, KERNELS, ProofKernel, store
from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.base.diagnostics import UsageError

pytest.importorskip("z3")
SQUARE = ProofKernel(
    "square",
    "  mul.lo.s32 %r12, %r5, %r0;\n" + GUARDED + store("%r12"),
    ("refuted",),
    shape='"n", "n"',
)
"""Element ``i * n`` of ``n * n``: it wraps from n = 46,341 on, the least whose square is 2^31."""
UNGUARDED = next(k for k in KERNELS if k.multiple is not None)


def checked(kernel, folder, **ranges):
    return warpmill.check(str(kernel.write(folder)), tools=["proofs"], prove_for=ranges)


@pytest.mark.parametrize(("high", "clean"), [(46_341, True), (46_342, False)])
def test_an_index_that_wraps_beyond_them_is_proven(high, clean, tmp_path):
    """The last element that is accessed is (n - 1) * n."""
    report = checked(SQUARE, tmp_path, n=AssumedRange(1, high))
    assert (not report.findings) == clean
    assert {one.answer for one in report.proofs if one.kind == "in bounds"} == (
        {"proven"} if clean else {"refuted"}
    )


def test_the_answer_names_them(tmp_path):
    report = checked(SQUARE, tmp_path, n=AssumedRange(7, 900))
    assert report.proven == ("k: 1 of 1 accesses is in bounds for every n from 7 to 900.",)


def test_examples_and_domains_lie_within_them(tmp_path):
    """Without a guard the last CTA leaves the buffer, but for multiples of the block."""
    report = checked(UNGUARDED, tmp_path, n=AssumedRange(1001, 5000))
    (finding,) = report.findings
    assert "n = 1," in finding.message
    single = UNGUARDED.multiple
    assert not checked(UNGUARDED, tmp_path, n=AssumedRange(single, single)).findings


def test_what_is_no_size_is_refused_before_anything_runs(tmp_path):
    path = str(SQUARE.write(tmp_path))
    with pytest.raises(UsageError) as refused:
        warpmill.check(path, prove_for={"m": AssumedRange(1, 5), "k": AssumedRange(2, 3)})
    assert [one.message for one in refused.value.diagnostics] == [
        "--prove-for m=1..5: the launch has no size m; its sizes are n",
        "--prove-for k=2..3: the launch has no size k; its sizes are n",
    ]
