"""Proofs for every size, held to memcheck: what is proven is clean, each example is found."""

import random

import pytest

import warpmill
from tests.analyses.proof_kernels import GUARDED, KERNELS, ProofKernel, store
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.proofs import proven_launches

pytest.importorskip("z3")
SEED = 20


def proofs_of(path):
    (launch,) = proven_launches(
        prepare_all(str(path), None, LaunchOptions(), strict=False)
    ).launches
    return launch.proofs


def of_kind(proofs, kind):
    return [v for v in sorted(proofs.verdicts, key=lambda v: v.place) if v.kind == kind]


def out_of_bounds(path, **sizes):
    """The lines of the accesses that memcheck finds."""
    report = warpmill.check(str(path), tools=["memcheck"], sizes=sizes)
    assert {one.tool for one in report.findings} <= {"memcheck"}
    return {one.access.place.line for one in report.findings}


def lines(path, verdicts):
    (job,) = prepare_all(str(path), None, LaunchOptions(), strict=False)
    places = (v.place for v in verdicts)
    return {job.kernel.blocks[b].instructions[i].span.line for b, i in places}


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.name)
def test_answers_are_those_of_memcheck_at_every_size_that_is_tried(kernel, tmp_path):
    path = kernel.write(tmp_path)
    proofs = proofs_of(path)
    bounds = of_kind(proofs, "in bounds")
    assert tuple(v.status for v in bounds) == kernel.answers
    draw = random.Random(SEED)
    proven = lines(path, [v for v in bounds if v.status == "proven"])
    for n in [1, 64, *(draw.randint(1, 700) for _ in range(6))]:
        assert not out_of_bounds(path, n=n) & proven, n
    for verdict in bounds:
        if verdict.example is not None:
            assert lines(path, [verdict]) <= out_of_bounds(path, **dict(verdict.example.sizes))


@pytest.mark.parametrize(
    "kernel", [k for k in KERNELS if "proven" not in k.answers], ids=lambda kernel: kernel.name
)
def test_what_is_not_proven_for_all_sizes_is_for_those_of_a_domain(kernel, tmp_path):
    path = kernel.write(tmp_path)
    proofs = proofs_of(path)
    (found,) = of_kind(proofs, "in bounds")
    assert found.in_domain == (kernel.multiple is not None or kernel.most is not None)
    if not found.in_domain:
        return
    multiple = kernel.multiple or 1
    assert dict(proofs.domain.multiples).get("n", 1) == multiple
    assert kernel.most in (None, proofs.domain.most)
    for times in (1, 2, 5, 9):
        assert not out_of_bounds(path, n=times * multiple)


WRAPS = ProofKernel(
    "square",
    "  mul.lo.s32 %r12, %r5, %r0;\n" + GUARDED + store("%r12"),
    ("refuted",),
    shape='"n", "n"',
)


def test_an_index_that_wraps_holds_up_to_where_it_does(tmp_path):
    proofs = proofs_of(WRAPS.write(tmp_path))
    (bounds,) = of_kind(proofs, "in bounds")
    (overflow,) = of_kind(proofs, "no 32-bit overflow")
    assert (bounds.status, overflow.status) == ("refuted", "refuted")
    assert bounds.example.wraps and bounds.example.offset < 0
    most = proofs.domain.most
    assert (most - 1) * most < 1 << 31 <= most * (most + 1)  # row n - 1 begins at (n - 1) * n


def test_a_guard_in_64_bits_does_not_wrap(tmp_path):
    body = (
        "  cvt.s64.s32 %rd3, %r5;\n  cvt.s64.s32 %rd4, %r0;\n  mul.lo.s64 %rd5, %rd3, %rd4;\n"
        + GUARDED
        + "  shl.b64 %rd6, %rd5, 2;\n  add.s64 %rd2, %rd0, %rd6;\n  st.global.u32 [%rd2], %r1;\n"
    )
    proofs = proofs_of(ProofKernel("wide", body, ("proven",), '"n", "n"').write(tmp_path))
    assert {v.status for v in proofs.verdicts} == {"proven"}


@pytest.mark.parametrize(("offset", "status"), [("+16", "proven"), ("+8", "refuted")])
def test_alignment(offset, status, tmp_path):
    body = GUARDED + (
        "  mul.wide.s32 %rd1, %r5, 16;\n  add.s64 %rd2, %rd0, %rd1;\n"
        f"  ld.global.v4.u32 {{%r20, %r21, %r22, %r23}}, [%rd2{offset}];\n"
    )
    kernel = ProofKernel("vector", body, (status,), '"4 * n + 8"')
    path = kernel.write(tmp_path)
    (aligned,) = of_kind(proofs_of(path), "aligned")
    assert aligned.status == status
    found = warpmill.check(str(path), tools=["memcheck"], sizes={"n": 100}).findings
    assert [one.kind for one in found] == ([] if status == "proven" else ["misaligned"])


UNEVEN = "  mov.u32 %r7, 64;\nLOOP:\n  shr.u32 %r7, %r7, 1;\n"
ON = "  setp.gt.u32 %p1, %r7, 1;\n  @%p1 bra LOOP;\n"
BY_THREAD = "  setp.lt.u32 %p0, %r1, %r7;\n  @%p0 bra OVER;\n{}OVER:\n"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (UNEVEN + BY_THREAD.format("  add.s32 %r9, %r7, 1;\n") + "  bar.sync 0;\n" + ON, "proven"),
        (UNEVEN + BY_THREAD.format("  bar.sync 0;\n") + ON, "unknown"),
        ("  setp.ge.s32 %p0, %r0, 5;\n  @%p0 bra END;\n  bar.sync 0;\n", "proven"),
        (GUARDED + "  bar.sync 0;\n", "unknown"),
        (
            "  mov.u32 %r7, 1;\n"
            + BY_THREAD.format("  mov.u32 %r7, 2;\n  add.s32 %r8, %r7, 1;\n")
            + "  setp.eq.s32 %p2, %r7, 1;\n  @%p2 bra END;\n  bar.sync 0;\n",
            "unknown",
        ),
    ],
    ids=["in a loop of all", "in a branch of some", "by a size", "after some left", "by a choice"],
)
def test_barriers(body, status, tmp_path):
    proofs = proofs_of(ProofKernel("barrier", body, ()).write(tmp_path))
    (barrier,) = of_kind(proofs, "barrier reached by all threads")
    assert barrier.status == status
    if status == "unknown":
        assert barrier.reason.endswith("thread ids decide a branch")


@pytest.mark.parametrize(("sums", "status"), [(20, "proven"), (2000, "unknown")])
def test_a_long_chain_of_sums_ends_in_a_reason(sums, status, tmp_path):
    """Thousands of sums one after the other, as unrolled code has them, exhaust no stack."""
    body = GUARDED + "  mul.wide.s32 %rd1, %r5, 4;\n" + "  add.s64 %rd1, %rd1, 4;\n" * sums
    body += "  add.s64 %rd2, %rd0, %rd1;\n  st.global.u32 [%rd2], %r1;\n"
    kernel = ProofKernel("chain", body, (status,), f'"n + {sums}"')
    (bounds,) = of_kind(proofs_of(kernel.write(tmp_path)), "in bounds")
    assert bounds.status == status
    assert status == "proven" or "the arithmetic is too deep" in bounds.reason


def test_effort_that_is_spent_leaves_the_rest_unknown(tmp_path):
    jobs = prepare_all(str(WRAPS.write(tmp_path)), None, LaunchOptions(), strict=False)
    (launch,) = proven_launches(jobs, most=1).launches
    unknown = [v for v in launch.proofs.verdicts if v.status == "unknown"]
    assert unknown and all("effort" in v.reason for v in unknown)
