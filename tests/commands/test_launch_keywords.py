"""Launches by plain keywords: the same as by options, for each function that reads a target."""

from dataclasses import fields
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.frontends.compilers.options import CompileOptions
from warpmill.session.options import KernelKeywords, LaunchKeywords, LaunchOptions, launch_with

SAMPLES = Path(__file__).parents[2] / "samples"
LAUNCH = str(SAMPLES / "vecadd" / "launch.toml")
PTX = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
SIZED = {"sizes": {"n": 4096}}
SHAPED = {"grid": 16, "block": (256,), "args": [*["buffer=f32:4096"] * 3, "4096"]}


def test_keywords_are_the_fields_of_the_options():
    names = {one.name for one in (*fields(LaunchOptions), *fields(CompileOptions))}
    assert set(LaunchKeywords.__annotations__) == names - {"compile"}
    assert set(KernelKeywords.__annotations__) - set(LaunchKeywords.__annotations__) == {"kernel"}


def test_keywords_stand_in_the_place_of_what_options_say():
    both = launch_with(LaunchOptions(block="64", sizes={"n": 8}), {"sizes": {"n": 16}, "grid": 4})
    assert both == LaunchOptions(grid=(4,), block="64", sizes={"n": 16})
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        launch_with(None, {"size": {"n": 16}})


@pytest.mark.parametrize("target", [(LAUNCH, SIZED), (PTX, SHAPED)], ids=["launch file", "kernel"])
def test_estimates_traces_and_runs_take_them(target):
    path, launch = target
    job = warpmill.prepare(path, **launch)
    assert job.launch.grid == warpmill.prepare(LAUNCH, options=LaunchOptions(**SIZED)).launch.grid
    assert warpmill.estimate(path, "a100", **launch) == warpmill.estimate(job, "a100")
    assert warpmill.trace(path, kernel="vecadd", **launch).summary == warpmill.trace(job).summary
    ran = warpmill.run(path, kernel="vecadd", **launch)
    assert ran.launches[0].name == warpmill.run(job).launches[0].name
    assert len(warpmill.profile(path, **launch).launches) == 1
    assert len(warpmill.dfsgs(path, **launch)) == 1
    assert warpmill.analyze(path, **launch).bounds == job.analysis.bounds


def test_a_job_has_its_launch():
    job = warpmill.prepare(LAUNCH)
    for call in (warpmill.run, lambda given, **sizes: warpmill.estimate(given, "a100", **sizes)):
        with pytest.raises(UsageError, match="a job has its launch: sizes are for"):
            call(job, **SIZED)


def test_sweeps_take_them():
    found = warpmill.sweep(PTX, "block=64,256", machines="a100", **SHAPED)
    assert len(found.rows) == 2
