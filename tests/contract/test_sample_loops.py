"""The samples' loops: derived by hand, executed as the source says, and as analyses see them."""

from collections import Counter
from functools import cache
from pathlib import Path, PurePath

import pytest

from analyzer.analyses.bounds import Known, LoopBound, Symbolic, Unknown
from analyzer.frontends.load import SUFFIXES, load_kernel
from analyzer.launch import ScalarArgument, load_launches
from analyzer.symbolic import AtomKind, evaluate
from analyzer.trace.model import lanes_of, weighted_visits
from tests.reference.loop_nests import entries, names_in, read_loops, threads, value
from warpmill.api import Job, trace_source

SAMPLES = Path(__file__).parents[2] / "samples"
FOLDERS = sorted(p.parent for p in SAMPLES.glob("*/artefacts.json"))
MOST_COMPARED = 100
"""Entries of one loop by one thread whose trip counts are compared with a formula."""

FALLS_SHORT = {
    ("bounds", "binomial.opencl.ll", "binomial_block"): (
        "power(ratio, j): unknown (data decide it: max(1, bitlength(%39))); right: bits(j), j the "
        "counter of the loop around, which a 64-bit get_local_size(0) is added to"
    ),
    ("bounds", "bitonic.ll", "bitonic_sort"): (
        "for j: unknown (data decide it: max(1, bitlength(floordiv(%23, 2)))); right: bits(k) - 1, "
        "k the doubling counter of the loop around"
    ),
    ("bounds", "bitonic.opencl.ll", "bitonic_sort"): (
        "for j: unknown (data decide it: max(1, bitlength(floordiv(%28, 2)))); right: bits(k) - 1, "
        "k the doubling counter of the loop around"
    ),
}
"""Where an analysis is not exact yet: (test, artefact, launch), what it says and what is right."""


# ---------------------------------------------------------------- what is compared


def launches_of(folder):
    return load_launches(folder / "launch.toml")


def sample_loops(folder):
    return read_loops(folder / "loops.toml")


def is_told(sample, kernel, test):
    loops = sample.of(kernel).values()
    return any(loop.body for loop in loops) if test == "traces" else bool(loops)


def cases(test, suffixes=SUFFIXES):
    """List an artefact and the number of a launch for each kernel with loops."""
    found = []
    for folder in FOLDERS:
        for artefact in sorted(p for p in folder.iterdir() if p.suffix in suffixes):
            for number, launch in enumerate(launches_of(folder)):
                if is_told(sample_loops(folder), launch.kernel, test):
                    said = FALLS_SHORT.get((test, artefact.name, launch.name))
                    mark = pytest.mark.xfail(reason=said, raises=AssertionError, strict=True)
                    name = f"{artefact.name}-{launch.name}-{number}"
                    found.append(pytest.param(artefact, number, id=name, marks=[mark] * bool(said)))
    return found


@cache
def job_of(artefact, number):
    """Prepare a launch with this artefact as its module."""
    launch = launches_of(artefact.parent)[number]
    loaded, kernel = load_kernel(artefact, launch.kernel)
    return Job(loaded, kernel, launch)


def door_of(artefact):
    """Which compiler's way with loops an artefact has: that of nvcc, or of clang for a language."""
    if artefact.name.endswith(".sm_80.ptx"):
        return "nvcc"
    return next((d for d in ("O0", "opencl") if f".{d}." in artefact.name), "cuda")


def source_of(artefact):
    """Give the file that an artefact was made of, and its suffix as a key of loops.toml."""
    suffix = "cl" if door_of(artefact) == "opencl" else "cu"
    return f"{artefact.parent.name}.{suffix}", suffix


def numbers_of(sample, launch):
    """Give the launch's integers by the source's names."""
    pairs = zip(sample.arguments[launch.kernel], launch.arguments, strict=True)
    return {
        name: argument.value
        for name, argument in pairs
        if isinstance(argument, ScalarArgument) and isinstance(argument.value, int)
    }


@cache
def executed(folder, number):
    """Execute the loops of a launch's first CTA; the threads that differ, each with its entries."""
    sample, launch = sample_loops(folder), launches_of(folder)[number]
    chosen = threads(sample, launch.kernel, launch.block, numbers_of(sample, launch))
    return tuple((t, tuple(entries(sample, launch.kernel, t))) for t in chosen)


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


def times(body, launch):
    """How many totals there are in a CTA."""
    return {"thread": launch.threads_per_cta, "cta": 1}[body.per]


# ---------------------------------------------------------------- static traces


def executions(job, chosen):
    """Count how often each thread of the first CTA executes instructions.

    ``chosen`` are groups of (block, index), counted apart. All that is known of traces stands here.
    """
    source = trace_source(job)
    counts = [Counter() for _ in chosen]
    for trace in source.warps((0, 0, 0)):
        first = trace.warp * job.loaded.module.warp_size
        for visit, happens in weighted_visits(trace.nodes):
            guards = dict(visit.guards)
            for group, count in zip(chosen, counts, strict=True):
                for block, index in group:
                    if block == visit.block:
                        for lane in lanes_of(guards.get(index, visit.mask)):
                            count[first + lane] += happens
    assert source.assumptions == ()
    return counts


def shown_by(job, artefact, body):
    """Give the instructions that show a body; those without lines are told by name alone."""
    file, suffix = source_of(artefact)
    found = []
    for block in job.kernel.blocks:
        for index, instruction in enumerate(block.instructions):
            name = instruction.operation.name
            place = instruction.debug
            on_line = place is not None and (PurePath(place.file).name, place.line) == (
                file,
                body.line[suffix],
            )
            if {name, f"{name}.{instruction.operation.type}"} & set(body.names) and (
                on_line or (place is None and body.alone)
            ):
                found.append((block.id, index))
    return found


def bodies_of(sample, kernel):
    """Give the bodies of a kernel; those that share a line are one, executed as often as both."""
    found = {}
    for loop in sample.of(kernel).values():
        if loop.body is not None:
            found.setdefault((tuple(loop.body.line.items()), loop.body.names), []).append(loop.body)
    return tuple(tuple(bodies) for bodies in found.values())


@pytest.mark.parametrize(("artefact", "number"), cases("traces"))
def test_traces_execute_bodies_as_often_as_derived(artefact, number):
    job, sample = job_of(artefact, number), sample_loops(artefact.parent)
    together = bodies_of(sample, job.kernel.name)
    shown = [shown_by(job, artefact, bodies[0]) for bodies in together]
    assert all(shown)
    for bodies, counts in zip(together, executions(job, shown), strict=True):
        assert counts.total() == sum(b.total * times(b, job.launch) for b in bodies)
        if all(b.per == "thread" for b in bodies):
            assert set(counts.values()) == {sum(b.total for b in bodies)}


# ---------------------------------------------------------------- bounds


def expected_loops(sample, kernel, door):
    return {i: loop for i, loop in sample.of(kernel).items() if door not in loop.unrolled}


def matched(job, artefact, expected):
    """Join the kernel's loops to those of the source: by line, then by depth and order."""
    sample, suffix = sample_loops(artefact.parent), source_of(artefact)[1]
    forest = job.analysis.structure.loops.loops
    pairs, left = {}, dict(expected)
    for bound in sorted(job.analysis.bounds, key=lambda b: (forest[b.loop].depth, b.header)):
        lines = {line_of(job, exit_.source) for exit_ in bound.exits}
        number = next(
            i
            for i, loop in left.items()
            if (loop.line[suffix] in lines or lines == {None})
            and len(sample.around(i)) + 1 == forest[bound.loop].depth
        )
        pairs[number] = bound
        del left[number]
    assert not left
    return pairs


def line_of(job, block):
    last = job.kernel.blocks[block].terminator
    return last.debug.line if last.debug is not None else None


def trips_at(job, bound: LoopBound, around, entry):
    """Compute a loop's trip count for one entry; None where that is not enough."""
    if isinstance(bound.trips, Known):
        return bound.trips.count
    if not isinstance(bound.trips, Symbolic):
        return None
    values = {}
    for atom in bound.trips.formula.atoms:
        if atom.kind is AtomKind.ARGUMENT:
            values[atom] = job.launch.arguments[atom.key].value
        elif atom.kind is AtomKind.COUNTER:
            values[atom] = entry.iterations[around.index(atom.key)]
        elif atom.kind is AtomKind.SPECIAL:
            values[atom] = value(atom.name, entry.environment)
    return evaluate(bound.trips.formula, values)


@pytest.mark.parametrize(("artefact", "number"), cases("bounds", {".ll"}))
def test_bounds_are_those_derived(artefact, number):
    """A loop that is tested at its bottom is not entered for no trip."""
    job, sample = job_of(artefact, number), sample_loops(artefact.parent)
    expected = expected_loops(sample, job.kernel.name, door_of(artefact))
    assert len(job.analysis.bounds) == len(expected)
    pairs = matched(job, artefact, expected)
    for i, bound in pairs.items():
        around = [pairs[outer].loop for outer in sample.around(i)]
        if expected[i].trips == "data":
            assert isinstance(bound.trips, Unknown)
            continue
        assert not bound.at_most
        assert not isinstance(bound.trips, Unknown), f"{expected[i].counter}: {bound.trips}"
        for thread, entered in executed(artefact.parent, number):
            own = [e for e in entered if e.loop == i and (e.trips or not bound.bottom_tested)]
            for entry in own[:: len(own) // MOST_COMPARED + 1]:
                found = trips_at(job, bound, around, entry)
                assert found == entry.trips, (expected[i].counter, thread.index, entry.iterations)
