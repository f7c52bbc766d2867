"""Targets read: launch files, kernel files with or without a launch, applications, as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    Severity,
    Source,
    UsageError,
    WarpmillError,
    all_unanswered,
)
from warpmill.analyzer.base.naming import demangle, find_by_name
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.load import (
    FileFormat,
    LoadedModule,
    find_kernel,
    find_launched,
    kernel_names,
    kernels_in,
    load_all,
    load_kernel,
)
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.launch import (
    Launch,
    check_launch,
    load_launches,
    with_sizes,
)
from warpmill.session.jobs import (
    Analysis,
    Job,
    found_target,
    is_application,
    is_traced,
    is_workload,
    says_launches,
)
from warpmill.session.options import KernelKeywords, LaunchKeywords, LaunchOptions, launch_with

if TYPE_CHECKING:
    from warpmill.analyzer.machine_code.binaries import MachineCode
    from warpmill.analyzer.machine_code.cubins import Cubin
    from warpmill.analyzer.traces.accelsim.text import KernelHeader, KernelsList
    from warpmill.executor.host.recording import Recording


def prepare_all(
    path: str | Path,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
    **launch: Unpack[LaunchKeywords],
) -> tuple[Job, ...]:
    """Read a launch file with its kernels, or a kernel file with or without a launch.

    The launch of a kernel file, or sizes of a launch file, are options or keywords:
    ``sizes={"n": 512}``, ``grid=64, block=256``.

    A launch file gives a job for each of its launches, or for those of ``kernel`` where it is
    named. A program, a recording or a workload is run, and gives jobs of its launches as
    ``options.launches`` says; so does a trace of Accel-Sim. InputError and
    UsageError, located where they can be.
    """
    options = launch_with(options, launch)
    path = found_target(path)
    if is_application(path):
        from warpmill.session.applications import application_jobs  # noqa: PLC0415 - LLVM is slow to load

        return application_jobs(path, kernel, options)
    if is_traced(path):
        return _traced_jobs(path, kernel, options)
    if options.launches != "largest":
        raise UsageError(
            f"--launch is for programs, recordings, workloads and traces; {path} is none"
        )
    if Path(path).suffix.lower() != ".toml":
        return (_from_kernel_file(path, kernel, options, strict=strict),)
    if options.given:
        raise UsageError(
            Diagnostic(
                Severity.ERROR,
                f"{path} is a launch file, which says the launch: {options.given[0]} is for "
                "kernel files",
                hint="--size NAME=VALUE changes the sizes of a launch file; tune and sweep vary "
                "others: --over block=64,128",
            )
        )
    launches = [_compiled_by(one, options.compile) for one in load_launches(path, options.sizes)]
    if options.compile.given and not any(is_source(one.module) for one in launches):
        raise _not_compiled(path, options.compile)
    jobs: tuple[Job, ...] = ()
    for one in launches:
        jobs = (*jobs, replace(_from_launch(one, strict=strict), before=jobs))
    if kernel is None:
        return jobs
    named = find_launched(kernel, [j.kernel.name for j in jobs], str(path))
    return tuple(j for j in jobs if j.kernel.name == named)


@dataclass(frozen=True)
class TargetLaunches:
    """Launches of a target: its ``jobs``, and the places among them of those that are asked for.

    ``are_all``: they are all that it launches, in order; ``recording`` has the calls of an
    application, None of a launch file.
    """

    title: str
    jobs: tuple[Job, ...]
    asked: tuple[int, ...]
    are_all: bool = False
    recording: Recording | None = None


def launches_of(
    target: str | Path,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
) -> TargetLaunches:
    """Launches that ``prepare_all`` gives, among all of the target where these may be needed.

    That is where neither a kernel nor one launch is named. Errors as ``prepare_all``.
    """
    target, options = found_target(target), options or LaunchOptions()
    if kernel is not None or isinstance(options.launches, int) or not is_application(target):
        jobs = prepare_all(target, kernel, options, strict=strict)
        are_all = kernel is None and Path(target).suffix.lower() == ".toml" and len(jobs) > 1
        return TargetLaunches(str(target), jobs, tuple(range(len(jobs))), are_all)
    from warpmill.session import applications  # noqa: PLC0415 - LLVM is slow to load

    app = applications.application(target, options)
    numbers = range(len(app.launches))
    if not numbers:
        raise UsageError(f"{app.title} makes no launches")
    asked: Sequence[int] = numbers
    if options.launches == "largest":
        asked = applications.largest_of_each_kernel(app.launches)
    jobs = tuple(app.job(number) for number in numbers)
    return TargetLaunches(app.title, jobs, tuple(asked), len(jobs) > 1, app.recording)


def prepare(
    path: str | Path,
    kernel: str | None = None,
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
    **launch: Unpack[LaunchKeywords],
) -> Job:
    """Read one launch or one kernel as ``prepare_all`` does. UsageError where there are several."""
    jobs = prepare_all(path, kernel, options, strict=strict, **launch)
    if len(jobs) > 1:
        names = ", ".join(j.launch.name if j.launch else j.kernel.name for j in jobs)
        raise UsageError(f"{path} has {len(jobs)} launches: {names}; name a kernel")
    return jobs[0]


def jobs_of(
    given: Job | str | Path | Sequence[Job], **launch: Unpack[KernelKeywords]
) -> tuple[Job, ...]:
    """Jobs as they are, or those that ``prepare_all`` makes of a target. UsageError."""
    if isinstance(given, str | Path):
        return prepare_all(given, **launch)
    if launch:
        raise UsageError(f"a job has its launch: {', '.join(launch)} are for warpmill.prepare()")
    jobs = (given,) if isinstance(given, Job) else tuple(given)
    wrong = next((each for each in jobs if not isinstance(each, Job)), None)
    if wrong is not None:
        raise UsageError(f"a job is what warpmill.prepare() gives of a file, not {wrong!r:.60}")
    return jobs


def job_of(given: Job | str | Path, **launch: Unpack[KernelKeywords]) -> Job:
    """A job as it is, or the one that ``prepare`` makes of a target. UsageError."""
    if isinstance(given, str | Path):
        return prepare(given, **launch)
    (job,) = jobs_of((given,), **launch)
    return job


def with_code(
    job: Job, path: str | Path, kernel: str | None = None, *, strict: bool = False
) -> Job:
    """The same launch of a kernel from another file: a variant of the job's.

    Without a name it is the only kernel there, or the one of the job's name. Whether the launch
    fits is not checked: it may get another block. InputError where the file cannot be read,
    UsageError where the kernel is not known.
    """
    launch = job.required_launch()
    how = launch.compile_options
    if kernel is None and job.kernel.name in kernel_names(path, how):
        kernel = job.kernel.name
    loaded, found = load_kernel(path, kernel, strict=strict, compile_options=how)
    return Job(loaded, found, replace(launch, module=Path(path), kernel=found.name), job.before)


def _compiled_by(launch: Launch, options: CompileOptions) -> Launch:
    """A launch whose module, where it is a source, is compiled by these options over its own."""
    return replace(launch, compile_options=options.over(launch.compile_options))


def _not_compiled(path: str | Path, options: CompileOptions) -> UsageError:
    return UsageError(f"{options.given[0]} is for sources, which are compiled; {path} has none")


def _from_launch(launch: Launch, *, strict: bool) -> Job:
    loaded, kernel = load_kernel(
        launch.module, launch.kernel, strict=strict, compile_options=launch.compile_options
    )
    return checked_job(loaded, kernel, launch)


def _from_kernel_file(
    path: str | Path, kernel: str | None, options: LaunchOptions, *, strict: bool
) -> Job:
    if options.sizes:
        raise UsageError(f"{path} is a kernel file: --size changes the sizes of a launch file")
    if Path(path).suffix.lower() == ".py":
        made = _from_python(Path(path), kernel, options)
        if made is not None:
            return made
    elif options.compile.given and not is_source(path):
        raise _not_compiled(path, options.compile)
    try:
        loaded, found = load_kernel(path, kernel, strict=strict, compile_options=options.compile)
    except UsageError as error:
        raise _with_launch_problems(error, path, options) from None
    if not options.given:
        return Job(loaded, found, None)
    from warpmill.session.launch_options import launch_of_options  # noqa: PLC0415 - not for launch files

    launch = launch_of_options(loaded.module, found, path, options)
    launch = replace(launch, compile_options=options.compile)
    return checked_job(loaded, found, launch)


def _from_python(path: Path, kernel: str | None, options: LaunchOptions) -> Job | None:
    """The job of a kernel of Triton or numba; None where a Python file holds sources in strings."""
    from warpmill.analyzer.frontends.compilers.python_kernels import (  # noqa: PLC0415 - seldom asked for
        python_kernels,
    )

    if not python_kernels(path):
        return None
    doors = import_module("warpmill.doors.files")  # which stands above: it makes jobs with this
    job: Job = doors.job_of_python(path, kernel, options)
    return job


def _with_launch_problems(
    error: UsageError, path: str | Path, options: LaunchOptions
) -> UsageError:
    """Add to an error about a kernel's name what is wrong with the launch of the likeliest one."""
    fix = error.diagnostics[0].fix
    if fix is None or not options.given:
        return error
    from warpmill.session.launch_options import launch_of_options  # noqa: PLC0415 - only for errors

    try:
        loaded, kernel = load_kernel(path, fix[1][0], compile_options=options.compile)
        launch_of_options(loaded.module, kernel, path, options)
    except (InputError, UsageError) as more:
        return UsageError(*error.diagnostics, *more.diagnostics)
    return error


def checked_job(loaded: LoadedModule, kernel: Kernel, launch: Launch) -> Job:
    """The job of a launch that fits its kernel. InputError.

    Arrays of open size get the launch's.
    """
    check_launch(launch, loaded.module, kernel)
    module = with_sizes(loaded.module, launch)
    return Job(
        loaded if module is loaded.module else replace(loaded, module=module), kernel, launch
    )


def kernels_beside(loaded: LoadedModule) -> tuple[str, ...]:
    """List all kernels of the file that a kernel was read from."""
    if loaded.format is FileFormat.ACCELSIM:
        return tuple(kernel.name for kernel in loaded.module.kernels)
    return kernels_in(loaded.format, loaded.source)


def analyze(
    path: str | Path, kernel: str | None = None, **launch: Unpack[LaunchKeywords]
) -> Analysis:
    """A kernel's static facts: control flow, loop bounds, accesses, mix, live registers.

    UsageError where the file has several kernels and none is named; InputError, with file, line
    and column, for what cannot be read.
    """
    return prepare(path, kernel, **launch).analysis


@dataclass(frozen=True)
class LoadedFiles:
    """Contents of kernel files: their modules, and the machine code of those that are binaries."""

    modules: tuple[LoadedModule, ...] = ()
    machine_code: tuple[Cubin, ...] = ()


def load_files(
    files: Sequence[str],
    kernel: str | None = None,
    compile_options: CompileOptions | None = None,
    *,
    strict: bool = False,
) -> LoadedFiles:
    """The contents of files, or one kernel of each; problems with several are told at once."""
    how = compile_options or CompileOptions()
    modules: list[LoadedModule] = []
    cubins: list[Cubin] = []
    problems: list[WarpmillError] = []
    for path in dict.fromkeys(files):
        try:
            if is_traced(path):
                every = LaunchOptions(launches="all")
                modules += (job.loaded for job in _traced_jobs(path, kernel, every))
                continue
            code = machine_code_of(path, kernel)
            if code is not None:
                cubins += code.cubins
            if code is None or code.has_ptx or not code.cubins:
                for module, own in _modules(path, how):
                    modules += load_all(module, kernel, strict=strict, compile_options=own)
        except WarpmillError as error:
            problems.append(error)
    if len(problems) == 1:
        raise problems[0]
    if problems:
        raise all_unanswered(problems)
    return LoadedFiles(tuple(modules), tuple(cubins))


def machine_code_of(path: str, kernel: str | None = None) -> MachineCode | None:
    """The machine code of a binary, of one kernel where it is named; None: it is no binary.

    InputError for a damaged one, UsageError where it has machine code alone and not that kernel.
    """
    path = found_target(path)
    if says_launches(path):
        return None
    from warpmill.analyzer.machine_code.binaries import machine_code_in  # noqa: PLC0415 - slow to load

    code = machine_code_in(Path(path))
    if code is None or kernel is None or not code.cubins:
        return code
    names = tuple(dict.fromkeys(k.name for cubin in code.cubins for k in cubin.kernels))
    wanted = find_by_name(kernel, names) if code.has_ptx else find_kernel(kernel, names, path)
    only = (
        replace(cubin, kernels=tuple(k for k in cubin.kernels if k.name == wanted))
        for cubin in code.cubins
    )
    return replace(code, cubins=tuple(cubin for cubin in only if cubin.kernels))


def _holds_sources(path: str) -> bool:
    """Whether a Python file has sources in strings."""
    from warpmill.analyzer.frontends.compilers.embedded import (  # noqa: PLC0415 - for these alone
        holds_sources,
    )

    return holds_sources(Path(path))


def _modules(path: str, how: CompileOptions) -> list[tuple[str | Path | Source, CompileOptions]]:
    """A kernel file as it is; of a launch file or a workload, the modules that it launches.

    With each of them how it is compiled, where it is a source.
    """
    path = found_target(path)
    if is_workload(path):
        from warpmill.session.workloads import parse_workload  # noqa: PLC0415 - only for workloads

        target = parse_workload(path)
        assert target is not None
        names = [module.name for module in target.workload.form.module]
        return [(target.workload.module(name, target.build), how) for name in names]
    if not path.lower().endswith(".toml"):
        if how.given and not is_source(path) and not _holds_sources(path):
            raise _not_compiled(path, how)
        return [(path, how)]
    launches = [_compiled_by(launch, how) for launch in load_launches(path)]
    return list(dict.fromkeys((str(one.module), one.compile_options) for one in launches))


# Traces of Accel-Sim: a kernel's .traceg, or a kernelslist.g of them. Each kernel is a job with the
# launch that its header tells.


def _traced_jobs(
    target: str | Path, kernel: str | None = None, options: LaunchOptions | None = None
) -> tuple[Job, ...]:
    """The launches of a trace as jobs, in their order, each file read once.

    Of a list those of ``kernel`` where it is named; ``options.launches`` says which: a number,
    ``all``, or ``largest``, of each kernel the one with most CTAs. InputError, located, for what is
    no trace; UsageError for what there is not.
    """
    from warpmill.analyzer.traces.accelsim.text import (  # noqa: PLC0415 - only for traces
        KernelsList,
        is_list,
        read_list,
    )

    options = options or LaunchOptions()
    if options.compile.given:
        raise _not_compiled(target, options.compile)
    if options.given or options.sizes:
        given = options.given[0] if options.given else "--size"
        raise UsageError(f"{target} is a trace, which says its launch: {given} is for kernel files")
    listed = KernelsList((Path(target),), ((),))
    if is_list(target):
        listed = read_list(Path(target))
    numbers = _chosen_launches(str(target), listed, kernel, options)
    return tuple(_traced_job(listed, number) for number in numbers)


def _chosen_launches(
    title: str, listed: KernelsList, kernel: str | None, options: LaunchOptions
) -> Sequence[int]:
    """The numbers of the launches that are meant, by their headers alone."""
    everything = range(len(listed.kernels))
    if kernel is None and (options.launches == "all" or len(everything) == 1):
        numbers: Sequence[int] = everything
        return _numbered_launch(title, numbers, options.launches, None)
    from warpmill.analyzer.traces.accelsim.text import TraceText  # noqa: PLC0415 - as above

    headers = [TraceText(path).header for path in listed.kernels]
    names = [header.name for header in headers]
    if kernel is not None:
        named = find_launched(kernel, names, title)
        numbers = [number for number, name in enumerate(names) if name == named]
    else:
        numbers = everything
    if options.launches == "largest":
        return _largest_launches(headers, numbers)
    return _numbered_launch(title, numbers, options.launches, kernel)


def _numbered_launch(
    title: str, numbers: Sequence[int], launches: str | int, kernel: str | None
) -> Sequence[int]:
    if not isinstance(launches, int):
        return numbers
    if launches not in numbers:
        of = "" if kernel is None else f" of {demangle(kernel)}"
        raise UsageError(
            f"{title} has no launch {launches}{of}; its launches are 0 to {max(numbers)}"
        )
    return (launches,)


def _largest_launches(headers: Sequence[KernelHeader], numbers: Sequence[int]) -> list[int]:
    best: dict[str, int] = {}
    for number in numbers:
        own = best.setdefault(headers[number].name, number)
        if headers[number].ctas > headers[own].ctas:
            best[headers[number].name] = number
    return sorted(best.values())


def _traced_job(listed: KernelsList, number: int) -> Job:
    from warpmill.analyzer.traces.accelsim.reading import read_traced  # noqa: PLC0415 - loads numba
    from warpmill.analyzer.traces.accelsim.source import AccelSimSource  # noqa: PLC0415

    traced = read_traced(listed.kernels[number], listed.copies[number])
    code = traced.code
    label = traced.text.label
    loaded = LoadedModule(label, FileFormat.ACCELSIM, code.module, traced.diagnostics, code.source)
    return Job(loaded, code.kernel, traced.launch, traced=AccelSimSource(traced))
