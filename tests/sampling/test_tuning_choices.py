"""What choices there are: variants, blocks that are worth a try, and which is the default."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.analyzer.ir.kernel import LaunchBounds as Bounds
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.tuning.model import (
    TuneRequest,
    axes_of,
    blocks_of,
    is_default,
    launches_of,
    of_default,
    spaces_of,
)
from warpmill.tuning.variants import parse_variant, variants_of

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD, MATMUL, SCAN, NW = (
    SweepTarget(str(SAMPLES / name / "launch.toml")) for name in ("vecadd", "matmul", "scan", "nw")
)
CLANG = str(SAMPLES / "vecadd" / "vecadd.sm_80.clang.ptx")


def job(target):
    return Launches(target).base[0]


def bounded(target, **bounds):
    one = job(target)
    return replace(one, kernel=replace(one.kernel, bounds=Bounds(**bounds)))


@pytest.mark.parametrize(
    ("text", "name", "file", "kernel"),
    [
        ("a.ptx", "a", "a.ptx", None),
        ("a.b.ptx", "a.b", "a.b.ptx", None),
        ("dir/a.LL", "a", "dir/a.LL", None),
        ("x=a.bc", "x", "a.bc", None),
        ("a.ptx:k", "k", "a.ptx", "k"),
        ("u4=a.ptx:f<4>(float*)", "u4", "a.ptx", "f<4>(float*)"),
        (" u4=/x=y/a.ptx ", "u4", "/x=y/a.ptx", None),
    ],
)
def test_variants_are_files_with_names(text, name, file, kernel):
    found = parse_variant(VECADD, text)
    assert found.name == name
    assert found.target.path == VECADD.path
    assert (found.target.code.path, found.target.code.kernel) == (file, kernel)


def test_a_launch_file_is_a_variant_of_its_own():
    base = replace(
        VECADD, options=LaunchOptions(sizes={"n": 5}), kernel="vecadd", number=0, strict=True
    )
    found = parse_variant(base, "w=wide.toml")
    assert (found.name, found.target.path, found.target.code) == ("w", "wide.toml", None)
    assert found.target.options.sizes == {"n": 5}
    assert (found.target.kernel, found.target.number, found.target.strict) == ("vecadd", 0, True)
    other = parse_variant(base, "wide.toml:other")
    assert (other.name, other.target.kernel, other.target.number) == ("other", "other", None)
    from_file = replace(base, options=LaunchOptions("1", "2", args=("5",)))
    assert parse_variant(from_file, "wide.toml").target.options.given == ()


def test_a_file_of_any_name_that_is_there(tmp_path):
    (tmp_path / "app").touch()
    found = parse_variant(VECADD, f"x={tmp_path / 'app'}")
    assert (found.name, found.target.code.path) == ("x", str(tmp_path / "app"))
    for wrong in ("", "x=", "nothing", str(tmp_path / "none")):
        with pytest.raises(UsageError, match=r"write \[NAME=\]FILE\[:KERNEL\]"):
            parse_variant(VECADD, wrong)


def test_names_are_there_once():
    assert [v.name for v in variants_of(VECADD, ["a.ptx", "b=a.ptx"])] == ["default", "a", "b"]
    for texts in (["a.ptx", "x/a.ll"], ["default=a.ptx"]):
        with pytest.raises(UsageError, match="two variants are called"):
            variants_of(VECADD, texts)


def test_blocks_in_one_direction_are_whole_warps():
    found = blocks_of(job(VECADD))
    assert found == tuple(sorted(found))
    assert all(block % 32 == 0 and 32 <= block <= 1024 for block in found)
    assert {32, 96, 128, 256, 1024} <= set(found)


def test_the_block_of_the_launch_is_among_them():
    assert 16 in blocks_of(job(NW))  # half a warp


def test_blocks_in_two_directions():
    found = blocks_of(prepare(SAMPLES / "stencil5" / "launch.toml"))
    sides = [tuple(map(int, str(block).split("x"))) for block in found]
    assert {(32, 8), (8, 4), (1024,), (16, 64)} <= set(sides)
    threads = [x[0] * (x[1] if len(x) > 1 else 1) for x in sides]
    assert threads == sorted(threads)
    assert (min(threads), max(threads)) == (32, 1024)
    assert min(x[0] for x in sides) == 8


def test_what_a_kernel_was_compiled_for():
    assert blocks_of(bounded(VECADD, required_threads=(16, 4))) == ("16x4",)
    assert blocks_of(bounded(VECADD, max_threads=(16, 8))) == (32, 64, 96, 128)


def wanted(base, texts=(), **more):
    return TuneRequest(
        variants_of(base, texts), **{"space": SweepSpace(()), "how": EvaluationConfig(), **more}
    )


def spaces(asked, most=100):
    launches = launches_of(asked.variants)
    return spaces_of(asked, launches, most)


def compiled_for(tmp_path, name, words):
    """Write the kernel anew with a directive, as another compilation has it."""
    head, tail = Path(CLANG).read_text().split(")\n{", 1)
    path = tmp_path / f"{name}.ptx"
    path.write_text(f"{re.sub(r'(?m)^[.]maxntid.*$', '', head)})\n{words}\n{{{tail}")
    return str(path)


def test_each_variant_has_the_blocks_that_suit_it(tmp_path):
    one, small = (
        compiled_for(tmp_path, "one", ".reqntid 192"),
        compiled_for(tmp_path, "small", ".maxntid 128"),
    )
    asked = wanted(VECADD, [one, small])
    blocks = {name: space.axes[0].values for name, space in spaces(asked).items()}
    assert blocks["one"] == (192,)
    assert blocks["small"] == (32, 64, 96, 128)
    assert blocks["default"][-1] == 1024
    assert axes_of(asked, spaces(asked))[1] == Axis("block", blocks["default"])


def test_conditions_choose_among_the_blocks():
    found = spaces(wanted(VECADD, space=SweepSpace((), ("block <= 128",))))["default"]
    blocks = [c["block"] for c in found.configurations({})]
    assert blocks == [32, 64, 96, 128]


def test_variants_alone_and_the_grid_as_it_is():
    asked = wanted(VECADD, [CLANG], keep_block=True)
    assert [space.axes for space in spaces(asked).values()] == [(), ()]
    assert [axis.name for axis in axes_of(asked, spaces(asked))] == ["variant", "machine"]
    asked = wanted(VECADD, keep_grid=True, space=SweepSpace((Axis("block", (64,)),)))
    found = spaces(asked)
    assert found["default"].axes[1] == Axis("grid", (65536,))
    assert [axis.name for axis in axes_of(asked, found)] == ["variant", "block", "machine"]


@pytest.mark.parametrize(
    ("base", "more", "words"),
    [
        (VECADD, {"space": SweepSpace((Axis("machine", ("t4",)),))}, "nobody chooses that"),
        (VECADD, {"space": SweepSpace((Axis("sm.count", (4,)),))}, "nobody chooses that"),
        (VECADD, {"space": SweepSpace((Axis("variant", (4,)),))}, "--variant"),
        (
            VECADD,
            {"space": SweepSpace((Axis("grid", (4,)),)), "keep_grid": True},
            "--keep-grid keeps",
        ),
        (VECADD, {"keep_block": True}, "--keep-block is for variants, given by --variant"),
        (
            VECADD,
            {"keep_block": True, "space": SweepSpace((Axis("block", (4,)),))},
            "for variants alone",
        ),
        (SCAN, {}, "has 3 launches; say with --launch N or --kernel"),
        (replace(VECADD, path="bfs:tiny"), {}, "is an application, and the data of its launches"),
    ],
)
def test_what_is_no_choice(base, more, words):
    with pytest.raises(UsageError, match=words):
        spaces(wanted(base, **more))


def test_too_many_choices():
    with pytest.raises(LimitError, match="there are 10 choices, more than 9; raise the limit"):
        spaces(wanted(VECADD), most=9)
    with pytest.raises(LimitError, match="there are 20 choices"):
        spaces(wanted(VECADD, [CLANG]), most=19)


def test_a_variant_that_does_not_fit_is_named(tmp_path):
    spmv = str(SAMPLES / "spmv" / "spmv.sm_80.ptx")
    with pytest.raises(InputError, match=r"variant other: `spmv` takes 6 arguments, not 4"):
        launches_of(variants_of(VECADD, [f"other={spmv}"]))
    with pytest.raises(InputError, match=r"none\.ptx: error: variant none: cannot"):
        launches_of(variants_of(VECADD, [str(tmp_path / "none.ptx")]))
    with pytest.raises(UsageError, match=r"variant b: .*bitonic"):
        launches_of(variants_of(VECADD, [f"b={SAMPLES / 'bitonic' / 'bitonic.sm_80.ptx'}"]))


def test_the_default_is_known_however_it_is_written(tmp_path):
    text = Path(VECADD.path).read_text().replace('"vecadd.sm_80', f'"{SAMPLES}/vecadd/vecadd.sm_80')
    path = tmp_path / "l.toml"
    sizes = "threads = 64\nn ="
    path.write_text(
        text.replace("n =", sizes, 1).replace("[256]", '["threads"]').replace("/ 256", "/ threads")
    )
    own = of_default(Launches(SweepTarget(str(path))), "default")
    for said in (
        {},
        {"block": 64},
        {"block": "64x1"},
        {"threads": 64},
        {"threads": 64, "shared": 0},
    ):
        assert is_default({"variant": "default", **said, "machine": "t4"}, own), said
    for said in ({"block": 65}, {"threads": 32}, {"block": "64x2"}, {"regs": 32}):
        assert not is_default({"variant": "default", **said}, own), said
    assert not is_default({"variant": "other", "block": 64}, own)
    assert is_default({"variant": "default", "regs": 32}, own, apart_from=("regs",))
