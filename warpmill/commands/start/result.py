"""Result of ``start``: what a file is, what it holds, and the commands to go on with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.compilers.embedded import holds_sources
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.compilers.python_kernels import PythonKernel, python_kernels
from warpmill.analyzer.frontends.load import LoadedModule, find_kernel, load_kernel
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.check import described
from warpmill.doors.files import first_words
from warpmill.measurements.reading import NAMED, first_correlation, is_measured
from warpmill.report.base import Mark, Part, Report
from warpmill.session.first_launch import (
    FirstLaunch,
    files_to_begin_with,
    first_of_file,
)
from warpmill.session.jobs import (
    found_target,
    is_application,
    is_workload,
    sample_word,
    says_launches,
)
from warpmill.session.prepare import machine_code_of
from warpmill.session.runs import parameter_words


class HeldKernel(Part):
    """A kernel that a file holds, or launches."""

    kernel: Annotated[str, Metric("Kernel")]
    parameters: Annotated[str, Metric("Parameters")]
    instructions: Annotated[int | None, Metric("Instructions")] = None


class NextCommand(Part):
    """A command to go on with, whole; what it tells."""

    command: Annotated[str, Metric("Command")]
    tells: Annotated[str, Metric("Details")]


class StartReport(Report):
    """What a file is; ``kernel`` is the one that the commands are about.

    ``launch`` is the one in them: nobody has said it, so change it.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["start"] = "start"
    file: Annotated[str, Metric("File")]
    what: Annotated[str, Metric("Summary")]
    kernels: tuple[HeldKernel, ...] = ()
    kernel: Annotated[str | None, Metric("Kernel")] = None
    commands: tuple[NextCommand, ...]
    launch: FirstLaunch | None = None


_AFTER = (
    ("estimate", "its time on three GPUs, and what bounds it"),
    ("check", "faults: accesses out of bounds, races, what nothing has written"),
    ("explain", "which lines take the time"),
    ("report", "all of it in one page"),
)
"""Commands that take a launch, by what people ask first."""


def start_report(
    target: str, kernel: str | None = None, compiling: CompileOptions | None = None
) -> StartReport:
    """Look at a file. InputError and UsageError for what is none that warpmill reads.

    ``compiling`` says how a source is compiled, and is part of its commands.
    """
    path, target = Path(found_target(target)), sample_word(target)
    how = compiling or CompileOptions()
    if path.is_dir():
        return _of_folder(target, path, kernel, how)
    if how.given and not is_source(path) and not holds_sources(path):
        raise UsageError(f"{how.given[0]} is for sources, which are compiled; {target} has none")
    if is_workload(target):
        return _of_application(target, "a workload of warpmill", ("samples run",))
    if is_application(target):
        is_program = path.suffix.lower() == ".py"
        what = "a host program" if is_program else "a recording of an application"
        return _of_application(target, what, ("run",) if is_program else ("replay",))
    if says_launches(path):
        return _of_launch_file(target, path)
    if is_measured(path):
        return _of_measurements(target, path)
    return _of_kernel_file(target, path, kernel, how)


_LISTED = 8


def _of_folder(target: str, path: Path, kernel: str | None, how: CompileOptions) -> StartReport:
    """The kernel files in a folder, as a cache of Triton has them."""
    files = files_to_begin_with(path)
    if not files:
        words = f"{target} is a folder without a kernel file (.ptx, .ll, .bc) or a launch file"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="name a file"))
    own = start_report(str(files[0]), kernel, how)
    stems = list(dict.fromkeys(one.name.partition(".")[0] for one in files))
    names = f"{', '.join(stems[:_LISTED])}{' ...' * (len(stems) > _LISTED)}"
    others = f" with {len(files)} such files ({names})" if len(files) > 1 else ""
    what = f"a folder{others}; {own.file} is {own.what}"
    return replace(own, file=target, what=what)


def _of_application(target: str, what: str, runs: Sequence[str]) -> StartReport:
    first = [_command(word, target, tells="its results") for word in runs]
    after = [_command(word, target, tells=tells) for word, tells in _AFTER[:3]]
    return StartReport(file=target, what=what, commands=(*after[:1], *first, *after[1:]))


def _of_launch_file(target: str, path: Path) -> StartReport:
    launches = load_launches(path)
    what = f"a launch file with {len(launches)} launch{'es' * (len(launches) > 1)}"
    held = tuple(_held(*load_kernel(one.module, one.kernel)) for one in launches)
    return StartReport(
        file=target, what=what, kernels=tuple(dict.fromkeys(held)), commands=_commands(target, ())
    )


def _held(loaded: LoadedModule, kernel: Kernel) -> HeldKernel:
    called = parameter_words(loaded, kernel)
    listed = ", ".join(f"{called[p.name]}: {described(p)}" for p in kernel.parameters)
    number = sum(1 for _ in kernel.instructions)
    return HeldKernel(kernel=demangle(kernel.name), parameters=listed, instructions=number)


_DOORS = {"triton": "kernels of Triton", "numba": "kernels of numba"}


def _of_python(target: str, found: Sequence[PythonKernel], kernel: str | None) -> StartReport:
    """Kernels in Python: they are compiled once their arguments are known."""
    names = tuple(one.name for one in found)
    named = find_kernel(kernel, names, target) if kernel is not None else names[0]
    own = next(one for one in found if one.name == named)
    words, assumed = first_words(own)
    told = {one.name: ", ".join(f"{p.name}: {p.kind}" for p in one.parameters) for one in found}
    held = tuple(HeldKernel(kernel=name, parameters=listed) for name, listed in told.items())
    which = () if len(found) == 1 else ("--kernel", named)
    return StartReport(
        file=target,
        what=f"{_DOORS[own.door]} in Python",
        kernels=held,
        kernel=named,
        commands=_commands(target, (*which, *words)),
        launch=FirstLaunch(words[1], "", words[2:], assumed),
    )


def _of_kernel_file(
    target: str, path: Path, kernel: str | None, how: CompileOptions
) -> StartReport:
    found = python_kernels(path)
    if found:
        return _of_python(target, found, kernel)
    code = machine_code_of(str(path), kernel)
    if code is not None and not code.has_ptx:
        return _of_machine_code(target, [k.name for c in code.cubins for k in c.kernels])
    own = first_of_file(path, kernel, how)
    launch, kernels = own.first, tuple(_held(*one) for one in own.held)
    commands = _commands(target, (*own.words, *launch.words))
    if launch.lacking:
        called = parameter_words(own.loaded, own.kernel)
        lacking = ", ".join(called[name] for name in launch.lacking)
        lacks = f"a time needs the fields of {lacking}: --arg struct=buffer=f32:1024,i32=64,..."
        tells = f"loops, branches and accesses; {lacks}"
        commands = (_command("analyze", target, *own.words, tells=tells),)
    return StartReport(
        file=target,
        what=f"{own.loaded.format.value} for {own.loaded.module.target}",
        kernels=kernels,
        kernel=own.kernel.name,
        commands=commands,
        launch=launch,
    )


def _of_machine_code(target: str, names: Iterable[str]) -> StartReport:
    """A cubin: its resources are known, and no more can be told without PTX."""
    held = tuple(
        HeldKernel(kernel=demangle(name), parameters="unknown") for name in dict.fromkeys(names)
    )
    tells = (
        "registers, frame and shared memory; a time needs PTX: compile with "
        "-gencode arch=compute_80,code=compute_80"
    )
    commands = (_command("inspect", target, tells=tells),)
    return StartReport(
        file=target, what="machine code without PTX", kernels=held, commands=commands
    )


def _of_measurements(target: str, path: Path) -> StartReport:
    """Measured launches, which ``correlate`` puts beside estimates of them."""
    found = first_correlation(path)
    named = f"; {NAMED} is the file of the kernels, or a launch file" * (NAMED in found.words)
    tells = f"measured times, and counters where there are any, beside the model's{named}"
    command = _command("correlate", target, *found.words, tells=tells)
    launch = FirstLaunch("", "", (), found.assumed) if found.assumed else None
    return StartReport(file=target, what=found.launches, commands=(command,), launch=launch)


def _commands(target: str, launch: Sequence[str]) -> tuple[NextCommand, ...]:
    return tuple(_command(word, target, *launch, tells=tells) for word, tells in _AFTER)


def _command(*words: str, tells: str) -> NextCommand:
    return NextCommand(command=join(["warpmill", *words]), tells=tells)
