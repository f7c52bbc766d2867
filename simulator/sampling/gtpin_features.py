"""GT-Pin's ten feature vectors of intervals (§V-B, Table III).

A vector counts how often each key was executed, weighted by instructions: a launch of a kernel
counts its warp instructions, an execution of a block by a warp the block's. So the entries of each
vector, whichever the feature, add up to the instructions of its interval.

A key is a kernel or a basic block, with what the feature names beside it: an execution with other
arguments or with another number of bytes is another event, and so another key. Bytes are those that
threads ask for outside the SM, in global and local memory; loads read, stores write, atomics do
both, and texels are not counted. Of a kernel they are those of the whole launch; of a block those
of an execution by a warp, the mean of the launch: profiles do not tell one execution from another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from warpmill.analyzer.ir.distinct_names import distinct_names
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.profile.counts import AccessProfile, Profile
from warpmill.analyzer.profile.memory import OUTSIDE, bytes_read, bytes_written
from warpmill.simulator.sampling.model import LaunchCounts, Unit

_BYTES: dict[str, Callable[[int, int], tuple[int, ...]]] = {
    "R": lambda read, _: (read,),
    "W": lambda _, written: (written,),
    "R-W": lambda read, written: (read, written),
    "(R+W)": lambda read, written: (read + written,),
}
_WORDS = {"R": "{} B read", "W": "{} B written", "R-W": "{} B read, {} B written", "(R+W)": "{} B"}


@dataclass(frozen=True)
class _Form:
    """What the keys of a feature have: the block, arguments, the global size, bytes."""

    is_block: bool = False
    arguments: bool = False
    size: bool = False
    bytes: str = ""


_FORMS = {
    "KN": _Form(),
    "KN-ARGS": _Form(arguments=True),
    "KN-GWS": _Form(size=True),
    "KN-ARGS-GWS": _Form(arguments=True, size=True),
    "KN-RW": _Form(bytes="R-W"),
    "BB": _Form(is_block=True),
    "BB-R": _Form(is_block=True, bytes="R"),
    "BB-W": _Form(is_block=True, bytes="W"),
    "BB-R-W": _Form(is_block=True, bytes="R-W"),
    "BB-(R+W)": _Form(is_block=True, bytes="(R+W)"),
}
FEATURES = tuple(_FORMS)
"""In the order of Table III."""

_Key = tuple[str, int | None, tuple[str, ...] | None, tuple[int, ...] | None, tuple[float, ...]]
"""A kernel, and what the feature adds: a block, arguments, the global size, bytes."""


@dataclass(frozen=True, eq=False)
class FeatureVectors:
    """A vector a row, a key a column; ``keys`` are in words, in the order of first execution."""

    keys: tuple[str, ...]
    rows: csr_array

    @property
    def counts(self) -> npt.NDArray[np.float64]:
        """The vectors as an array (rows, keys)."""
        counts: npt.NDArray[np.float64] = self.rows.toarray()
        return counts

    def of_units(self, units: Sequence[Unit]) -> FeatureVectors:
        """Add up those of the launches of each unit; the rows are launches."""
        places = [place for unit in units for place in unit.launches]
        edges = [0, *accumulate(len(unit.launches) for unit in units)]
        shape = (len(units), self.rows.shape[0])
        members = csr_array((np.ones(len(places)), places, edges), shape=shape)
        return FeatureVectors(self.keys, members @ self.rows)


def launch_vectors(launches: Sequence[LaunchCounts], feature: str) -> FeatureVectors:
    """Give the vector of each launch.

    ValueError for a feature that there is not, and for bytes where the profiles have no accesses.
    """
    form = _FORMS.get(feature)
    if form is None:
        raise ValueError(f"there is no feature {feature}: there are {', '.join(FEATURES)}")
    names = distinct_names([one.profile.kernel for one in launches])
    columns: dict[_Key, int] = {}
    words: list[str] = []
    found: list[float] = []
    places: list[int] = []
    edges = [0]
    for name, one in zip(names, launches, strict=True):
        for key, executed in _entries(name, one, form):
            column = columns.setdefault(key, len(columns))
            if column == len(words):
                words.append(_in_words(key, one.profile.kernel, form))
            places.append(column)
            found.append(executed)
        edges.append(len(places))
    shape = (len(launches), len(words))
    return FeatureVectors(tuple(words), csr_array((found, places, edges), shape, np.float64))


def _entries(name: str, one: LaunchCounts, form: _Form) -> Iterator[tuple[_Key, float]]:
    """Give each key that a launch executes, and its instructions."""
    if form.is_block:
        yield from _of_blocks(name, one.profile, form)
        return
    arguments = one.arguments if form.arguments else None
    size = one.global_size if form.size else None
    moved = _moved(_outside(one.profile), 1, form) if form.bytes else ()
    yield (name, None, arguments, size, moved), one.warp_instructions


def _of_blocks(name: str, profile: Profile, form: _Form) -> Iterator[tuple[_Key, float]]:
    by_block: dict[int, list[AccessProfile]] = defaultdict(list)
    if form.bytes:
        for access in _outside(profile):
            by_block[access.block].append(access)
    for counts, block in zip(profile.blocks, profile.kernel.blocks, strict=True):
        executed = counts.warps * len(block.instructions)
        if executed:
            moved = _moved(by_block[block.id], counts.warps, form) if form.bytes else ()
            yield (name, block.id, None, None, moved), executed


def _outside(profile: Profile) -> list[AccessProfile]:
    if profile.accesses is None:
        raise ValueError(f"the accesses of {profile.kernel.name} to memory were not counted")
    return [access for access in profile.accesses if access.space in OUTSIDE]


def _moved(accesses: Sequence[AccessProfile], executions: int, form: _Form) -> tuple[float, ...]:
    """Give the bytes of an execution, as the feature tells them apart."""
    told = _BYTES[form.bytes](bytes_read(accesses), bytes_written(accesses))
    return tuple(each / executions for each in told)


def _in_words(key: _Key, kernel: Kernel, form: _Form) -> str:
    name, block, arguments, size, moved = key
    parts = [name if block is None else f"{name}/{kernel.blocks[block].label}"]
    if arguments is not None:
        parts.append(f"({', '.join(arguments)})")
    if size is not None:
        parts.append("x".join(map(str, size)))
    if moved:
        parts.append(_WORDS[form.bytes].format(*(f"{each:.10g}" for each in moved)))
    return " ".join(parts)
