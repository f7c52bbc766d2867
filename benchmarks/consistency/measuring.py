"""Measuring of benchmarks/consistency: the launches that words are held against, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from warpmill.benchmarks.benchmark import ROOT, Request, say
from warpmill.benchmarks.checks import Found, checked, measured
from warpmill.benchmarks.consistency import Analysis, ConsistencyResult, MakerRow
from warpmill.benchmarks.consistency.growth import all_times
from warpmill.benchmarks.consistency.patterns import Compared
from warpmill.benchmarks.consistency.rates import rates
from warpmill.benchmarks.consistency.trips import Loops
from warpmill.benchmarks.execution.compiled import built, pairs, running
from warpmill.benchmarks.frontend_inputs.build import Corpus
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application, application_jobs
from warpmill.session.jobs import Job
from warpmill.session.prepare import prepare_all
from warpmill.session.workloads import workloads

MAX_SECONDS = 60.0
QUICK_SHARE = 0.25
"""Of the sizes of kernels that grow, what a quick run takes."""


class LaunchOf(NamedTuple):
    """A launch, and who made its kernel: a compiler, ``samples`` or ``workloads``."""

    maker: str
    title: str
    job: Job


def of_samples() -> Iterator[LaunchOf]:
    """Launches of the samples' launch files, from PTX and LLVM IR."""
    for path in sorted(ROOT.glob("samples/*/launch*.toml")):
        for job in prepare_all(path):
            yield LaunchOf("samples", f"{path.parent.name} {path.name}", job)


def of_workloads(only: str = "") -> Iterator[LaunchOf]:
    """The largest launch of each kernel of each workload, tiny presets."""
    for name in sorted(workloads()):
        for job in application_jobs(f"{name}:tiny") if only in name else ():
            yield LaunchOf("workloads", f"{name} {job.kernel.name}", job)


def of_compilers(made: Corpus) -> Iterator[LaunchOf | str]:
    """Launches of what compilers make of kernels, recorded without being executed to their end.

    A text in place of a launch says why a program has none: the executor refuses it, which another
    benchmark counts.
    """
    for number, (compiler, program, file) in enumerate(pairs(made)):
        if number % 50 == 0:
            say(f"launch {number} of compiled kernels")
        device = Device(options=CpuOptions(max_seconds=MAX_SECONDS))
        try:
            running.launched(device, program, file)
            job = Application(program.name, device.recording).job(0)
        except Exception as error:  # told among the notes
            yield f"refused: {program.name} {file.name}: {' '.join(str(error).split())[:200]}"
            continue
        yield LaunchOf(compiler, f"{program.name} {file.name}", job)


def every_launch(quick: bool) -> Iterator[LaunchOf | str]:
    """All launches, of one maker after the other, and why there are no others."""
    made = built(quick=quick)
    yield from of_samples()
    yield from of_workloads("s" if quick else "")
    yield from of_compilers(made)
    yield from (f"missing: {name}" for name in made.missing)


def words(quick: bool) -> Found:
    """Patterns beside executed traces, and trips."""
    compared, loops, notes = Compared(), Loops(), []
    kernels = set()
    for one in every_launch(quick):
        if isinstance(one, str):
            notes.append(one)
            continue
        compared.add(*one)
        kernel = (one.maker, str(one.job.loaded.path), one.job.kernel.name)
        if kernel not in kernels:
            kernels.add(kernel)
            loops.add(*one)
    counts = compared.counts + loops.counts
    fields = ("contiguous", "irregular", "loops", "decided", "unknown")
    notes += [f"called irregular: {words}" for words in compared.irregular]
    notes += [f"unknown trips: {words}" for words in loops.unknown]
    notes += [f"not traced: {words}" for words in compared.untraced]
    return {
        **checked("patterns_right", "patterns", compared.named, compared.wrong),
        "makers": tuple(
            MakerRow(maker=maker, **{name: counts[maker, name] for name in fields})
            for maker in sorted({maker for maker, *_ in kernels})
        ),
        "notes": tuple(notes),
    }


def growing(quick: bool) -> Found:
    """How long ``analyze`` takes."""
    say("timing analyze")
    files = sorted({one.path for one in built(quick=quick).inputs})
    times = all_times(files, QUICK_SHARE if quick else 1.0)
    return {"analyses": tuple(Analysis(name=n, ms=1e3 * s) for n, s in times.items())}


def waves(quick: bool) -> Found:
    """The traffic of estimates beside the twin's."""
    from warpmill.benchmarks.consistency.waves import traffic  # noqa: PLC0415 - of checkouts only

    return {"traffic": tuple(traffic(quick))}


PARTS: dict[str, Callable[[bool], Found]] = {
    "words": words, "growth": growing, "rates": rates, "waves": waves,
}  # fmt: skip


def measure(request: Request) -> ConsistencyResult:
    """Measure everything, or some parts."""
    return ConsistencyResult(**measured(request.chosen(PARTS), PARTS, request.quick))
