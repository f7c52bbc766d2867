"""Two files with builds of the same kernels, and which kernels are compared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from warpmill.analyzer.base.diagnostics import Faults, UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.load import STANDARD_INPUT, FileFormat, find_kernel, kernel_names
from warpmill.analyzer.machine_code.ptxas import FIGURES, assemble
from warpmill.comparing.blocks import pair_names
from warpmill.session.jobs import Job, found_target, is_application, says_launches
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare, prepare_all


@dataclass(frozen=True)
class Builds:
    """Pairs of one kernel in two builds, and the names of kernels that only one file has."""

    pairs: tuple[tuple[Job, Job], ...] = ()
    only_in_a: tuple[str, ...] = ()
    only_in_b: tuple[str, ...] = ()


def prepare_builds(
    paths: tuple[str, str],
    kernels: tuple[str | None, str | None] = (None, None),
    options: LaunchOptions | None = None,
    *,
    strict: bool = False,
) -> Builds:
    """Read two kernel files or launch files, and pair their kernels.

    ``kernels`` names one of the first file and one of the second; without the second name it is the
    one that is called like the first. Without any, all that both have by one name are paired, and
    one kernel against one whatever they are called. ``options`` is the launch of kernel files and
    the sizes of launch files. Several launches of one kernel are paired in their order. InputError
    and UsageError, where no kernel is in both among them.
    """
    if paths == (STANDARD_INPUT, STANDARD_INPUT):
        raise UsageError("two builds are compared, and `-` is one: save the other to a file")
    left, right = _sides(paths, kernels, options or LaunchOptions(), strict=strict)
    named = _named(left, right, kernels)
    if named is None:
        named = pair_names(left.names, right.names)
        lone = (_others(left, [a for a, _ in named]), _others(right, [b for _, b in named]))
    else:
        lone = ((), ())
    if not named:
        raise UsageError(
            f"no kernel is in both: {left.path} has {_listed(left.names)}, {right.path} has "
            f"{_listed(right.names)}; name them with --kernel and --kernel-b"
        )
    if len(named) > 1 and (left.options.given or right.options.given):
        raise UsageError(
            f"a launch is for one kernel, and {len(named)} are in both files: name one with "
            f"--kernel, of {_listed([a for a, _ in named])}"
        )
    pairs: list[tuple[Job, Job]] = []
    for a, b in named:
        faults = Faults()
        x, y = faults.of(partial(left.jobs, a)) or (), faults.of(partial(right.jobs, b)) or ()
        faults.check()
        pairs += zip(x, y, strict=False)
        lone = (lone[0] + _rest(x, len(y)), lone[1] + _rest(y, len(x)))
    return Builds(tuple(pairs), *lone)


@dataclass(frozen=True)
class _Side:
    """One file: its kernels, with their launches where it is a launch file or an application."""

    path: str
    names: tuple[str, ...]
    options: LaunchOptions
    launched: Mapping[str, Sequence[Job]] | None
    strict: bool

    def jobs(self, kernel: str) -> Sequence[Job]:
        """A kernel with each of its launches, or as it is."""
        if self.launched is not None:
            return self.launched[kernel]
        return (prepare(self.path, kernel, self.options, strict=self.strict),)


def _sides(
    paths: tuple[str, str],
    kernels: tuple[str | None, str | None],
    options: LaunchOptions,
    *,
    strict: bool,
) -> tuple[_Side, _Side]:
    """Contents of both files, the kernels that were named among them.

    What is wrong with both is said at once, unless that takes running an application.
    """
    faults, found = Faults(), {}
    for place in sorted((0, 1), key=lambda n: is_application(paths[n])):
        if not faults.found or not is_application(paths[place]):
            found[place] = faults.of(partial(_side, paths[place], paths, options, strict=strict))
        side, kernel = found.get(place), kernels[place]
        if side is not None and kernel is not None:
            faults.of(partial(find_kernel, kernel, side.names, side.path))
    faults.check()
    left, right = found[0], found[1]
    assert left is not None
    assert right is not None
    return left, right


def _side(path: str, paths: Sequence[str], options: LaunchOptions, *, strict: bool) -> _Side:
    """Read what a file has; a launch goes to kernel files and sizes to launch files.

    Of an application the launch of each kernel that executes most is taken.
    """
    path = found_target(path)
    is_launch = [says_launches(p) for p in paths]
    if says_launches(path):
        own = options if all(is_launch) else LaunchOptions(sizes=options.sizes)
        launched: dict[str, list[Job]] = defaultdict(list)
        for job in prepare_all(path, None, own, strict=strict):
            launched[job.kernel.name].append(job)
        return _Side(path, tuple(launched), own, launched, strict)
    own = replace(options, sizes={}) if any(is_launch) else options
    if any(map(is_source, paths)) and not is_source(path):
        own = replace(own, compile=CompileOptions())
    names = kernel_names(path, own.compile)
    if not names:
        prepare(path, None, LaunchOptions(compile=own.compile))  # says that there is none
    return _Side(path, names, own, None, strict)


def _named(
    left: _Side, right: _Side, kernels: tuple[str | None, str | None]
) -> tuple[tuple[str, str], ...] | None:
    """Find the kernels that were named; None where none was."""
    if kernels == (None, None):
        return None
    if kernels[0] is None and len(left.names) > 1:
        raise UsageError(f"--kernel-b {kernels[1]}: --kernel has to name one of {left.path} too")
    a = left.names[0] if kernels[0] is None else find_kernel(kernels[0], left.names, left.path)
    partner = dict(pair_names(left.names, right.names)).get(a)
    if kernels[1] is None and partner is not None:
        return ((a, partner),)
    return ((a, find_kernel(kernels[1] or a, right.names, right.path)),)


def _others(side: _Side, taken: Sequence[str]) -> tuple[str, ...]:
    return tuple(demangle(name) for name in side.names if name not in taken)


def _rest(jobs: Sequence[Job], count: int) -> tuple[str, ...]:
    """Name the launches beyond the first ``count``, which have no partner."""
    return tuple(
        f"{demangle(j.kernel.name)}, launch {j.launch.name if j.launch else i + 1}"
        for i, j in enumerate(jobs)
        if i >= count
    )


_MOST_LISTED = 10


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(demangle(name) for name in names[:_MOST_LISTED])
    more = len(names) - _MOST_LISTED
    return f"{shown} and {more} more" if more > 0 else shown


# What ptxas says of a kernel: registers, spills, memory.

_CHIP = re.compile(r"sm_\d+[af]?")


def ptxas_figures(job: Job) -> tuple[str, dict[str, int]]:
    """Chip and figures of a kernel assembled by ptxas for the module's own target.

    What ptxas does not write is 0. UsageError where the kernel is no PTX or there is no ptxas on
    PATH, InputError with what ptxas says where it rejects the text, LimitError where it takes too
    long.
    """
    chip = _CHIP.match(job.loaded.module.target)
    if job.loaded.format is not FileFormat.PTX or chip is None:
        what = f"{job.loaded.format.value} for {job.loaded.module.target}"
        raise UsageError(f"--ptxas reads PTX for NVIDIA's chips; {job.loaded.path} is {what}")
    found = assemble(job.loaded.source, job.kernel.name, chip[0]).figures
    return chip[0], {key: found.get(key, 0) for key in FIGURES}
