"""The samples' loops: derived by hand, executed as the source says, and as analyses see them."""

from collections import Counter

import pytest

from tests.reference.loop_nests import names_in, value
from tests.reference.sample_bounds import compared, expected_loops, matched
from tests.reference.sample_jobs import (
    FOLDERS,
    artefacts_of,
    door_of,
    executed,
    job_of,
    launches_of,
    sample_loops,
)
from tests.reference.sample_loops import triangular_exact
from tests.reference.sample_traces import times, traced_bodies
from warpmill.analyzer.analyses.ranges.bounds import UnknownTrips
from warpmill.analyzer.frontends.load import SUFFIXES

# ---------------------------------------------------------------- what is compared


def is_told(sample, kernel, test):
    loops = sample.of(kernel).values()
    return any(loop.body for loop in loops) if test == "traces" else bool(loops)


def cases(test, suffixes=SUFFIXES):
    """List an artefact and the number of a launch for each kernel with loops; alike ones adjoin."""
    return [
        pytest.param(artefact, number, id=f"{artefact.name}-{launch.name}-{number}")
        for folder in FOLDERS
        for number, launch in enumerate(launches_of(folder))
        for artefact in artefacts_of(folder, suffixes)
        if is_told(sample_loops(folder), launch.kernel, test)
    ]


# ---------------------------------------------------------------- the hand against the source


def test_every_sample_tells_its_loops():
    assert len(FOLDERS) == 12
    triangular = 0
    for folder in FOLDERS:
        sample = sample_loops(folder)
        assert {x.kernel for x in launches_of(folder)} == set(sample.arguments)
        triangular += sum(loop.triangular for loop in sample.loops)
        for suffix in ("cu", "cl"):
            lines = (folder / f"{folder.name}.{suffix}").read_text("utf-8").split("\n")
            for loop in sample.loops:
                header = lines[loop.line[suffix] - 1].strip()
                assert header.startswith("for (") and f" {loop.counter} = " in header
                assert loop.derivation
        for i, loop in enumerate(sample.loops):
            counters = {sample.loops[outer].counter for outer in sample.around(i)}
            assert loop.triangular == bool(counters & names_in(loop.trips))
    assert triangular >= 12


LAUNCHED = [
    pytest.param(folder, number, id=f"{folder.name}-{launch.name}-{number}")
    for folder in FOLDERS
    for number, launch in enumerate(launches_of(folder))
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("folder", "number"), LAUNCHED)
def test_trips_and_totals_are_those_of_the_source(folder, number):
    sample, launch = sample_loops(folder), launches_of(folder)[number]
    found = {i: set() for i in sample.of(launch.kernel)}
    bodies = {i: Counter() for i in found}
    for thread, entered in executed(folder, number):
        for entry in entered:
            loop = sample.loops[entry.loop]
            assert value(loop.trips, entry.environment) == entry.trips
            found[entry.loop].add(entry.trips)
            bodies[entry.loop][thread.index] += entry.bodies
    environment = executed(folder, number)[0][0].environment
    for i, trips in found.items():
        loop = sample.loops[i]
        if loop.trips == "data":
            assert (loop.number, loop.body) == ("", None)
            continue
        least, most = min(trips), max(trips)
        assert loop.number == (f"{least}" if least == most else f"{least}..{most}")
        assert loop.body is not None or not loop.triangular
        if loop.body is not None:
            assert value(loop.body.formula, environment) == loop.body.total
            in_all = sum(t.alike * bodies[i][t.index] for t, _ in executed(folder, number))
            assert set(bodies[i].values()) == {loop.body.total} or loop.body.per == "cta"
            assert in_all == loop.body.total * times(loop.body, launch)


# ---------------------------------------------------------------- static traces and bounds


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize(("artefact", "number"), cases("traces"))
def test_traces_execute_bodies_as_often_as_derived(artefact, number):
    for body in traced_bodies(artefact, number):
        assert body.is_shown
        assert body.found == body.expected
        assert body.is_even


@pytest.mark.parametrize(("artefact", "number"), cases("bounds", {".bc"}))
def test_bounds_are_those_derived(artefact, number):
    job, sample = job_of(artefact, number), sample_loops(artefact.parent)
    expected = expected_loops(sample, job.kernel.name, door_of(artefact))
    assert len(job.analysis.bounds) == len(expected)
    pairs = matched(job, artefact, expected)
    assert pairs.keys() == expected.keys()
    for i, bound in pairs.items():
        if expected[i].trips == "data":
            assert isinstance(bound.trips, UnknownTrips)
            continue
        assert not bound.at_most
        assert not isinstance(bound.trips, UnknownTrips), f"{expected[i].counter}: {bound.trips}"
        entries = list(compared(job, artefact, number, i, pairs))
        assert entries
        assert [e for e in entries if e.found != e.trips] == [], expected[i].counter


TRIANGULAR = tuple(f for f in FOLDERS if f.name in ("bitonic", "lud"))


def test_a_row_for_every_triangular_loop_and_artefact():
    told = []
    rows = triangular_exact(False, told.append, TRIANGULAR)
    # of bitonic four modules with one kernel, of lud five with three; one has two such loops
    assert len(told) == 4 * 1 + 5 * 3
    assert len(rows) == 4 * 1 + 5 * 4
    assert all(row.exact and row.found == row.expected for row in rows)
    formulas = {row.artefact for row in rows if row.formula_exact}
    assert formulas == {"bitonic.bc", "bitonic.opencl.bc", "lud.bc", "lud.opencl.bc"}
    quick = triangular_exact(True, folders=TRIANGULAR)
    assert {row.artefact for row in quick} == {
        f"{f.name}{end}" for f in TRIANGULAR for end in (".bc", ".sm_80.ptx")
    }
    assert set(quick) <= set(rows)
