"""Clones of targets: launches that are alike share a kernel (GPGPU-MiniBench, §4).

::

    cloned = warpmill.cloning.clone.clone("kmeans:small")
    for name, text in cloned.files.files:
        ...
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from pathlib import Path

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.printer import distinct_names
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.analyzer.profile.behaviour.accesses import access_behaviours
from warpmill.analyzer.profile.behaviour.control_flow import branch_behaviours, loop_behaviours
from warpmill.analyzer.profile.counts import Profile
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.cloning.options import CloneOptions
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneArgument,
    CloneBuffer,
    CloneFiles,
    CloneLaunch,
    CloneTexture,
)
from warpmill.codegen.emission.files import emit
from warpmill.codegen.model import CloneModel
from warpmill.codegen.synthesis.assembly import assemble
from warpmill.codegen.synthesis.loops import CloneSubject
from warpmill.codegen.synthesis.make import make_model
from warpmill.codegen.targets import chip_of, ptx_version
from warpmill.session.executed import executed_source
from warpmill.session.jobs import Job, is_application
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.profiles import profile

WARP_SIZE = 32
"""Lanes of a warp in PTX."""

ALIKE = 0.03
"""How far what warps executed may differ between launches that share a clone, as a share."""
_CTAS = 64
"""CTAs of a launch whose warps are looked at, evenly spread."""
_GOLDEN = 0.6180339887498949

Triple = tuple[int, int, int]
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ProfiledTarget:
    """Profiled target: its launches, their profiles, and groups of those that are alike.

    ``groups`` has the numbers of the launches of each group, of which the first was looked at.
    """

    title: str
    jobs: tuple[Job, ...]
    profiles: tuple[Profile, ...]
    groups: tuple[tuple[int, ...], ...]
    subjects: tuple[CloneSubject, ...]


@dataclass(frozen=True)
class Cloned:
    """The clones of a target. ``models`` run in step with the groups of ``studied``.

    ``stands_for`` has, for each launch of the application, the launches of the original.
    """

    studied: ProfiledTarget
    models: tuple[CloneModel, ...]
    application: CloneApplication
    stands_for: tuple[tuple[int, ...], ...]

    @cached_property
    def files(self) -> CloneFiles:
        """The texts of the clone's files. Errors as ``codegen.emission.emit``."""
        return emit(self.application)


def clone(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: CloneOptions | None = None,
) -> Cloned:
    """Make the clones of a target, which is what ``simulate`` takes. Errors as ``profile``."""
    return clone_studied(study(target, kernel, launch), options or CloneOptions())


def study(
    target: str | Path, kernel: str | None = None, launch: LaunchOptions | None = None
) -> ProfiledTarget:
    """Execute a target, and look at what its warps do. Errors as ``profile``."""
    if launch is None and is_application(target):
        launch = LaunchOptions(launches="all")
    jobs = prepare_all(target, kernel, launch)
    profiles = _profiles(target, kernel, launch, jobs)
    alike = groups(jobs, profiles)
    subjects = tuple(
        subject_of(jobs[own[0]], profiles[own[0]], [profiles[n].grid for n in own]) for own in alike
    )
    return ProfiledTarget(str(target), jobs, profiles, alike, subjects)


def _profiles(
    target: str | Path, kernel: str | None, launch: LaunchOptions | None, jobs: Sequence[Job]
) -> tuple[Profile, ...]:
    """The profiles of jobs; an application is run whole, and its launches chosen then."""
    if not is_application(target):
        return tuple(one.profile for one in profile(target, kernel, launch).launches)
    sizes = LaunchOptions(sizes=launch.sizes) if launch is not None else None
    found = [one.profile for one in profile(target, None, sizes).launches]
    return tuple(found[job.recorded.number] for job in jobs if job.recorded is not None)


def groups(jobs: Sequence[Job], profiles: Sequence[Profile]) -> tuple[tuple[int, ...], ...]:
    """Group the launches of a target by kernel, block and what their warps executed."""
    found: list[tuple[Floats, list[int]]] = []
    of_shape: dict[object, list[tuple[Floats, list[int]]]] = defaultdict(list)
    names = distinct_names([made.kernel for made in profiles])
    for number, (name, job, made) in enumerate(zip(names, jobs, profiles, strict=True)):
        vector, launch = _vector(made), job.required_launch()
        alike = of_shape[name, launch.block, launch.dynamic_shared_bytes]
        for known, numbers in alike:
            if _distance(vector, known) <= ALIKE:
                numbers.append(number)
                break
        else:
            alike.append((vector, [number]))
            found.append(alike[-1])
    return tuple(tuple(numbers) for _, numbers in found)


def _vector(made: Profile) -> Floats:
    """Executions of each block by a CTA (mean), by warps and by threads in warps."""
    lengths = np.array([len(b.instructions) for b in made.kernel.blocks], float)
    warps = np.array([b.warps for b in made.blocks], float) * lengths
    threads = np.array([b.threads for b in made.blocks], float) * lengths
    x, y, z = made.grid
    return np.concatenate([warps, threads / made.warp_size]) / (x * y * z)


def _distance(a: Floats, b: Floats) -> float:
    return float(np.abs(a - b).sum() / max(1e-9, float(np.maximum(a, b).sum())))


def subject_of(job: Job, made: Profile, grids: Sequence[Triple]) -> CloneSubject:
    """Subject of a launch's clones with these grids. Errors as its execution."""
    source = executed_source(job)
    launch = job.required_launch()
    batches = list(source.batches(_chosen(launch.grid)))
    structure = job.analysis.structure
    return CloneSubject(
        structure,
        made,
        branch_behaviours(structure, launch.block, batches),
        loop_behaviours(structure, batches),
        access_behaviours(structure, launch.block, batches, source.layout.regions),
        shared_bytes(job.loaded.module, structure.kernel),
        ptx_version(job.loaded.module, chip_of(job.loaded.module)),
        (max(g[0] for g in grids), max(g[1] for g in grids), max(g[2] for g in grids)),
    )


def _chosen(grid: Triple) -> list[Triple]:
    """Choose the CTAs that are looked at: all, or the first, the last and some between.

    Multiples of the golden ratio spread evenly, and along no line of the grid: on one, what comes
    of ``ctaid.x`` could not be told from what comes of ``ctaid.y``.
    """
    count = prod(grid)
    numbers = list(range(count))
    if count > _CTAS:
        spread = {int(k * _GOLDEN % 1.0 * count) for k in range(1, _CTAS - 1)}
        numbers = sorted({0, count - 1} | spread)
    return [unravel_index(n, grid) for n in numbers]


# -- from what was seen to clones ------------------------------------------------------------------


def clone_studied(studied: ProfiledTarget, options: CloneOptions) -> Cloned:
    """Make the clones of a target that was looked at. The same input gives the same clones.

    UsageError for a target whose warps are not PTX's.
    """
    first = studied.jobs[0].loaded.module
    if first.warp_size != WARP_SIZE:
        words = f"clones are PTX, whose warps have {WARP_SIZE} lanes; {studied.title} has"
        raise UsageError(f"{words} {first.warp_size}")
    for subject in studied.subjects:
        if any(loop.header == 0 for loop in subject.structure.loops.loops):
            name = subject.structure.kernel.name
            raise UsageError(f"kernel {name} begins with a loop: a clone needs a block before it")
    target = options.chip or chip_of(first)
    models = tuple(
        make_model(
            subject,
            reduction=_reduction(subject, options),
            name=f"clone{number}",
            target=target,
            seed=options.seed,
            min_instructions=options.min_instructions,
        )
        for number, subject in enumerate(studied.subjects)
    )
    made = [assemble(model) for model in models]
    constants = sorted((v for one in made for v in one.constants), key=lambda v: v.size_bytes or 0)
    variables = {v.name: v for v in constants}  # of those that kernels share the largest
    module = Module(
        name="clone",
        target=target,
        version=ptx_version(first, target),
        address_bits=64,
        warp_size=first.warp_size,
        kernels=tuple(one.kernel for one in made),
        variables=tuple(variables.values()),
    )
    launches, stands_for = _launches(studied, models, options.factor)
    size = max([_global_bytes(m) for m in models], default=256)
    buffers = (CloneBuffer("memory", "u32", -(-size // 4)),)
    application = CloneApplication("clone", module, buffers, launches)
    return Cloned(studied, models, application, stands_for)


def _reduction(subject: CloneSubject, options: CloneOptions) -> int | Mapping[int, int] | None:
    name = subject.structure.kernel.name
    if options.reductions is not None and name in options.reductions:
        return options.reductions[name]
    return options.factor


def _global_bytes(model: CloneModel) -> int:
    return next((a.size_bytes for a in model.arrays if a.space is Space.GLOBAL), 256)


def _textures(model: CloneModel) -> Iterator[CloneTexture]:
    for array in model.arrays:
        if array.texel is not None:
            channels = array.texel.channels
            yield CloneTexture(array.texel.element, array.texture_shape, channels=channels)


def _launches(
    studied: ProfiledTarget, models: Sequence[CloneModel], reduction: int | None
) -> tuple[tuple[CloneLaunch, ...], tuple[tuple[int, ...], ...]]:
    """Launch the clone of each group once for each grid that the group has, in their order.

    Launches that are alike are iterations of a loop of the host, which is reduced as others are: by
    the factor for all loops, or by the largest one.
    """
    found: dict[tuple[int, Triple], list[int]] = {}
    for group, alike in enumerate(studied.groups):
        for number in alike:
            found.setdefault((group, studied.profiles[number].grid), []).append(number)
    ordered = sorted(found.items(), key=lambda item: item[1][0])
    launches = []
    for (group, grid), numbers in ordered:
        model = models[group]
        arguments: list[CloneArgument] = [BufferPointer("memory")] * max(1, model.pointers)
        arguments += _textures(model)
        repeats = 1 if reduction is None else max(1, len(numbers) // reduction)
        launches.append(
            CloneLaunch(
                model.name, grid, model.block, model.dynamic_shared_bytes, tuple(arguments), repeats
            )
        )
    return tuple(launches), tuple(tuple(numbers) for _, numbers in ordered)
