"""Estimating the configurations of a line of a design space, and how long that takes.

An estimate takes all that a new launch takes: the launch is resolved and checked, its warps are
traced, and the traces timed on the GPU. A kernel is read and analysed once, and that time is told
apart. It is CPU time of this process, with compiled code loaded. Traces are static, as the paper's:
where data decide, all that may run does.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from benchmarks.estimate_table_parts.spaces import GPUS, TableKernel, table_kernel
from warpmill.analyzer.base.diagnostics import InputError, WarpmillError
from warpmill.analyzer.base.toml_source import TomlDocument, read_toml_file
from warpmill.analyzer.launch import Launch, check_launch
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.analyzer.traces.model import weighted_visits
from warpmill.analyzer.traces.source import TraceSource
from warpmill.session.estimates import Estimator
from warpmill.session.jobs import Job
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine


@dataclass(frozen=True)
class Prepared:
    """A kernel of the table, read and analysed; ``ms`` is how long that took."""

    kernel: TableKernel
    job: Job
    document: TomlDocument
    ms: float

    def launch(self, sizes: Mapping[str, int]) -> Launch:
        """Resolve the launch of a configuration. InputError for what cannot be launched."""
        folder = self.kernel.launch_file.parent
        (launch,) = resolve_launches(self.document, folder, dict(sizes))
        check_launch(launch, self.job.loaded.module, self.job.kernel)
        return launch


@dataclass(frozen=True)
class Answer:
    """What came of one configuration on one GPU.

    ``us`` is the time that is predicted. None: ``cannot_run``, the GPU cannot hold a CTA of it, or
    ``problem``, which says what else was wrong.
    """

    us: float | None
    cannot_run: str = ""
    problem: str = ""


@dataclass(frozen=True)
class Estimated:
    """A configuration: an answer for each GPU, and the time that one estimate took, in ms.

    ``trace`` are instructions of a warp, in the mean over those of a CTA in the middle of the grid,
    ``kept`` those that the paper's pruning leaves (§III-A). None where no GPU gave an estimate.
    """

    answers: tuple[Answer, ...]
    ms: float | None
    trace: float | None
    kept: float | None


@lru_cache(2)
def prepared(name: str) -> Prepared:
    """Read a kernel of the table twice, and its launch once: the second time has all loaded."""
    kernel = table_kernel(name)
    prepare(kernel.launch_file)
    begin = time.process_time()
    job = prepare(kernel.launch_file)
    _ = job.analysis
    ms = 1e3 * (time.process_time() - begin)
    _ = job.pruned  # which goes along to other launches
    found = Prepared(kernel, job, read_toml_file(kernel.launch_file), ms)
    estimated(found, dict(job.required_launch().sizes), GPUS)  # the engine's code is compiled
    return found


def estimated(one: Prepared, sizes: Mapping[str, int], gpus: Sequence[str]) -> Estimated:
    """Estimate a configuration on GPUs, one after another from the same traces."""
    machines = [machine(name) for name in gpus]
    begin = time.process_time()
    try:
        launch = one.launch(sizes)
    except InputError as error:  # no GPU can launch that
        return Estimated(
            (Answer(None, error.diagnostics[0].message),) * len(gpus), None, None, None
        )
    job = one.job.with_launch(launch)
    options = TraceOptions("static", assume=one.kernel.trips(sizes))
    estimator = Estimator(job, trace_options=options)
    answers = tuple(_answer(estimator, each) for each in machines)
    seconds = time.process_time() - begin
    number = sum(answer.us is not None for answer in answers)
    if not number:
        return Estimated(answers, None, None, None)
    return Estimated(answers, 1e3 * seconds / number, *trace_lengths(job, estimator.source))


def _answer(estimator: Estimator, machine: Machine) -> Answer:
    try:
        return Answer(estimator.on(machine).time_us)
    except InputError as error:
        return Answer(None, cannot_run=error.diagnostics[0].message)
    except WarpmillError as error:
        return Answer(None, problem=error.diagnostics[0].message)


def trace_lengths(job: Job, source: TraceSource) -> tuple[float, float]:
    """The instructions of a warp's trace, and those of them that the paper's pruning keeps.

    In the mean over the warps of a CTA in the middle of the grid.
    """
    x, y, z = (side // 2 for side in job.required_launch().grid)
    (warps,) = source.many([(x, y, z)])
    visits: Counter[int] = Counter()
    for warp in warps:
        for visit, times in weighted_visits(warp.nodes):
            visits[visit.block] += times
    all_ = sum(
        times * len(job.kernel.blocks[block].instructions) for block, times in visits.items()
    )
    kept = sum(times * len(job.kept[block]) for block, times in visits.items())
    return all_ / len(warps), kept / len(warps)


@cache
def machine(name: str) -> Machine:
    """A GPU by its name."""
    return load_machine(name)


def facts_of(name: str, held: Mapping[str, int], along: Mapping[str, Any]) -> dict[str, Any]:
    """Estimate some configurations of a line; gives ``Stretch`` as JSON. WarpmillErrors.

    ``along`` has the size that varies, its values, and the GPUs.
    """
    one = prepared(name)
    size, values, gpus = along["size"], along["values"], along["gpus"]
    found = [estimated(one, {**held, size: value}, gpus) for value in values]
    return {
        "prepare_ms": one.ms,
        "ms": [each.ms for each in found],
        "trace": [each.trace for each in found],
        "kept": [each.kept for each in found],
        "us": _by_gpu(found, gpus, "us"),
        "cannot_run": _by_gpu(found, gpus, "cannot_run"),
        "problem": _by_gpu(found, gpus, "problem"),
    }


def _by_gpu(found: Sequence[Estimated], gpus: Sequence[str], name: str) -> dict[str, list[Any]]:
    return {
        gpu: [getattr(each.answers[place], name) for each in found]
        for place, gpu in enumerate(gpus)
    }
