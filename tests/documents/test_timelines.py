"""Timelines and trees of charts: spans and sizes are those of the results."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpmill import reports
from warpmill.commands.explain.page import warps
from warpmill.commands.report.page import charts
from warpmill.report.timelines import application_timeline, launch_timeline, launch_tree
from warpmill.report.timing_charts import what_if_chart

REDUCE = "samples/reduce/launch.toml"


@pytest.fixture(scope="module")
def application():
    return reports.report("bfs:tiny", machine="a100", without=("what-if", "dfsg", "analyze"))


def test_a_tree_has_the_time_of_each_launch_below_its_kernel(application):
    (total,) = application.time.totals
    tree = launch_tree(total)
    assert {b.name: sum(leaf.value for leaf in b.leaves) for b in tree.branches} == {
        one.kernel: pytest.approx(one.time_us) for one in total.kernels
    }
    assert sorted(leaf.value for b in tree.branches for leaf in b.leaves) == sorted(
        one.time_us for one in total.by_launch
    )
    assert launch_tree(replace(total, by_launch=total.by_launch[:1])) is None


def test_launches_of_a_simulation_are_where_they_ran(application):
    result = application.simulation.simulations[0].result
    drawn = launch_timeline(result)
    assert [(s.begin, s.end, s.lane) for s in drawn.spans] == [
        (one.begin_cycle, one.begin_cycle + one.cycles, place)
        for place, one in enumerate(result.launches)
    ]
    assert drawn.spans[1].name.startswith(f"{result.launches[1].place}: ")


def test_an_application_has_all_launches_and_marks_those_looked_at(application):
    (drawn,) = charts(application)
    recording = application.jobs[0].recorded.recording
    assert len(drawn.spans) == len(recording.launches) > 2
    marked = [n for n, span in enumerate(drawn.spans) if span.group == "looked at here"]
    assert marked == sorted(one.launch.place.number for one in application.time.launches)
    for span, call in zip(drawn.spans, recording.launches, strict=True):
        assert span.end - span.begin == call.warp_instructions
        assert drawn.lanes[span.lane] == call.demangled
    assert all(a.end == b.begin for a, b in zip(drawn.spans, drawn.spans[1:], strict=False))
    uncounted = [replace(call, warp_instructions=None) for call in recording.launches]
    found = application_timeline(uncounted, ())
    assert [(s.begin, s.end) for s in found.spans] == [(n, n + 1) for n in range(len(uncounted))]
    assert found.unit == "launches before"
    assert drawn.title == found.title == "Launches of the application"
    many = application_timeline(uncounted * 1000, ())
    shown = len(many.spans)
    assert shown < len(uncounted) * 1000
    assert many.title.endswith(f", the first {shown:,} of {len(uncounted) * 1000:,}")


@pytest.fixture(scope="module")
def kernel():
    return reports.report(REDUCE, machine="a100", sizes={"n": 4096}, without=("simulate", "dfsg"))


def test_warps_wait_and_issue_as_the_estimate_says(kernel):
    (launch,) = kernel.time.launches
    (drawn,) = warps(launch)
    spans = launch.estimates[0].warp_spans
    waits = [s for s in drawn.spans if s.group != "issue"]
    issued = [s for s in drawn.spans if s.group == "issue"]
    assert [(s.begin, s.end, s.group) for s in waits] == [
        (one.begin, one.issued, str(one.reason)) for one in spans if one.issued > one.begin
    ]
    reasons = {s.group for s in waits}
    assert "None" not in reasons and {"Stall Not Selected", "Stall Barrier"} < reasons
    barriers = [one for one in spans if str(one.reason) == "Stall Barrier"]
    assert barriers
    assert len(issued) == len(spans) - len(barriers)
    assert {s.begin for s in issued} == {one.issued for one in spans if one not in barriers}
    line = kernel.time.launches[0].kernel.loaded.source.text.splitlines()
    for span in issued[:20]:
        opcode, _, rest = span.name.partition(", line ")
        assert opcode in line[int(rest.partition(";")[0]) - 1]
    assert drawn.lanes[:2] == ("CTA 0, warp 0", "CTA 0, warp 4")


def test_what_ifs_beyond_noise_have_bars_the_least_time_first(kernel):
    (estimate,) = kernel.time.launches[0].estimates
    drawn = what_if_chart({"a100": estimate})
    found = {w.title: w.ratio for w in estimate.what_if if w.ratio and not w.within_noise}
    assert dict(zip(drawn.categories, drawn.series[0].values, strict=True)) == found
    assert list(drawn.series[0].values) == sorted(found.values())
    assert what_if_chart({"a100": replace(estimate, what_if=None)}) is None
