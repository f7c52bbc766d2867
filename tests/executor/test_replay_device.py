"""Launches of one file that are traced one after another: each is run once, and as by itself."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.executor.host.cpu_device import CpuBackend
from warpmill.session.applications import Application, application
from warpmill.session.executed import executed_source, file_device
from warpmill.session.options import LaunchOptions, TraceOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.replay_device import ReplayDevice
from warpmill.session.simulations import simulate
from warpmill.simulator.gpu.options import Options

TEXT = """.version 7.0
.target sm_80
.address_size 64
.visible .entry step(.param .u64 out, .param .u32 most)
{
  .reg .b32 %r<6>; .reg .b64 %rd<4>; .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd1, %rd1, %rd2;
  ld.global.u32 %r4, [%rd1];
LOOP:
  add.u32 %r4, %r4, 1;
  and.b32 %r5, %r4, 3;
  setp.ne.u32 %p1, %r5, 0;
  @%p1 bra LOOP;
  shr.u32 %r5, %r4, 2;
  add.u32 %r4, %r4, %r5;
  add.u32 %r4, %r4, %r1;
  st.global.u32 [%rd1], %r4;
  ret;
}
"""
LAUNCH = """
[[launch]]
module = "step.ptx"
kernel = "step"
grid = [6]
block = [64]
args = [{ buffer = "u32", shape = [384], name = "x" }, { u32 = 0 }]
"""
BUFFER = '{ buffer = "u32", shape = [384], name = "x" }'


@pytest.fixture
def jobs(tmp_path):
    """Four launches of which each finds what the last one left: its loops turn otherwise."""
    (tmp_path / "step.ptx").write_text(TEXT)
    again = LAUNCH.replace(BUFFER, '{ ref = "x" }')
    (tmp_path / "launch.toml").write_text(LAUNCH + 3 * again)
    return prepare_all(tmp_path / "launch.toml")


@pytest.fixture
def launched(monkeypatch):
    """Count launches that the executor makes."""
    made = []
    launch = CpuBackend.launch

    def counted(self, request):
        made.append(request.kernel.name)
        return launch(self, request)

    monkeypatch.setattr(CpuBackend, "launch", counted)
    return made


def events(source, ctas=range(6)):
    """Blocks and masks of all events of some CTAs."""
    batches = list(source.batches((n, 0, 0) for n in ctas))
    return [
        np.concatenate([getattr(one, name) for one in batches]).tolist()
        for name in ("block", "mask", "access_base")
    ]


def test_each_launch_does_what_it_does_by_itself(jobs):
    device = file_device()
    alone = [events(executed_source(job)) for job in jobs]
    assert len({str(one) for one in alone}) == len(jobs)  # they differ
    assert [events(executed_source(job, device=device)) for job in jobs] == alone


def test_launches_whose_ctas_are_all_traced_are_run_no_more(jobs, launched):
    device = file_device()
    for job in jobs:
        events(executed_source(job, device=device))
    assert launched == []


@pytest.mark.parametrize("ctas", [[0], [3], [4, 5], []])
def test_launches_that_are_traced_in_part_are_made_before_the_next(jobs, launched, ctas):
    device = file_device()
    wanted = events(executed_source(jobs[2]))
    launched.clear()
    events_of_parts = [list(executed_source(job, device=device).batches((n, 0, 0) for n in ctas))
                       for job in jobs[:2]]  # fmt: skip
    assert len(events_of_parts) == 2
    assert events(executed_source(jobs[2], device=device)) == wanted
    assert launched == ["step"] * 2


def test_any_order_will_do(jobs):
    device = file_device()
    alone = [events(executed_source(job)) for job in jobs]
    sources = [executed_source(job, device=device) for job in jobs]
    for number in (3, 0, 2, 2, 1, 3):
        assert events(sources[number]) == alone[number]
        assert events(sources[number], [5]) == events(executed_source(jobs[number]), [5])


def test_the_launches_before_are_run_where_others_come_first(jobs, launched):
    device = file_device()
    events(executed_source(jobs[2], device=device))
    assert launched == ["step"] * 2
    events(executed_source(jobs[3], device=device))
    assert launched == ["step"] * 2


def test_a_simulation_runs_no_launch_twice(jobs, launched):
    executed = TraceOptions(source="executed")
    result = simulate(jobs, "minibench_8sm", trace_options=executed)
    assert launched == []
    parts = [simulate(job, "minibench_8sm", trace_options=executed) for job in jobs]
    each = [one.warp_instructions for one in result.launches]
    assert each == [one.warp_instructions for one in parts]
    assert launched == ["step"] * (1 + 2 + 3)


def test_what_is_simulated_in_part_is_as_before(jobs):
    executed = TraceOptions(source="executed")
    whole = simulate(jobs, "minibench_8sm", trace_options=executed)
    some = simulate(
        jobs, "minibench_8sm", trace_options=executed, options=Options(waves=1)
    )  # fmt: skip
    each = [one.warp_instructions for one in some.launches]
    assert each == [one.warp_instructions for one in whole.launches]  # a round holds them all


def test_instructions_of_all_launches_are_limited_together(jobs):
    executed = TraceOptions(source="executed")
    whole = simulate(jobs, "minibench_8sm", trace_options=executed).thread_instructions
    for most, enough in ((whole, True), (whole - 1, False)):
        device = file_device()
        sources = [executed_source(job, "", most, device) for job in jobs]
        for source in sources[:-1]:
            events(source)
        if enough:
            assert events(sources[-1]) == events(executed_source(jobs[-1], "", most))
            continue
        for last in (sources[-1], executed_source(jobs[-1], "", most)):
            with pytest.raises(LimitError, match=r"step ran for \d+ thread instructions"):
                events(last)


def test_devices_go_to_other_processes_without_what_was_run(jobs):
    device = file_device()
    events(executed_source(jobs[1], device=device))
    other = pickle.loads(pickle.dumps(device))
    assert isinstance(other, ReplayDevice)
    assert events(executed_source(jobs[1], device=other)) == events(executed_source(jobs[1]))


def test_recorded_launches_are_traced_once_too(launched):
    app = application("bfs:tiny")
    app = Application(app.title, app.recording)
    jobs = [app.job(number) for number in range(len(app.launches))]
    grid = jobs[0].launch.grid
    launched.clear()
    ctas = [(n, 0, 0) for n in range(grid[0])]
    first = [[b.mask.tolist() for b in executed_source(job).batches(ctas)] for job in jobs]
    assert launched == []
    again = [[b.mask.tolist() for b in executed_source(job).batches(ctas[:1])]
             for job in jobs]  # fmt: skip
    assert [one[0][: len(two[0])] for one, two in zip(first, again, strict=True)] == [
        two[0] for two in again
    ]
    assert launched  # those of which only a part was traced


def test_a_file_of_one_launch_needs_no_device():
    path = Path("samples/vecadd/launch.toml")
    job = prepare_all(path, options=LaunchOptions(sizes={"n": 1024}))[0]
    assert events(executed_source(job, device=file_device()), [0]) == events(
        executed_source(job), [0]
    )
