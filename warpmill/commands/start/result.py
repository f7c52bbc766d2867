"""Result of ``start``: what a file is, what it holds, and the commands to go on with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from shlex import join
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError, WarpmillError
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.compilers.python_kernels import PythonKernel, python_kernels
from warpmill.analyzer.frontends.load import find_kernel, load_all, load_kernel
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.check import described
from warpmill.doors.files import first_words
from warpmill.report.base import Mark, Part, Report
from warpmill.session.first_launch import FirstLaunch, first_launch
from warpmill.session.jobs import found_target, is_application, is_workload, says_launches
from warpmill.session.prepare import machine_code_of


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


def start_report(target: str, kernel: str | None = None) -> StartReport:
    """Look at a file. InputError and UsageError for what is none that warpmill reads."""
    path = Path(found_target(target))
    if path.is_dir():
        return _of_folder(target, path, kernel)
    if is_workload(target):
        return _of_application(target, "a workload of warpmill", ("samples run",))
    if is_application(target):
        is_program = path.suffix.lower() == ".py"
        what = "a host program" if is_program else "a recording of an application"
        return _of_application(target, what, ("run",) if is_program else ("replay",))
    if says_launches(path):
        return _of_launch_file(target, path)
    return _of_kernel_file(target, path, kernel)


def _of_folder(target: str, path: Path, kernel: str | None) -> StartReport:
    """The kernel files in a folder, as a cache of Triton has them."""
    kinds = (".toml", ".ptx", ".ll", ".bc")
    found = [p for p in path.rglob("*") if p.suffix in kinds]
    found.sort(key=lambda one: (kinds.index(one.suffix), len(one.name), str(one)))
    launches = [p for p in found if p.suffix == ".toml" and _is_launch_file(p)]
    files = launches or [p for p in found if p.suffix != ".toml"]
    if not files:
        words = f"{target} is a folder without a kernel file (.ptx, .ll, .bc) or a launch file"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="name a file"))
    own = start_report(str(files[0]), kernel)
    others = f" with {len(files)} such files" if len(files) > 1 else ""
    what = f"a folder{others}; {own.file} is {own.what}"
    return replace(own, file=target, what=what)


def _is_launch_file(path: Path) -> bool:
    try:
        return bool(load_launches(path))
    except WarpmillError:
        return False


def _of_application(target: str, what: str, runs: Sequence[str]) -> StartReport:
    first = [NextCommand(command=f"warpmill {word} {join([target])}", tells="its results")
             for word in runs]  # fmt: skip
    after = [
        NextCommand(command=f"warpmill {word} {join([target])}", tells=tells)
        for word, tells in _AFTER[:3]
    ]
    return StartReport(file=target, what=what, commands=(*after[:1], *first, *after[1:]))


def _of_launch_file(target: str, path: Path) -> StartReport:
    launches = load_launches(path)
    what = f"a launch file with {len(launches)} launch{'es' * (len(launches) > 1)}"
    held = tuple(_launched(launch.module, launch.kernel) for launch in launches)
    return StartReport(
        file=target, what=what, kernels=tuple(dict.fromkeys(held)), commands=_commands(target, ())
    )


def _launched(module: Path, kernel: str | None) -> HeldKernel:
    return _held(load_kernel(module, kernel)[1])


def _held(kernel: Kernel) -> HeldKernel:
    own = f"{kernel.name}_"  # as nvcc begins the names of parameters
    listed = ", ".join(f"{p.name.removeprefix(own)}: {described(p)}" for p in kernel.parameters)
    number = sum(1 for _ in kernel.instructions)
    return HeldKernel(kernel=demangle(kernel.name), parameters=listed, instructions=number)


_DOORS = {"triton": "kernels of Triton", "numba": "kernels of numba"}


def _of_python(target: str, found: Sequence[PythonKernel], kernel: str | None) -> StartReport:
    """Kernels in Python: they are compiled once their arguments are known."""
    names = tuple(one.name for one in found)
    named = find_kernel(kernel, names, target) if kernel is not None else names[0]
    own = next(one for one in found if one.name == named)
    words, assumed = first_words(own)
    held = tuple(
        HeldKernel(
            kernel=one.name, parameters=", ".join(f"{p.name}: {p.kind}" for p in one.parameters)
        )
        for one in found
    )
    which = () if len(found) == 1 else ("--kernel", named)
    return StartReport(
        file=target,
        what=f"{_DOORS[own.door]} in Python",
        kernels=held,
        kernel=named,
        commands=_commands(target, (*which, *words)),
        launch=FirstLaunch(words[1], "", words[2:], assumed),
    )


_WARP, _ARCH = 32, "sm_80"


def _of_kernel_file(target: str, path: Path, kernel: str | None) -> StartReport:
    found = python_kernels(path)
    if found:
        return _of_python(target, found, kernel)
    code = machine_code_of(str(path), kernel)
    if code is not None and not code.has_ptx:
        return _of_machine_code(target, [k.name for c in code.cubins for k in c.kernels])
    modules = load_all(path, kernel)
    kernels = {k.name: k for one in modules for k in one.module.kernels}
    if not kernels:
        raise UsageError(f"{target} holds no kernel")
    largest = max(kernels.values(), key=lambda one: sum(1 for _ in one.instructions))
    name = find_kernel(kernel, tuple(kernels), target) if kernel is not None else largest.name
    loaded, own = load_kernel(path, name)
    named = () if len(kernels) == 1 else ("--kernel", name)
    if loaded.module.warp_size != _WARP and is_source(path):
        # HIP is compiled for AMD's chips where none is named, and the machines are NVIDIA's
        loaded, own = load_kernel(path, name, compile_options=CompileOptions(arch=_ARCH))
        named = (*named, "--arch", _ARCH)
    launch = first_launch(loaded.module, own)
    what = f"{loaded.format.value} for {loaded.module.target}"
    held = tuple(map(_held, kernels.values()))
    if launch.lacking:
        lacks = f"a time needs a launch file, for {', '.join(launch.lacking)}: docs/launch-file.md"
        words, tells = ("analyze", target, *named), f"loops, branches and accesses; {lacks}"
        commands: tuple[NextCommand, ...] = (
            NextCommand(command=join(["warpmill", *words]), tells=tells),
        )
    else:
        commands = _commands(target, (*named, *launch.words))
    return StartReport(
        file=target, what=what, kernels=held, kernel=name, commands=commands, launch=launch
    )


def _of_machine_code(target: str, names: Iterable[str]) -> StartReport:
    """A cubin: its resources are known, and no more can be told without PTX."""
    held = tuple(
        HeldKernel(kernel=demangle(name), parameters="unknown") for name in dict.fromkeys(names)
    )
    command = NextCommand(
        command=join(["warpmill", "inspect", target]),
        tells="registers, frame and shared memory; a time needs PTX: compile with "
        "-gencode arch=compute_80,code=compute_80",
    )
    return StartReport(
        file=target, what="machine code without PTX", kernels=held, commands=(command,)
    )


def _commands(target: str, launch: Sequence[str]) -> tuple[NextCommand, ...]:
    line: Callable[[str], str] = lambda word: join(["warpmill", word, target, *launch])  # noqa: E731
    return tuple(NextCommand(command=line(word), tells=tells) for word, tells in _AFTER)
