"""What all doors share: a kernel's text and arguments become a job, and what is done with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from warpmill.analyzer.base.diagnostics import Source, UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import LoadedModule, load_kernel, text_of
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.operation import operation_table
from warpmill.analyzer.launch import Launch
from warpmill.doors.arguments import written_arrays
from warpmill.session.jobs import Job
from warpmill.session.options import RunOptions
from warpmill.session.prepare import checked_job
from warpmill.session.registers import chip_number
from warpmill.session.runs import Run, run_jobs
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.analyzer.launch.model import Argument
    from warpmill.commands.check.result import CheckReport

Item = TypeVar("Item")

DEFAULT_MACHINE = "a100"
"""Machine whose chip kernels are compiled for where none is named."""


def needed(module: str, package: str, why: str) -> Any:
    """A module of a library that warpmill does not need by itself. UsageError: what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        words = f"{why} needs {package} ({first_line(error)}): pip install {package}"
        raise UsageError(words) from None


_CHIP = re.compile(r"sm_(\d{2,3})[af]?")


def chip_of(machine: str | Machine) -> int:
    """The number of a machine's chip, 80 for sm_80, or of one that is named itself: ``sm_120``.

    UsageError for a machine that is not NVIDIA's.
    """
    named = _CHIP.fullmatch(machine) if isinstance(machine, str) else None
    if named is not None:
        return int(named[1])
    found = machine if isinstance(machine, Machine) else load_machine(machine)
    chip = chip_number(found)
    if chip is None:
        raise UsageError(f"{found.name} is no chip that kernels are compiled for: it has no sm_NN")
    return chip


_QUOTED = re.compile(r'"[^"\n]*"')
_WORD = re.compile(r"[A-Za-z_$%][\w$]*")


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text of PTX whose identifiers have other names, as people write them.

    A name that the text or the language has for something else gets a line behind it.
    """
    taken = {*_WORD.findall(_QUOTED.sub("", text)), *_reserved()} - names.keys()
    found: dict[str, str] = {}
    for old, name in names.items():
        new = re.sub(r"[^\w$]", "_", name)
        while new in taken:
            new += "_"
        taken.add(new)
        found[old] = new
    return _WORD.sub(lambda match: found.get(match[0], match[0]), text)


def _reserved() -> set[str]:
    return {name.partition(".")[0] for name in operation_table()}


def job_of_text(
    source: Source,
    kernel: str | None,
    grid: Sequence[int],
    block: Sequence[int],
    arguments: Sequence[Argument],
    shared: int = 0,
) -> Job:
    """The job of a launch of a kernel whose text no file has to hold. InputError, UsageError."""
    loaded, found = load_kernel(source, kernel)
    return job_of_kernel(loaded, found, grid, block, arguments, shared)


def job_of_kernel(
    loaded: LoadedModule,
    kernel: Kernel,
    grid: Sequence[int],
    block: Sequence[int],
    arguments: Sequence[Argument],
    shared: int = 0,
) -> Job:
    """The job of a launch of a kernel that was read. InputError where it does not fit."""
    name, source = kernel.name, loaded.source.name
    launch = Launch.of(source, name, grid=grid, block=block, shared=shared, arguments=arguments)
    return checked_job(loaded, kernel, launch)


def launch_sides(what: str, given: object) -> tuple[int, ...]:
    """One to three sizes of a grid or a block. UsageError."""
    sides = tuple(given) if isinstance(given, Sequence | np.ndarray) else (given,)
    is_whole = all(isinstance(side, int | np.integer) for side in sides)
    if not 1 <= len(sides) <= 3 or not is_whole or min(sides) < 1:
        raise UsageError(f"a {what} is one to three whole numbers from 1, not {given!r:.60}")
    return tuple(int(side) for side in sides)


def entry_of(text: str) -> str:
    """The name of the only kernel of a text of PTX. UsageError."""
    names = text_of(Source("<text>", text)).names()
    if len(names) != 1:
        raise UsageError(f"{len(names)} kernels were compiled, where one was asked for")
    return names[0]


def first_line(error: BaseException) -> str:
    """The first line of an error's words, or what kind of an error it is."""
    return next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)


def fastest_first(found: Iterable[Item], time_of: Callable[[Item], float | None]) -> list[Item]:
    """Configurations by estimated times, those without one last; equal ones stay in order."""
    return sorted(found, key=lambda one: inf if (time := time_of(one)) is None else time)


def number_kept(keep: float, count: int) -> int:
    """How many of ``count`` configurations are kept: a share of them, or a number; one at least."""
    return max(1, int(keep) if keep > 1 else round(keep * count))


def run_in_place(job: Job, options: RunOptions | None = None) -> Run:
    """Run a job; the arrays that it was prepared with have its results afterwards.

    UsageError where it writes to an array that is read-only.
    """
    done = run_jobs((job,), options or RunOptions())
    by_argument = {buffer.argument: buffer for buffer in done.buffers}
    for place, memory in written_arrays(job.required_launch().arguments):
        name = job.kernel.parameters[place].name
        buffer = by_argument[name]
        if not buffer.changed:
            continue
        if not memory.values.flags.writeable:
            raise UsageError(f"`{job.kernel.name}` writes to `{name}`, an array that is read-only")
        result = buffer.values.reshape(-1).view(np.uint8)
        memory.values.reshape(-1).view(np.uint8)[...] = result
    return done


def check_report(job: Job, options: RunOptions | None = None) -> CheckReport:
    """What sanitizers find in a job, as ``warpmill check`` shows it. Arrays stay as they are."""
    from warpmill.commands.check.result import CheckReport  # noqa: PLC0415 - slow to load
    from warpmill.executor.sanitizers.findings import BY_DEFAULT  # noqa: PLC0415
    from warpmill.session.checking import checked  # noqa: PLC0415

    found = checked(
        sorted(BY_DEFAULT),
        options or RunOptions(),
        lambda watched: run_jobs((job,), watched),
        lambda: (job,),
    )
    return CheckReport(target=demangle(job.required_launch().name), checked=found, gate=None)
