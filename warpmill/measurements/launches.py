"""The launch that a row of measurements is of: as a job, chosen among those of its target."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.analyzer.base.naming import demangle, find_by_name
from warpmill.analyzer.base.toml_source import read_toml_file
from warpmill.analyzer.base.whole_files import is_file
from warpmill.measurements.rows import Dimensions, MeasuredLaunch
from warpmill.session.jobs import Job, found_target, is_application, is_workload, says_launches
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all


@dataclass(frozen=True)
class SharedParts:
    """Defaults for all rows whose own columns do not state them."""

    target: str | None = None
    kernel: str | None = None
    sizes: Mapping[str, int | str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class LaunchKey:
    """Identity of a launch in a table."""

    target: str
    kernel: str | None
    launch: int | str | None
    grid: Dimensions | None
    block: Dimensions | None
    shared: int | None
    arguments: tuple[str, ...]
    sizes: tuple[tuple[str, int | str], ...]


def launch_key(row: MeasuredLaunch, parts: SharedParts, folder: Path) -> LaunchKey:
    """Launch of a row. UsageError where neither it nor an option names a target.

    A file that the row names lies beside the table, in ``folder``, or else where warpmill runs.
    It is no program: to read a table must not run what the table's author likes.
    """
    target = parts.target if row.target is None else located(row.target, folder)
    if target is None:
        raise UsageError("the row names no target, and there is no --target for all rows")
    if row.target is not None and Path(target).suffix.lower() == ".py":
        raise UsageError(f"{target} is a program: one is run only where --target names it")
    return LaunchKey(
        target=target,
        kernel=row.kernel or parts.kernel,
        launch=row.launch,
        grid=row.grid,
        block=row.block,
        shared=row.shared,
        arguments=parts.arguments if row.arguments is None else row.arguments,
        sizes=tuple(sorted({**parts.sizes, **dict(row.sizes)}.items())),
    )


def located(target: str, folder: Path) -> str:
    """A row's target as a path from here, where it is a file beside the table."""
    beside = folder / target
    return str(beside) if is_file(beside) else target


def target_sizes(targets: Iterable[str]) -> tuple[str, ...]:
    """Name the sizes that targets have; those that cannot be read have none."""
    found: dict[str, None] = {}
    for target in dict.fromkeys(targets):
        with suppress(WarpmillError, OSError, SyntaxError, ValueError):
            found |= dict.fromkeys(_sizes(target))
    return tuple(found)


def _sizes(target: str) -> Sequence[str]:
    if is_workload(target):
        from warpmill.session.workloads import parse_workload  # noqa: PLC0415 - only for workloads

        found = parse_workload(target)
        return () if found is None else tuple(found.workload.preset(found.preset))
    suffix = Path(target).suffix.lower()
    if suffix == ".toml":
        sizes = read_toml_file(Path(target)).values.get("sizes", {})
        return tuple(sizes) if isinstance(sizes, dict) else ()
    return _parameters(Path(target)) if suffix == ".py" else ()


def _parameters(program: Path) -> tuple[str, ...]:
    """Name what a host program's ``main`` takes beside the device, without running it."""
    for node in ast.parse(program.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == "main":
            given = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
            return tuple(a.arg for a in given)[1:]
    return ()


class TargetLaunches:
    """The launches of one target with its sizes, which is read, or run, once."""

    def __init__(self) -> None:
        self._jobs: tuple[Job, ...] | None = None
        self._error: WarpmillError | None = None

    def job(self, key: LaunchKey) -> Job:
        """A launch's job; keys have one target, with the same sizes.

        UsageError and InputError where there is no such launch, and others as running an
        application gives.
        """
        try:
            return self._found(key)
        except OSError as error:  # what a table names may be no name that a file can have
            words = f"{key.target[:80]} cannot be read: {error.strerror or error}"
            raise UsageError(words) from None

    def _found(self, key: LaunchKey) -> Job:
        key = replace(key, target=str(found_target(key.target)))
        if not says_launches(key.target):
            return self._of_kernel_file(key)
        if key.arguments:
            raise UsageError(f"{key.target} says its launches: arguments cannot be given")
        if self._error is not None:
            raise self._error
        if self._jobs is None:
            try:
                self._jobs = self._all(key)
            except WarpmillError as error:
                self._error = error
                raise
        return chosen(self._jobs, key)

    def _all(self, key: LaunchKey) -> tuple[Job, ...]:
        options = LaunchOptions(sizes=dict(key.sizes))
        if is_application(key.target):
            options = replace(options, launches="all")
        return prepare_all(key.target, None, options)

    def _of_kernel_file(self, key: LaunchKey) -> Job:
        if key.launch is not None:
            words = f"{key.target} is a kernel file, and knows no launch {key.launch}"
            raise UsageError(f"{words}: grid and block say which it is")
        if is_file(Path(key.target)) and (key.grid is None or key.block is None):
            missing = "grid" if key.grid is None else "block"
            words = f"{key.target} is a kernel file, and nothing says the {missing}"
            raise UsageError(f"{words}: a launch file does, or a column `{missing}`")
        options = LaunchOptions(key.grid, key.block, key.shared, key.arguments, dict(key.sizes))
        (job,) = prepare_all(key.target, key.kernel, options)
        return job


def chosen(jobs: Sequence[Job], key: LaunchKey) -> Job:
    """Choose among the launches of a target, in their order. UsageError where none or several fit.

    By number or name, kernel, grid, block and dynamic shared memory, as far as they are given; of
    an application's launches of one kernel that are left, the one that executes most.
    """
    left = _of_shape(_of_kernel(_of_launch(dict(enumerate(jobs)), key), key), key)
    left = _of_shared(left, key)
    names = list(dict.fromkeys(job.kernel.name for job in left.values()))
    if len(left) > 1 and len(names) == 1:
        left = _largest(left)
    if len(left) > 1:
        words = f"{key.target} has {len(left)} launches that this can be"
        shown = ", ".join(demangle(name) for name in names)
        raise UsageError(f"{words}, of {shown}; a column kernel or launch says which")
    return next(iter(left.values()))


def _of_launch(left: Mapping[int, Job], key: LaunchKey) -> Mapping[int, Job]:
    if key.launch is None:
        return left
    names = {number: job.required_launch().name for number, job in left.items()}
    found = {n: job for n, job in left.items() if key.launch in (n, names[n])}
    if not found:
        there = f"its launches are 0 to {len(left) - 1}"
        if isinstance(key.launch, str):
            there = f"its launches are {', '.join(dict.fromkeys(names.values()))}"
        raise UsageError(f"{key.target} has no launch {key.launch}; {there}")
    return found


def _of_kernel(left: Mapping[int, Job], key: LaunchKey) -> dict[int, Job]:
    if key.kernel is None:
        return dict(left)
    names = [job.kernel.name for job in left.values()]
    named = find_by_name(key.kernel, names)
    if named is None:
        there = ", ".join(demangle(name) for name in dict.fromkeys(names))
        raise UsageError(f"{key.target} launches no kernel {key.kernel}; it launches {there}")
    return {number: job for number, job in left.items() if job.kernel.name == named}


def _of_shape(left: Mapping[int, Job], key: LaunchKey) -> dict[int, Job]:
    """Keep launches of the measured grid and block."""
    found = dict(left)
    for what in ("grid", "block"):
        wanted = getattr(key, what)
        before = [getattr(job.required_launch(), what) for job in found.values()]
        if wanted is not None:
            found = {n: j for n, j in found.items() if getattr(j.launch, what) == wanted}
        if not found:
            there = " or ".join(_shape(each) for each in dict.fromkeys(before))
            words = f"{key.target} launches with a {what} of {there}"
            raise UsageError(f"{words}, and {_shape(wanted)} was measured")
    return found


def _of_shared(left: Mapping[int, Job], key: LaunchKey) -> dict[int, Job]:
    """Keep launches of the measured dynamic shared memory."""
    sizes = {number: job.required_launch().dynamic_shared_bytes for number, job in left.items()}
    if key.shared is None or key.shared in sizes.values():
        return {n: job for n, job in left.items() if key.shared in {None, sizes[n]}}
    there = " or ".join(f"{size:,}" for size in dict.fromkeys(sizes.values()))
    words = f"{key.target} launches with {there} B of dynamic shared memory"
    raise UsageError(f"{words}, and {key.shared:,} B was measured")


def _shape(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


def _largest(left: Mapping[int, Job]) -> dict[int, Job]:
    """Keep the launch of an application that executes most; launch files are left alone."""
    first = next(iter(left.values())).recorded
    if first is None:
        return dict(left)
    from warpmill.session.applications import largest_of_each_kernel  # noqa: PLC0415 - it is loaded by now

    (number,) = largest_of_each_kernel(first.launches, list(left))
    return {number: left[number]}
