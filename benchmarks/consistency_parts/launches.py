"""The launches that static words are held against: workloads, samples, and compilers' kernels."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.execution.compiled import building, pairs, running
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device
from warpmill.session.applications import Application, application_jobs
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.workloads import workloads

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
MAX_SECONDS = 60.0


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


def of_compilers(cache: Path, *, quick: bool = False) -> Iterator[LaunchOf | str]:
    """Launches of what compilers make of the kernels of ``frontend_inputs``.

    A text in place of a launch says why a program has none: the executor refuses it.
    """
    built = building.built(cache, quick=quick)
    for compiler, program, file in pairs(built):
        try:
            job = _recorded(program, file)
        except Exception as error:  # what is refused is told, and counted by another benchmark
            yield f"{program.name} {file.name}: {' '.join(str(error).split())[:200]}"
            continue
        yield LaunchOf(compiler, f"{program.name} {file.name}", job)


def _recorded(program, artefact) -> Job:  # type: ignore[no-untyped-def]
    """The launch of a program, recorded without being executed to its end."""
    device = Device(options=CpuOptions(max_seconds=MAX_SECONDS))
    module = device.load(Path(artefact))
    kernel = running.find(module, program.kernel)
    given = program.inputs(np.random.default_rng(zlib.crc32(program.name.encode())))
    for name, values in program.symbols.items():
        device.symbol(module, name, values.dtype, values.shape).set(values)
    on_device = [running._passed(device, value) for value in given]
    both = zip(given, on_device, strict=True)
    arguments = [one for value, there in both for one in running._flat(value, there)]
    arguments += [None] * (len(kernel.kernel.parameters) - len(arguments))
    device.launch(kernel, program.grid, program.block, arguments, program.shared)
    return Application(program.name, device.recording).job(0)
