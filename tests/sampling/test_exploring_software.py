"""Explorations of launches: options of a kernel file, parts of launches as parameters, estimates.

What a point says is held beside ``warpmill.estimate`` and ``warpmill.simulate`` of the same launch.
"""

import pytest

import warpmill
from tests.commands.test_cuda_door import HAS_COMPILER
from tests.sampling.exploring_parts import ROOT, VECADD
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.exploring.evaluation import ESTIMATED, FIGURES
from warpmill.exploring.exploration import explored
from warpmill.exploring.options import Sampling
from warpmill.exploring.points import ExplorationConfig
from warpmill.exploring.space_file import space_of_text
from warpmill.session.options import TraceOptions
from warpmill.studies.options import StudyOptions

ESTIMATES = ExplorationConfig(engine="estimate")
PTX = str(ROOT / "samples" / "vecadd" / "vecadd.sm_80.ptx")
LAUNCH = {"grid": 16, "block": 256, "args": ["buffer=f32:4096"] * 3 + ["4096"]}

HARDWARE = """
schema = 1
base = "a100"
[parameters.sms]
values = [4, 8]
key = "sm.count"
"""
SOFTWARE = """
schema = 1
base = "a100"
where = ["threads <= n / 16"]
[parameters.threads]
values = [64, 2048, 128]
launch = "block"
[parameters.n]
values = [4096, 65536]
size = "n"
[parameters.held]
values = [16, 128]
launch = "regs"
[parameters.sms]
values = [4, 8]
key = "sm.count"
"""


def space(text, name="small"):
    return space_of_text(text, name, f"{name}.toml")


def samples(text, target, how=ESTIMATES, count=100, **more):
    found = warpmill.explore(space(text), target, Sampling(count), how=how, **more)
    return found.workloads[0].samples


def test_an_estimated_point_is_what_estimate_says_of_the_machine():
    found = samples(HARDWARE, PTX, **LAUNCH)
    assert {one.point["sms"] for one in found} == {4, 8}
    for one in found:
        told = warpmill.estimate(PTX, "a100", overrides={"sm.count": one.point["sms"]}, **LAUNCH)
        assert set(one.figures) <= set(ESTIMATED) < set(FIGURES)
        assert one.figures["time_us"] == told.time_us
        assert one.figures["cycles"] == told.cycles
        assert one.ctas_per_sm == (told.occupancy.ctas_per_sm,)
    assert found[0].figures["time_us"] != found[1].figures["time_us"]


@pytest.mark.slow
def test_a_simulated_point_of_a_kernel_file_is_what_simulate_says():
    (one, _) = samples(HARDWARE, PTX, ExplorationConfig(), **LAUNCH)
    wanted = warpmill.simulate(PTX, "a100", overrides={"sm.count": one.point["sms"]}, **LAUNCH)
    assert one.figures["time_us"] == wanted.time_us


def test_parts_of_a_launch_are_what_an_estimate_of_that_launch_says():
    found = samples(SOFTWARE, VECADD.target)
    assert len(found) == 2 * 2 * 2 * 2 + 2 * 2  # of 2048 threads 65536 numbers alone
    known = [one for one in found if one.problem is None]
    assert {one.point["threads"] for one in known} == {64, 128}
    for one in known:
        point = one.point
        args = [f"buffer=f32:{point['n']}"] * 3 + [str(point["n"])]
        told = warpmill.estimate(
            PTX, "a100", overrides={"sm.count": point["sms"]}, registers=point["held"],
            grid=point["n"] // point["threads"], block=point["threads"], args=args,
        )  # fmt: skip
        assert one.figures["time_us"] == pytest.approx(told.time_us, rel=1e-12), point
    (problem,) = {one.problem for one in found} - {None}
    assert problem.startswith("it cannot be launched: ")
    assert "2048" in problem


@pytest.mark.slow
@pytest.mark.skipif(not HAS_COMPILER, reason="there is no compiler of CUDA")
def test_macros_of_a_source_are_parameters(tmp_path):
    source = tmp_path / "sum.cu"
    source.write_text(
        'extern "C" __global__ void sum(float *x) {\n  float s = 0;\n'
        '  _Pragma("unroll 1") for (int t = 0; t < TILE; ++t) s += x[threadIdx.x + 32 * t];\n'
        "  x[threadIdx.x] = s;\n}\n"
    )
    text = HARDWARE + '[parameters.tile]\nvalues = [2, 64]\ndefine = "TILE"\n'
    launch = {"grid": 1, "block": 32, "args": ["buffer=f32:4096"]}
    found = samples(text, str(source), define=["TILE=3", "OTHER"], **launch)
    assert len(found) == 4
    for one in found:
        told = warpmill.estimate(
            str(source), "a100", overrides={"sm.count": one.point["sms"]},
            define=[f"TILE={one.point['tile']}"], **launch,
        )  # fmt: skip
        assert one.figures["time_us"] == told.time_us
    assert len({one.figures["time_us"] for one in found if one.point["sms"] == 4}) == 2


@pytest.mark.slow
def test_what_the_workload_has_not_is_refused_at_once():
    text = HARDWARE + '[parameters.rows]\nvalues = [1, 2]\nsize = "rows"\n'
    with pytest.raises(UsageError, match="has no size `rows`, which the space varies; it has n"):
        samples(text, VECADD.target)
    text = HARDWARE + '[parameters.rows]\nvalues = [1, 2]\nlaunch = "grid"\n'
    with pytest.raises(UsageError, match="grid cannot be varied: bfs:tiny makes"):
        samples(text, "bfs:tiny")
    text = HARDWARE + '[parameters.tile]\nvalues = [1, 2]\ndefine = "TILE"\n'
    with pytest.raises(UsageError, match="--define is for sources"):
        samples(text, PTX, **LAUNCH)


@pytest.mark.parametrize(
    ("parameter", "said"),
    [
        ('size = "a b"', "`a b` is no name"),
        ('launch = "blocks"', "'block', 'grid', 'shared' or 'regs'"),
        ('size = "n"\ndefine = "N"', "needs one of key, set, realise, launch, size and define"),
    ],
)
def test_a_space_file_that_is_wrong_says_where(parameter, said):
    with pytest.raises(InputError, match=said) as found:
        space(HARDWARE + f"[parameters.rows]\nvalues = [1]\n{parameter}\n")
    assert found.value.diagnostics[0].span.line >= 7


def test_a_part_of_a_launch_is_set_once():
    text = '[parameters.{}]\nvalues = [1, 2]\nsize = "n"\n'
    with pytest.raises(InputError, match="size n is set by one already"):
        space(HARDWARE + text.format("one") + text.format("two"))


def test_estimates_and_other_launches_are_kept_apart(tmp_path):
    kept = StudyOptions(store=tmp_path / "s.db")
    asked = {"sampling": Sampling(2), "study": kept}
    first = warpmill.explore(space(HARDWARE), PTX, how=ESTIMATES, **asked, **LAUNCH)
    again = warpmill.explore(space(HARDWARE), PTX, how=ESTIMATES, **asked, **LAUNCH)
    assert (first.known, again.known) == (0, 2)
    assert again.workloads[0].samples == first.workloads[0].samples
    other = {**LAUNCH, "grid": 8}
    found = warpmill.explore(space(HARDWARE), PTX, how=ESTIMATES, **asked, **other)
    assert found.known == 0
    traced = ExplorationConfig(TraceOptions(source="executed"), engine="estimate")
    assert warpmill.explore(space(HARDWARE), PTX, how=traced, **asked, **LAUNCH).known == 0
    titles = [one.title for one in explored("small", tmp_path / "s.db").workloads]
    arguments = " ".join(f"arg={text}" for text in LAUNCH["args"])
    assert titles == [f"{PTX} grid={n} block=256 {arguments}" for n in (16, 8)]
