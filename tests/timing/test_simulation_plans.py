"""What is simulated: kernels, registers, streams, and where traces come from; how it is run."""

from pathlib import Path

import numpy as np
import pytest

from tests.commands.test_assumed_unused import SQUARES
from tests.reference.run_kernel import kernel_text
from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application
from warpmill.session.options import LaunchOptions, RegisterSources, TraceOptions
from warpmill.session.prepare import prepare, prepare_all
from warpmill.session.simulation_plans import ONE, plan, simulated_traces, streams_of
from warpmill.session.simulations import run_slices
from warpmill.simulator.gpu.constants import RUN_DONE, RUN_PAUSED
from warpmill.simulator.gpu.options import Options

SAMPLES = Path(__file__).parents[2] / "samples"
SCAN = SAMPLES / "scan" / "launch.toml"
ADD = """ld.param.u64 %d0, [out]; ld.global.u32 %r1, [%d0]; add.u32 %r1, %r1, 1;
    st.global.u32 [%d0], %r1; ret;"""


def made(script):
    """Record launches: a letter each, by stream; ``.`` is a read, ``|`` waits for the device."""
    device = Device()
    kernel = device.load(kernel_text(ADD, {"out": np.zeros(1, np.uint32)}), "k.ptx")["k"]
    out = device.array(np.ones(1, np.uint32))
    streams = {"a": None, "b": device.stream(), "c": device.stream()}
    for letter in script:
        if letter == ".":
            out.get()
        elif letter == "|":
            device.synchronize()
        elif letter == "e":
            event = device.event()
            event.record(streams["b"])
            streams["c"].wait(event)
        else:
            device.launch(kernel, 1, 1, [out], stream=streams[letter])
    app = Application("script", device.recording)
    return [app.job(number) for number in range(len(app.launches))]


# ------------------------------------------------------------------------------------- streams


def test_launches_of_streams_overlap_as_recorded():
    streams, words = streams_of(made("abba"))
    assert (streams, words) == ((0, 1, 1, 0), "in 2 streams, as recorded")


@pytest.mark.parametrize("script", ["ab.a", "a|b", "bec"])
def test_what_waits_in_between_makes_them_go_one_after_another(script):
    streams, words = streams_of(made(script))
    assert set(streams) == {0}
    assert words == f"{ONE}: something waits in between for another stream"


def test_waiting_before_and_after_all_launches_changes_nothing():
    assert streams_of(made(".|ab|."))[0] == (0, 1)


@pytest.mark.parametrize("script", ["aaa", "a.a|a", "bb", "b"])
def test_launches_of_one_stream_go_one_after_another(script):
    assert streams_of(made(script)) == ((0,) * len(streams_of(made(script))[0]), ONE)


def test_streams_can_be_left_out():
    streams, words = streams_of(made("abba"), "serial")
    assert (streams, words) == ((0,) * 4, f"{ONE}, as asked for")
    machine = "v100"
    assert {w.stream for w in plan(made("ab"), machine, streams="serial").works} == {0}
    assert [w.stream for w in plan(made("ab"), machine).works] == [0, 1]


def test_launches_of_a_file_and_of_several_recordings_go_one_after_another():
    assert streams_of(prepare_all(SCAN)) == ((0, 0, 0), ONE)
    assert streams_of([*made("ab"), *made("ab")])[0] == (0,) * 4


# ------------------------------------------------------------------------------------- kernels


def test_equal_kernels_are_one_and_others_are_not():
    jobs = prepare_all(SCAN)
    names = [job.kernel.name for job in jobs]
    found = plan(jobs, "v100")
    assert [k.kernel.name for k in found.kernels] == list(dict.fromkeys(names))
    assert [found.kernels[n].kernel.name for n in found.kernel_numbers] == names
    twice = plan([*prepare_all(SCAN), *prepare_all(SCAN)], "v100")
    assert len(twice.kernels) == len(found.kernels)
    structures = {id(work.facts) for work in twice.works}
    assert len(structures) == len(found.kernels)
    other = prepare_all(SAMPLES / "scan" / "launch.bc.toml")
    assert len(plan([*jobs, *other], "v100").kernels) == 2 * len(found.kernels)


def test_each_launch_has_its_kernel_s_registers():
    found = plan(prepare_all(SCAN), "v100", registers=RegisterSources(40))
    assert [(r.registers_per_thread, r.source) for r in found.registers] == [(40, "--regs")] * 3
    assert [work.registers for work in found.works] == list(found.registers)


def test_settings_are_the_machine_s():
    found = plan(prepare_all(SCAN), "v100", overrides={"sm.count": 3})
    assert found.machine.integer("sm.count") == 3


def test_lives_of_warps_are_kept_for_no_more_than_there_are():
    job = prepare(SAMPLES / "vecadd" / "launch.toml", options=LaunchOptions(sizes={"n": 1000}))
    found = plan(job, "v100", options=Options(spans=1 << 20))
    assert found.simulation().options.spans == 4 * 8
    assert plan(job, "v100", options=Options(spans=5)).simulation().options.spans == 5


def test_what_cannot_be_planned():
    with pytest.raises(UsageError, match="there is no launch to simulate"):
        plan([], "v100")
    with pytest.raises(UsageError, match="a launch is needed"):
        plan(prepare(SAMPLES / "vecadd" / "vecadd.sm_80.ptx"), "v100")
    spmv = prepare(SAMPLES / "spmv" / "launch.toml")
    ranges = TraceOptions(assume={"$L__BB0_7": AssumedRange(2, 9)})
    with pytest.raises(UsageError, match="one trace takes one number, not a range"):
        plan(spmv, "v100", trace_options=ranges)


# -------------------------------------------------------------------------------------- traces


def test_launches_that_share_memory_are_executed_where_nothing_else_is_asked_for():
    alone, together = (
        simulated_traces(prepare_all(SCAN)[0], TraceOptions(), together=t) for t in (False, True)
    )
    assert (alone.kind, together.kind) == ("static", "executed")
    assert together.reason == "it is simulated with launches that share its memory"
    asked = simulated_traces(prepare_all(SCAN)[0], TraceOptions("static"), together=True)
    assert asked.kind == "static"


def test_recorded_launches_have_their_recorded_traces():
    jobs = made("aa")
    found = plan(jobs, "v100")
    sources = [work.traces() for work in found.works]
    assert [source.kind for source in sources] == ["executed"] * 2
    assert all(len(source.warps((0, 0, 0))) == 1 for source in sources)


def test_launches_without_data_stay_static():
    options = LaunchOptions(grid="2", block="32", args=("buffer=f32:64",) * 3 + ("64",))
    job = prepare(SAMPLES / "vecadd" / "vecadd.sm_80.ptx", options=options)
    assert simulated_traces(job, TraceOptions(), together=True).kind == "static"


def test_an_assumption_about_what_the_launch_decides_is_refused_before_anything_runs(tmp_path):
    path = tmp_path / "k.ptx"
    path.write_text(SQUARES)
    options = LaunchOptions(grid="4", block="32", args=("buffer=u32:64", "100"))
    job = prepare(path, options=options)
    assert simulated_traces(job, TraceOptions(), together=False).kind == "static"
    with pytest.raises(UsageError, match="the launch decides how often loop LOOP runs"):
        simulated_traces(job, TraceOptions(assume={"LOOP": 3}), together=False)


# ------------------------------------------------------------------------------------- running


class Pieces:
    """Stands for a simulation of 4 CTAs of 2 warps and 1 of 4, one ending with each piece."""

    class Fit:
        def __init__(self, warps):
            self.warps_per_cta = warps

    occupancies = (Fit(2), Fit(4))
    simulated = (4, 1)
    reached = 0

    def __init__(self):
        self.asked = []

    def run(self, until, most_steps):
        self.asked.append(most_steps)
        self.until = until
        if most_steps:
            self.reached += 10
        return RUN_DONE if self.reached == 60 else RUN_PAUSED

    def progress(self):
        ended = self.reached // 10
        return (min(4, ended), max(0, ended - 4))


def test_a_simulation_is_run_in_pieces_and_tells_how_far_it_is():
    told, pieces = [], Pieces()
    run_slices(pieces, told.append)
    assert pieces.asked[0] == 0  # making it ready is no part of the time
    assert all(b == 4 * a for a, b in zip(pieces.asked[1:-1], pieces.asked[2:], strict=True))
    assert [done.share for done in told] == [2 / 12, 4 / 12, 6 / 12, 8 / 12, 1]
    assert [done.cycles for done in told] == [10, 20, 30, 40, 50]
    seconds = [done.seconds for done in told]
    assert seconds == sorted(seconds)
    assert run_slices(Pieces())


def test_a_simulation_stops_at_a_cycle():
    pieces = Pieces()
    assert not run_slices(pieces, until=30)
    assert (pieces.reached, pieces.until) == (30, 30)
