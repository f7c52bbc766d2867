"""Seeds, names and launches of clones, and which launches share one."""

import pytest

from tests.reference.clone_kernels import (
    CTAID,
    FETCH,
    TID,
    WORK,
    accesses,
    branch,
    decisions,
    loop,
    made,
    opcodes,
    rate,
    studied,
    text,
)
from warpmill.cloning.clone import clone_studied, study
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.model import Random
from warpmill.session.applications import application_jobs
from warpmill.session.options import LaunchOptions


def test_the_same_seed_gives_the_same_bytes(kernels):
    def text_of(**options):
        return clone_studied(kernels("chance"), CloneOptions(**options)).files.text("clone.ptx")

    assert text_of() == text_of() == text_of(seed=0)
    assert len({text_of(seed=seed) for seed in range(4)}) == 4


def test_the_seed_changes_what_chance_decides_and_not_how_often(clones):
    first, other = clones("chance", reduction=4), clones("chance", reduction=4, seed=2)
    (block,) = decisions(first, Random)
    one, two = branch(first.here, block), branch(other.here, block)
    assert one != two
    assert rate(one) == pytest.approx(rate(two), abs=0.08)
    (a,), (b,) = (one.cloned.application.module.kernels for one in (first, other))
    assert opcodes(a) == opcodes(b)


def test_targets_and_names(kernels):
    cloned = clone_studied(kernels("hundred"), CloneOptions(chip="sm_90"))
    assert ".target sm_90\n" in cloned.files.text("clone.ptx")
    assert [k.name for k in cloned.application.module.kernels] == ["clone0"]
    assert ".target sm_80\n" in clone_studied(kernels("hundred"), CloneOptions()).files.text(
        "clone.ptx"
    )
    assert "original" not in "".join(words for _, words in cloned.files.files)


LAUNCHES = """
[[launch]]
module = "original.ptx"
grid = [{grid}]
block = [{block}]
shared = {shared}
args = [{{ buffer = "u32", shape = [65536], init = "zeros" }}, {{ u32 = {n} }}]
"""


@pytest.mark.parametrize(
    ("launches", "groups"),
    [
        # as many in a CTA; nearly as many iterations
        ([(8, 64, 0, 64), (4, 64, 0, 64), (8, 64, 0, 65), (8, 64, 0, 64)], ((0, 1, 2, 3),)),
        # other iterations, another block, shared memory
        (
            [(8, 64, 0, 64), (8, 64, 0, 80), (8, 128, 0, 64), (8, 64, 256, 64), (8, 64, 0, 64)],
            ((0, 4), (1,), (2,), (3,)),
        ),
    ],
)
def test_launches_that_are_alike_share_a_kernel(tmp_path, launches, groups):
    (tmp_path / "original.ptx").write_text(text(loop(WORK, "%r0")))
    parts = [LAUNCHES.format(grid=g, block=b, shared=s, n=n) for g, b, s, n in launches]
    path = tmp_path / "launches.toml"
    path.write_text("".join(parts))
    original = study(path)
    assert original.groups == groups
    one = made(tmp_path, original, reduction=2)
    kernels = [k.name for k in one.cloned.application.module.kernels]
    assert kernels == [f"clone{k}" for k in range(len(groups))]
    assert sorted(n for own in one.cloned.stands_for for n in own) == list(range(len(launches)))
    for launch, own in zip(one.cloned.application.launches, one.cloned.stands_for, strict=True):
        assert launch.repeats == max(1, len(own) // 2)
        for number in own:
            grid, block, shared, _ = launches[number]
            assert (launch.grid, launch.block) == ((grid, 1, 1), (block, 1, 1))
            assert launch.dynamic_shared_bytes == shared


def test_a_clone_of_a_small_launch_is_launched_with_the_largest_grid(tmp_path):
    """What the group's first launch did stands for all; addresses reach as far as the largest."""
    (tmp_path / "original.ptx").write_text(text(loop(WORK, "%r0")))
    parts = [LAUNCHES.format(grid=g, block=64, shared=0, n=32) for g in (2, 200)]
    (tmp_path / "launches.toml").write_text("".join(parts))
    one = made(tmp_path, study(tmp_path / "launches.toml"), reduction=4)
    assert one.original.groups == ((0, 1),)
    assert [launch.grid[0] for launch in one.cloned.application.launches] == [2, 200]
    assert one.here.most_grid == (200, 1, 1)


def test_a_launch_of_more_ctas_than_are_looked_at(tmp_path):
    """Of 500 CTAs 64 are looked at; the clone's 500 stay inside the arrays."""
    body = loop(f"mad.lo.u32 %r12, {CTAID}, 131, {TID};\n" + FETCH, 16)
    one = made(tmp_path, studied(tmp_path, body, grid=500, block=32), reduction=2)
    (here,) = accesses(one.here, "load")
    assert here.affine.ctas == (131 * 4, 0, 0)


ALL = LaunchOptions(launches="all")

TWO_MODULES = '''
import numpy as np

PTX = """.version 7.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{{
    .reg .b64 %rd<3>; .reg .b32 %r<4>; .reg .pred %p<2>;
    ld.param.u64 %rd1, [out]; mov.u32 %r1, 0; mov.u32 %r2, 1;
    L: {work} add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 20; @%p1 bra L;
    st.global.u32 [%rd1], %r2; ret;
}}
"""


def main(device):
    out = device.zeros(32, np.uint32)
    kernels = [device.load(PTX.format(work=work))["k"] for work in WORKS]
    for kernel in kernels * 2:
        device.launch(kernel, grid=4, block=64, args=[out])
    return {"out": out}
'''
"""Launches of kernels of one name, of modules that are given as text."""


@pytest.mark.parametrize(
    ("works", "groups"),
    [
        (("mul.lo.u32 %r2, %r2, %r1;", "ld.global.u32 %r3, [%rd1];"), ((0, 2), (1, 3))),
        (("", "@%p1 mul.lo.u32 %r2, %r2, %r1; @%p1 bra M; M:"), ((0, 2), (1, 3))),
        (("mul.lo.u32 %r2, %r2, %r1;", "mul.lo.u32 %r2, %r2, %r1;"), ((0, 1, 2, 3),)),
    ],
)
def test_kernels_of_one_name_and_other_code_are_apart(tmp_path, works, groups):
    path = tmp_path / "program.py"
    path.write_text(TWO_MODULES.replace("WORKS", repr(works)))
    assert study(path).groups == groups
    chosen = application_jobs(path, options=LaunchOptions(launches="largest"))
    assert len(chosen) == len(groups)
    places = [job.required_launch().place for job in application_jobs(path, options=ALL)]
    assert [place.of_kernel for place in places] == [len(groups[0])] * 4
