"""The clone model: what a clone will do, as data, between the statistics and the code.

It is what steps 1 to 4 of GPGPU-MiniBench §4.2.4 set up, and holds no value, name or constant of
the original: opcodes with the order of their dependences, rates, counts, strides. It is written as
JSON and read back.
"""

from __future__ import annotations

import json
import types
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from functools import cache
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.analyzer.ir.kernel import Operand, Reg, Register
from warpmill.analyzer.ir.types import TYPES, Space, Type
from warpmill.analyzer.profile.behaviour.model import FirstThreads, Triple


@dataclass(frozen=True, slots=True)
class Constant:
    """A branch that all threads decide alike, always."""

    taken: bool


@dataclass(frozen=True, slots=True)
class ByThread:
    """A branch that the first threads of a scope take, or the others."""

    rule: FirstThreads


@dataclass(frozen=True, slots=True)
class ByWarp:
    """A branch that some warps of each CTA take: those whose place in it is in the mask."""

    warps: int


@dataclass(frozen=True, slots=True)
class Random:
    """A branch that the clone's generator decides (§4.2.2, case iv).

    ``once``: a thread decides once for all executions, as threads of the original did.

    ``all_taken`` is the rate at which all lanes of a warp take it, ``split`` the rate at which
    lanes part and ``split_share`` the share of a warp's lanes that then take it. ``lanes`` are the
    ones that do, as a mask, None where all lanes do alike. ``by_cta``: the warps of a CTA decide
    alike, as a barrier lies on one side.
    """

    all_taken: float
    split: float
    split_share: float
    lanes: int | None
    by_cta: bool
    once: bool


@dataclass(frozen=True, slots=True)
class LoopExit:
    """The branch that ends a loop; ``leaves_taken``: taking it leaves. ``loop`` is its header.

    ``counts_first``: what it compares is counted just before, and it waits for that.
    """

    loop: int
    leaves_taken: bool
    counts_first: bool


Decision = Constant | ByThread | ByWarp | Random | LoopExit


@dataclass(frozen=True, slots=True)
class CloneLoop:
    """A loop: ``original`` mean iterations of a run, and the clone's ``iterations``, 1 or more.

    An iteration is an execution of what follows the test. ``bottom``: tested after it.
    ``lanes`` is the share of the lanes that come in which stay; where the test is at the bottom,
    the others go to ``around`` instead of coming in, if there is such a place. ``spread`` has
    (iterations, share of runs) where runs differ: those of CTAs (``by_cta``) or of warps, or with
    ``anew`` those of one warp.
    """

    header: Id
    original: Annotated[float, Metric("Iterations of the original")]
    iterations: Annotated[int, Metric("Iterations")]
    bottom: Annotated[bool, INTERNAL]
    exit_block: Annotated[int | None, INTERNAL]
    lanes: Annotated[float, INTERNAL]
    latches: Annotated[tuple[int, ...], INTERNAL]
    around: Annotated[int | None, INTERNAL]
    spread: Annotated[tuple[tuple[int, float], ...], INTERNAL] = ()
    by_cta: Annotated[bool, INTERNAL] = True
    anew: Annotated[bool, INTERNAL] = False

    @property
    def mean(self) -> float:
        """Iterations of a run of the clone on average."""
        return sum(n * share for n, share in self.spread) if self.spread else self.iterations

    @property
    def most(self) -> int:
        """Iterations of a run of the clone at most."""
        return max((n for n, _ in self.spread), default=self.iterations)

    @derived("Factor", "x")
    def factor(self) -> float:
        """How many iterations of the original one of the clone's stands for."""
        return max(1.0, self.original / self.mean)


@dataclass(frozen=True, slots=True)
class AffineSite:
    """An access at ``offset + tid . threads + ctaid . ctas`` bytes in an array of the clone.

    Of a texture all of it counts texels.

    ``loops`` adds bytes an iteration, by header. ``fold`` below 1 lets neighbouring warps use the
    same bytes, as iterations of one warp did in the original: warp w stands where floor(w * fold)
    would; ``warp_step`` are the bytes from warp to warp.
    """

    array: int
    offset: int
    threads: Triple
    ctas: Triple
    loops: tuple[tuple[int, int], ...] = ()
    fold: float = 1.0
    warp_step: int = 0


@dataclass(frozen=True, slots=True)
class ScatteredSite:
    """An access at places that the clone's generator chooses anew at each execution.

    Its bytes begin at ``offset``. A CTA uses one of ``windows`` windows, which has ``granules``
    places (both powers of two) of ``granule_bytes``. Where ``by_lane`` each lane chooses its own,
    else the warp does, and lanes lie ``lane_stride`` bytes apart. With ``fresh`` below 1 it goes on
    to the next place in that share of the executions, and stays where it was in the others.
    """

    array: int
    offset: int
    windows: int
    granules: int
    granule_bytes: int
    lane_stride: int
    by_lane: bool
    fresh: float = 1.0

    @property
    def reach(self) -> int:
        """Bytes from the first place to the end of the last one."""
        return self.windows * self.granules * self.granule_bytes


Site = AffineSite | ScatteredSite


@dataclass(frozen=True, slots=True)
class Texel:
    """Texel of a texture: so many ``channels`` of an element type of launch files.

    ``dimensions`` are those of the texture, 1 or 2.
    """

    dimensions: int
    element: str
    channels: int
    size_bytes: int


TEXTURE_WIDTH = 1024
"""Texels in a row of the two-dimensional textures of clones."""


@dataclass(frozen=True, slots=True)
class CloneArray:
    """Memory of the clone: in one space, so many bytes; ``texel`` of a texture."""

    space: Space
    size_bytes: int
    texel: Texel | None = None

    @property
    def texture_shape(self) -> tuple[int, ...]:
        """The shape of a texture in texels."""
        assert self.texel is not None
        count = -(-self.size_bytes // self.texel.size_bytes)
        extents = (count,)
        if self.texel.dimensions == 2:
            extents = (-(-count // TEXTURE_WIDTH), TEXTURE_WIDTH)  # type: ignore[assignment] # longer
        return extents


class Lanes(Enum):
    """How a guard of the clone holds."""

    NEVER = "never"
    ALWAYS = "always"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Slot:
    """An instruction of the chain. Registers count in the model; ``site`` is its access.

    ``sites`` has a site for each address among the operands, which itself is not used; -1 stands
    for a parameter's. ``guard`` is the share of lanes that it is switched on for, None without a
    guard. ``decides``: it makes the predicate that the block's jump looks at; ``waits``: what it
    compares comes late, from memory or a slow unit. ``after`` has for each site the register that
    the original's address comes from, where that comes late.
    """

    opcode: str
    operands: tuple[Operand, ...]
    sites: tuple[int, ...] = ()
    guard: float | None = None
    decides: bool = False
    waits: bool = False
    after: tuple[Reg | None, ...] = ()


@dataclass(frozen=True, slots=True)
class CloneBlock:
    """A basic block: what is left of its chain, and how it ends.

    ``original`` and ``expected`` are executions by a warp, in the original and in the clone, and
    ``lanes`` the lanes on in one of the original (means).
    ``end`` is the opcode of its last jump or return, None where it falls through.
    """

    id: int
    slots: tuple[Slot, ...]
    original: float
    expected: float
    lanes: float
    end: str | None
    targets: tuple[int, ...]
    fallthrough: int | None
    decision: Decision | None


@dataclass(frozen=True)
class CloneModel:
    """A kernel's clone. ``reduction`` is the factor that its loops were reduced by."""

    name: str
    target: str
    version: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dynamic_shared_bytes: int
    static_shared_bytes: int
    warp_size: int
    seed: Id
    reduction: Annotated[int, Metric("Reduction", "x")]
    registers: Annotated[tuple[Register, ...], INTERNAL]
    arrays: Annotated[tuple[CloneArray, ...], INTERNAL]
    pointers: Annotated[int, INTERNAL]
    sites: Annotated[tuple[Site, ...], INTERNAL]
    loops: tuple[CloneLoop, ...]
    entries: Annotated[tuple[tuple[int, int], ...], INTERNAL]
    """Entries of loops: (header, block outside)."""
    blocks: Annotated[tuple[CloneBlock, ...], INTERNAL]
    represented: Annotated[float, Metric("Original instructions per instruction")]
    """How many executed instructions of the original one of the clone's stands for."""
    apart: Annotated[bool, INTERNAL] = False
    """Addresses of a block are worked out side by side, before the first of them is needed."""


# Clone models as JSON: every dataclass an object of its fields.
#
# Where a field may hold several kinds of things, the object says its ``kind``; registers of the
# model are [type, vector], as their names are the original's and belong to nobody's clone.

MODELS_VERSION = 1
"""Version of the models' form."""


def models_text(models: Sequence[CloneModel]) -> str:
    """Write models as JSON, the same bytes for the same models."""
    data = {"clone_models": MODELS_VERSION, "models": [_plain(model) for model in models]}
    return _laid_out(data, 0) + "\n"


def models_of(text: str) -> tuple[CloneModel, ...]:
    """Read what ``models_text`` wrote; registers get names by their numbers. InputError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no JSON: {str(error)[:200]}") from None
    if not isinstance(data, dict) or not isinstance(data.get("models"), list):
        raise InputError("this holds no clone models: `warpmill clone` writes them as model.json")
    if data.get("clone_models") != MODELS_VERSION:
        there = data.get("clone_models")
        raise InputError(
            f"these models are of version {there}, and this warpmill reads {MODELS_VERSION}"
        )
    try:
        return tuple(_named(_made(each, CloneModel)) for each in data["models"])
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"this is no clone model: {str(error)[:200]}") from None


def without_names(model: CloneModel) -> CloneModel:
    """A model whose registers are called by their numbers, as one that was read has them."""
    return _named(model)


def _named(model: CloneModel) -> CloneModel:
    registers = (replace(r, name=f"%r{k}") for k, r in enumerate(model.registers))
    return replace(model, registers=tuple(registers))


def _plain(value: Any, *, kind: bool = False) -> Any:
    """Turn a value into what JSON has."""
    if isinstance(value, Register):
        return [value.type.name, value.vector]
    if isinstance(value, Type):
        return value.name
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(each, kind=kind) for each in value]
    if not is_dataclass(value):
        return value
    hints = _hints(type(value))  # type: ignore[arg-type] # classes can be hashed
    own = {f.name: _plain(getattr(value, f.name), kind=_varies(hints[f.name]))
           for f in fields(value)}  # fmt: skip
    return {"kind": type(value).__name__, **own} if kind else own


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _choices(hint: Any) -> tuple[Any, ...]:
    """The kinds that a hint allows, one where it is no union."""
    return get_args(hint) if get_origin(hint) in {Union, types.UnionType} else (hint,)


def _varies(hint: Any) -> bool:
    """Whether a field, or what a tuple in it holds, may be of several classes."""
    choices = [each for each in _choices(hint) if each is not type(None)]
    if len(choices) > 1:
        return any(is_dataclass(each) for each in choices)
    if get_origin(choices[0]) is tuple:
        return any(_varies(each) for each in get_args(choices[0]) if each is not ...)
    return False


def _made(data: Any, hint: Any) -> Any:
    """Make the value of a type from what JSON has. TypeError, ValueError, KeyError."""
    choices = _choices(hint)
    if data is None and type(None) in choices:
        return None
    choices = tuple(each for each in choices if each is not type(None))
    if len(choices) > 1:
        return _one_of(data, choices)
    (one,) = choices
    if one is Register:
        type_name, vector = data
        return Register("", TYPES[type_name], vector)
    if one is Type:
        return TYPES[data]
    if get_origin(one) is tuple:
        return _tuple(data, get_args(one))
    if isinstance(one, type) and issubclass(one, Enum):
        return one(data)
    if is_dataclass(one):
        return _object(data, one)
    return _number(data, one)


def _one_of(data: Any, choices: tuple[Any, ...]) -> Any:
    if not isinstance(data, dict):
        plain = [each for each in choices if not is_dataclass(each)]
        return _number(data, plain[0])
    named: dict[str, Any] = {each.__name__: each for each in choices if isinstance(each, type)}
    return _object({k: v for k, v in data.items() if k != "kind"}, named[data["kind"]])


def _tuple(data: Any, parts: tuple[Any, ...]) -> tuple[Any, ...]:
    if not isinstance(data, list):
        raise TypeError(f"{data!r} is no list")
    if len(parts) == 2 and parts[1] is ...:
        return tuple(_made(each, parts[0]) for each in data)
    return tuple(_made(each, part) for each, part in zip(data, parts, strict=True))


def _object(data: Any, kind: Any) -> Any:
    if not isinstance(data, dict):
        raise TypeError(f"{data!r} is no {kind.__name__}")
    hints = _hints(kind)
    unknown = [key for key in data if key not in hints]
    if unknown:
        raise ValueError(f"a {kind.__name__} has no {unknown[0]}")
    return kind(**{key: _made(value, hints[key]) for key, value in data.items()})


def _number(data: Any, kind: Any) -> Any:
    """A value of a plain type; a float may be written without a fraction."""
    if kind is float and type(data) is int:
        return float(data)
    if type(data) is not kind:
        raise TypeError(f"{data!r} is no {kind.__name__}")
    return data


_WIDTH = 96


def _laid_out(data: Any, depth: int) -> str:
    """Write JSON so that what is short stands in one line."""
    line = json.dumps(data, ensure_ascii=False)
    if len(line) + 2 * depth <= _WIDTH or not isinstance(data, dict | list):
        return line
    lead = "  " * (depth + 1)
    if isinstance(data, dict):
        inner = [
            f"{lead}{json.dumps(key)}: {_laid_out(value, depth + 1)}" for key, value in data.items()
        ]
        return "{\n" + ",\n".join(inner) + "\n" + "  " * depth + "}"
    inner = [lead + _laid_out(value, depth + 1) for value in data]
    return "[\n" + ",\n".join(inner) + "\n" + "  " * depth + "]"
