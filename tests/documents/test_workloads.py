"""The workloads: every one runs, is right, and goes through every engine, in every build."""

import gzip
import json

import pytest

from warpmill.analyzer.base.diagnostics import Severity
from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.ir.verifier import verify
from warpmill.commands.analyze.result import analyze_report
from warpmill.executor.collectors import ProfileCollector
from warpmill.session.applications import Application, largest_of_each_kernel
from warpmill.session.estimates import estimate
from warpmill.session.options import RunOptions
from warpmill.session.traces import trace
from warpmill.session.workload_runs import kernel_totals, outdated, read_figures, run_workload
from warpmill.session.workloads import DEFAULT_BUILD, OPENCL, PACKED, WorkloadTarget, workloads

EVERY = [(name, build) for name, one in workloads().items() for build in one.builds]
FIRST = [
    pytest.param(name, build, marks=[pytest.mark.one_in(4)] if build == OPENCL else [])
    for name, build in EVERY
    if build in ("sm_80", OPENCL)
]
"""All in PTX; ``--every`` has all of them in OpenCL too."""
THROUGH_ENGINES = set(list(workloads())[::4])
"""Those that go through every engine here; with ``--every`` all do."""


def modules_of(name, build):
    workload = workloads()[name]
    return [workload.module(module.name, build) for module in workload.form.module]


@pytest.mark.parametrize(("name", "build"), EVERY)
def test_every_build_loads_and_verifies(name, build):
    for module in modules_of(name, build):
        loaded = load(module)
        told = [str(d) for d in loaded.diagnostics if d.severity is not Severity.NOTE]
        assert [*told, *map(str, verify(loaded.module))] == []


@pytest.mark.parametrize("name", workloads())
def test_artefacts_say_nothing_of_the_machine_that_made_them(name):
    for path in workloads()[name].folder.iterdir():
        if path.suffix in (".ptx", PACKED, ".ll", ".bc", ".json"):
            content = path.read_bytes()
            content = gzip.decompress(content) if path.suffix == PACKED else content
            assert b"/usr/" not in content
            assert b"/tmp/" not in content
            assert b"/work/" not in content


@pytest.mark.parametrize("name", workloads())
def test_ptxas_says_registers_of_every_ptx_build(name):
    record = json.loads((workloads()[name].folder / "artefacts.json").read_text())
    for build in workloads()[name].form.architectures:
        for module in workloads()[name].form.module:
            path = workloads()[name].module_file(module.name, build)
            for by_chip in record[path.name]["ptxas"]["kernels"].values():
                assert build in by_chip
                assert all(facts["registers"] for facts in by_chip.values())


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("name", "build"), FIRST)
def test_tiny_is_right_and_goes_through_every_engine(name, build, request):
    """Each kernel's launch that executes most is analysed, traced and estimated."""
    collector = ProfileCollector()
    options = RunOptions(record=True, collectors=[collector])
    done = run_workload(WorkloadTarget(workloads()[name], "tiny", build), options=options)
    assert [check for check in done.checks if not check.passed] == []
    assert done.passed
    figures = kernel_totals(done.run.launches)
    if build == DEFAULT_BUILD:
        assert figures == read_figures(done.target.workload)["tiny"]
        assert done.target.workload.form.main_kernel in [k.kernel for k in figures.kernels]
    profiles = collector.profiles
    assert [p.warp_instructions for p in profiles] == [
        one.launched.counts.warp_instructions for one in done.run.launches
    ]
    if name not in THROUGH_ENGINES and not request.config.getoption("--every"):
        return
    app = Application(done.target.title, done.run.recording)
    for number in largest_of_each_kernel(app.launches):
        job = app.job(number)
        assert analyze_report([job]).analyses
        traced = trace(job, most_ctas=job.launch.cta_count)
        assert traced.summary.ctas == job.launch.cta_count
        if traced.is_exact:
            assert traced.summary.warp_instructions == profiles[number].warp_instructions
        assert estimate(job, "a100").execution_us > 0


def test_figures_are_of_the_files_that_there_are():
    assert [name for name, one in workloads().items() if outdated(one)] == []
