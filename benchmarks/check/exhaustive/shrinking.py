"""Launches of launch files, made as small as leaves threads the roles that they have at a line.

Sizes of the file are halved, and then the block, as long as the kernel runs without a fault and its
line is executed by the same roles: by one CTA or several, by all of them or some; so of the warps
of a CTA, and of the lanes of a warp. A block keeps two whole warps if it had them. Buffers are
filled as the launch file says, for their sizes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.frontends.load import load_kernel
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.model import Launch
from warpmill.benchmarks.check.exhaustive.launch import image_of
from warpmill.benchmarks.check.exhaustive.machine import Machine
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.search import Search, throw_away

MOST_STATES, MOST_THREADS = 25_000, 2048
"""A quarter of the accesses, and the threads, that a first small launch may have."""

Roles = tuple[str, str, str]
"""Of CTAs, of the warps of a CTA, of the lanes of a warp: one, some, all of several."""


@dataclass(frozen=True)
class Trial:
    """A first run of a launch: accesses, and the roles at a line; None where nobody comes there."""

    launch: Launch
    states: int
    roles: Roles | None


class _FirstRun(Search):
    """The search, which ends after one run."""

    def watch(self, machine: Machine) -> None:
        """Have it write down who comes where."""
        machine.visits = {}

    def backtrack(self) -> bool:
        """There is no other choice."""
        return False


def tried(
    module: Module, kernel: Kernel, launch: Launch, line: int, most_states: int = MOST_STATES
) -> Trial | None:
    """A first run of a launch; None where it faults, or is not modelled, or is too large.

    InputError where the launch does not fit the kernel.
    """
    if launch.cta_count * launch.threads_per_cta > MOST_THREADS:
        return None
    try:
        image = image_of(module, kernel, launch)
    except NotModelledError:
        return None
    search = _FirstRun(image, False, most_states, None)
    found = search.run()
    if not found.images or found.faults or not found.is_complete:
        return None
    visits = search.machine.visits or {}
    steps = image.program.steps
    threads = {t for step, own in visits.items() if line in steps[step].lines for t in own}
    del search
    throw_away(found.states)
    size, warp = launch.threads_per_cta, module.warp_size
    return Trial(launch, found.states, _roles(threads, launch.cta_count, size, warp))


def _roles(threads: set[int], ctas: int, size: int, warp_size: int) -> Roles | None:
    if not threads:
        return None
    warps = {(t // size, t % size // warp_size) for t in threads}
    in_use = {cta for cta, _ in warps}
    cta = min(in_use)
    own = sorted(warp for number, warp in warps if number == cta)
    first = [t for t in threads if (t // size, t % size // warp_size) == (cta, own[0])]
    whole = min(warp_size, size - own[0] * warp_size)
    return (
        _share(len(in_use), ctas),
        _share(len(own), -(-size // warp_size)),
        _share(len(first), whole),
    )


def _share(part: int, of: int) -> str:
    if part == of:
        return "all" if of > 1 else "one of one"
    return "one" if part == 1 else "some"


def shrunken(
    file: Path, number: int = 0, *, line: int, most_states: int = MOST_STATES
) -> Launch | None:
    """A launch of a launch file, as small as its roles at a line of the kernel's text allow.

    None where no smaller launch that fits ``most_states`` comes to the line. Sizes are halved until
    one does; the roles that it has are those that are kept.
    """
    launch = load_launches(file)[number]
    loaded, kernel = load_kernel(launch.module, launch.kernel)
    sizes = dict(launch.sizes)

    def trial(sizes: dict[str, int], block: Callable[[Launch], Launch]) -> Trial | None:
        try:
            made = block(load_launches(file, sizes)[number])
            return tried(loaded.module, kernel, made, line, most_states)
        except (InputError, IndexError):
            return None

    best = None
    while best is None or best.roles is None:
        best = trial(sizes, lambda one: one)
        if best is None or best.roles is None:
            if max(sizes.values(), default=1) <= 1:
                return None
            largest = max(sizes, key=lambda name: sizes[name])
            sizes[largest] //= 2
    least = min(best.launch.threads_per_cta, 2 * loaded.module.warp_size)
    best = _smaller(best, sizes, least, trial)
    return best.launch


def _smaller(
    best: Trial,
    sizes: dict[str, int],
    least: int,
    trial: Callable[[dict[str, int], Callable[[Launch], Launch]], Trial | None],
) -> Trial:
    """Halve each size, and then the block to ``least`` threads, as long as the roles stay."""
    shape = best.launch.block
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for made, block in _halved(sizes, shape, least):
            found = trial(made, lambda one, block=block: replace(one, block=block))  # type: ignore[misc]
            if found is not None and found.roles == best.roles and found.states < best.states:
                best, sizes, shape, is_smaller = found, made, block, True
                break
    return best


Dim3 = tuple[int, int, int]


def _halved(
    sizes: dict[str, int], block: Dim3, least: int
) -> Iterator[tuple[dict[str, int], Dim3]]:
    """Sizes and blocks of which one number is half as large."""
    for name, value in sizes.items():
        if value > 1:
            yield {**sizes, name: value // 2}, block
    for axis, value in enumerate(block):
        if value > 1 and math.prod(block) // 2 >= least:
            x, y, z = (v // 2 if k == axis else v for k, v in enumerate(block))
            yield sizes, (x, y, z)
