"""Measuring of benchmarks/consistency: the launches that words are held against, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from warpmill.benchmarks.benchmark import Request, say
from warpmill.benchmarks.checks import Found, failures, measured, right
from warpmill.benchmarks.consistency import Analysis, ConsistencyResult, MakerRow
from warpmill.benchmarks.execution.compiled import building, pairs, running
from warpmill.benchmarks.frontend_inputs.build import CACHE
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application, application_jobs
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.workloads import workloads

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MAX_SECONDS = 60.0
QUICK_SHARE = 0.25
"""Of the sizes of kernels that grow, what a quick run takes."""


@dataclass(frozen=True)
class LaunchOf:
    """A launch, and who made its kernel: a compiler, ``samples`` or ``workloads``."""

    maker: str
    name: str
    job: Job


def of_samples() -> Iterator[LaunchOf]:
    """Launches of the samples' launch files, from PTX and LLVM IR."""
    for path in sorted(SAMPLES.glob("*/launch*.toml")):
        for job in prepare_all(path):
            yield LaunchOf("samples", f"{path.parent.name} {path.name}", job)


def of_workloads(only: str = "") -> Iterator[LaunchOf]:
    """The largest launch of each kernel of each workload, tiny presets."""
    for name in sorted(workloads()):
        if only in name:
            for job in application_jobs(f"{name}:tiny", None, LaunchOptions()):
                yield LaunchOf("workloads", f"{name} {job.kernel.name}", job)


def of_compilers(built: building.Built) -> Iterator[LaunchOf | str]:
    """Launches of what compilers make of kernels, recorded without being executed to their end.

    A text in place of a launch says why a program has none: the executor refuses it, which another
    benchmark counts.
    """
    for number, (compiler, program, file) in enumerate(pairs(built)):
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
    built = building.built(CACHE, quick=quick)
    yield from of_samples()
    yield from of_workloads("s" if quick else "")
    yield from of_compilers(built)
    yield from (f"missing: {name}" for name in built.missing)


def words(quick: bool) -> Found:
    """Patterns beside executed traces, and trips."""
    from warpmill.benchmarks.consistency.patterns import Compared  # noqa: PLC0415 - it takes launches
    from warpmill.benchmarks.consistency.trips import Loops  # noqa: PLC0415 - with the above

    compared, loops, notes = Compared(), Loops(), []
    seen = set()
    for one in every_launch(quick):
        if isinstance(one, str):
            notes.append(one)
            continue
        compared.add(one)
        kernel = (one.maker, str(one.job.loaded.path), one.job.kernel.name)
        if kernel not in seen:
            seen.add(kernel)
            loops.add(one.maker, one.name, one.job)
    rows = []
    for maker, (unknown, decided, every) in sorted(loops.counts.items()):
        irregular, contiguous = compared.share(maker)
        rows.append(MakerRow(maker=maker, contiguous=contiguous, irregular=irregular, loops=every,
                             decided=decided, unknown=unknown))  # fmt: skip
    notes += [f"called irregular: {words}" for words in compared.irregular]
    notes += [f"unknown trips: {words}" for words in loops.unknown]
    notes += [f"not traced: {words}" for words in compared.untraced]
    return {
        "patterns_right": right(compared.named, len(compared.wrong)),
        "makers": tuple(rows),
        "notes": tuple(notes),
        "failures": failures("patterns", compared.wrong),
    }


def growing(quick: bool) -> Found:
    """How long ``analyze`` takes."""
    from warpmill.benchmarks.consistency.growth import all_times  # noqa: PLC0415 - loads the commands

    say("timing analyze")
    built = building.built(CACHE, quick=quick)
    files = sorted({file for made in built.files.values() for file in made})
    times = all_times(files, QUICK_SHARE if quick else 1.0)
    return {"analyses": tuple(Analysis(name=n, ms=1e3 * s) for n, s in times.items())}


def rates(quick: bool) -> Found:
    """Results beyond a rate of their machine."""
    from warpmill.benchmarks.consistency.rates import above_machine_rates  # noqa: PLC0415 - as above

    say("holding results against their machines")
    checked, beyond = above_machine_rates(quick)
    return {"within_rates": right(checked, len(beyond)), "failures": failures("rates", beyond)}


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
