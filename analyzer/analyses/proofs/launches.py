"""A launch as formulas of its named sizes: grid, block, arguments and bytes of buffers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import z3

from warpmill.analyzer.analyses.proofs.theory import Term, Theory
from warpmill.analyzer.analyses.proofs.verdicts import MOST_OF_SIZE
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.expressions import compute, evaluate
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
)

_MOST_BYTES = 1 << 48
"""Bytes of a launch's buffers, which launch files keep below."""

_ALLOCATION_ALIGN = 256
"""Bytes that a buffer's address is a multiple of."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An address that is passed: of a memory by its name, some bytes into it."""

    memory: str
    offset: Term


@dataclass(frozen=True, slots=True)
class Memory:
    """A buffer or variable: its bytes, and the bytes that its address is a multiple of."""

    name: str
    size: Term
    align: int


@dataclass(frozen=True)
class LaunchFormulas:
    """A launch as formulas; ``sizes`` are the variables, by their names in the launch file.

    ``arguments`` stand under the parameter's name and the bytes into it: integers and pointers.
    ``thread`` and ``cta`` are a thread of the launch, and its CTA.
    """

    sizes: Mapping[str, Term]
    special: Mapping[str, Term]
    arguments: Mapping[tuple[str, int], Term | Pointer]
    memories: Mapping[str, Memory]
    cta: tuple[Term, Term, Term]
    thread: tuple[Term, Term, Term]


def launch_formulas(
    theory: Theory,
    module: Module,
    kernel: Kernel,
    launch: Launch,
    ranges: Mapping[str, tuple[int, int]],
) -> LaunchFormulas:
    """Formulas of a launch; its sizes may be any from 1 on, or those of their ``ranges``."""
    return _Reader(theory, module, kernel, launch, ranges).read()


def free_sizes(launch: Launch) -> tuple[str, ...]:
    """The sizes that do not follow from others."""
    document = launch.document
    if document is None:
        return ()
    names = dict(launch.sizes)
    return tuple(n for n in names if _number(document.value(("sizes", n))) is not None)


def _number(written: Any) -> int | None:
    """The number that is written, as such or as an expression without names."""
    if isinstance(written, bool) or not isinstance(written, int | str):
        return None
    if isinstance(written, int):
        return written
    return int(written) if written.strip().isdecimal() else None


@dataclass(frozen=True, slots=True)
class _Ratio:
    """A fraction: an integer over a positive integer."""

    over: Term
    under: Term = 1


@dataclass
class _Reader:
    theory: Theory
    module: Module
    kernel: Kernel
    launch: Launch
    ranges: Mapping[str, tuple[int, int]]
    names: dict[str, Term] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    facts: list[Term] = field(default_factory=list)

    def read(self) -> LaunchFormulas:
        self._read_sizes()
        launch = self.launch
        grid = self._dimensions("grid", launch.grid)
        block = self._dimensions("block", launch.block)
        special, cta, thread = self._ids(grid, block)
        arguments = dict(self._arguments())
        self._variables()
        for name in self.free:
            self.theory.tell(self.names[name], *self.facts)
        return LaunchFormulas(
            {n: self.names[n] for n in self.free}, special, arguments, self.memories, cta, thread
        )

    # Sizes and expressions of them.

    def _read_sizes(self) -> None:
        self.free = free_sizes(self.launch)
        document = self.launch.document
        for name, value in self.launch.sizes:
            if name in self.free and document is not None:
                low, high = self.ranges.get(name, (min(1, value), max(MOST_OF_SIZE, value)))
                self.names[name] = self.theory.integer(name, low, high)
            else:
                self.names[name] = self._formula(("sizes", name), value)

    def _formula(self, path: KeyPath, value: int) -> Term:
        """The number at a place of the launch file; ``value`` where it is not written there."""
        document = self.launch.document
        written = None if document is None else _written(document, path)
        if not isinstance(written, str):
            return self.theory.number(value)
        if evaluate(written, dict(self.launch.sizes)) != value:  # an option has another one
            return self.theory.number(value)
        found = compute(written, self)
        if z3.is_int_value(z3.simplify(self._term(found.under))):
            under = z3.simplify(self._term(found.under)).as_long()
            if under == 1:
                return self._term(found.over)
        whole = self.theory.integer("whole")
        self.theory.tell(whole, whole * found.under == found.over)
        self.facts.append(whole * found.under == found.over)
        return whole

    def whole(self, value: int) -> _Ratio:
        return _Ratio(self.theory.number(value))

    def named(self, name: str) -> _Ratio:
        return _Ratio(self.names[name])

    def negative(self, value: _Ratio) -> _Ratio:
        return _Ratio(-value.over, value.under)

    def operation(self, sign: str, left: _Ratio, right: _Ratio) -> _Ratio:
        if sign == "*":
            return _Ratio(left.over * right.over, left.under * right.under)
        if sign == "/":
            return self._quotient(left, right)
        one, other = left.over * right.under, right.over * left.under
        return _Ratio(one + other if sign == "+" else one - other, left.under * right.under)

    def _quotient(self, left: _Ratio, right: _Ratio) -> _Ratio:
        divisor = z3.simplify(self._term(right.over))
        if z3.is_int_value(divisor):
            if divisor.as_long() == 0:
                raise ZeroDivisionError
            sign = 1 if divisor.as_long() > 0 else -1
            return _Ratio(left.over * right.under * sign, left.under * abs(divisor.as_long()))
        self.facts.append(divisor > 0)
        return _Ratio(left.over * right.under, left.under * divisor)

    def function(self, name: str, arguments: list[_Ratio]) -> _Ratio:
        if name in ("ceil", "floor"):
            return self._rounded(arguments[0], up=name == "ceil")
        first, *rest = arguments
        for other in rest:
            one, two = first.over * other.under, other.over * first.under
            left = one <= two if name == "min" else one >= two
            over = z3.If(left, one, two)
            first = _Ratio(over, first.under * other.under)
        return first

    def _rounded(self, value: _Ratio, *, up: bool) -> _Ratio:
        whole = self.theory.integer("ceil" if up else "floor")
        scaled = whole * value.under
        between = (
            (scaled >= value.over, scaled < value.over + value.under)
            if up
            else (scaled <= value.over, scaled > value.over - value.under)
        )
        self.theory.tell(whole, *between)
        return _Ratio(whole)

    def _term(self, value: Term) -> Term:
        return self.theory.number(value) if isinstance(value, int) else value

    # Threads.

    def _dimensions(self, key: str, values: tuple[int, int, int]) -> tuple[Term, Term, Term]:
        path = (*self.launch.path, key)
        document = self.launch.document
        written = None if document is None else _written(document, path)
        places = [(*path, n) for n in range(3)] if isinstance(written, list) else [path]
        terms = [self._formula(p, v) for p, v in zip(places, values, strict=False)]
        self.facts += [t >= 1 for t in terms]
        x, y, z = (*terms, *map(self.theory.number, values[len(terms) :]))
        return x, y, z

    def _ids(
        self, grid: tuple[Term, Term, Term], block: tuple[Term, Term, Term]
    ) -> tuple[dict[str, Term], tuple[Term, Term, Term], tuple[Term, Term, Term]]:
        self.facts += [grid[0] <= (1 << 31) - 1, grid[1] <= 65535, grid[2] <= 65535]
        self.facts += [block[0] <= 1024, block[1] <= 1024, block[2] <= 64]
        if not all(z3.is_int_value(b) for b in block):
            self.facts.append(block[0] * block[1] * block[2] <= 1024)
        cta = [self.theory.integer(f"ctaid.{a}", 0) for a in "xyz"]
        thread = [self.theory.integer(f"tid.{a}", 0) for a in "xyz"]
        special: dict[str, Term] = {}
        for n, axis in enumerate("xyz"):
            self.theory.tell(cta[n], cta[n] < grid[n])
            self.theory.tell(thread[n], thread[n] < block[n])
            special[f"ctaid.{axis}"], special[f"nctaid.{axis}"] = cta[n], grid[n]
            special[f"tid.{axis}"], special[f"ntid.{axis}"] = thread[n], block[n]
        size = self.module.warp_size
        row = thread[0] + block[0] * (thread[1] + block[1] * thread[2])
        special["laneid"], special["WARP_SZ"] = row % size, self.theory.number(size)
        special["warpid"] = row / size
        return special, (cta[0], cta[1], cta[2]), (thread[0], thread[1], thread[2])

    # Arguments and memory.

    def _arguments(self) -> Iterator[tuple[tuple[str, int], Term | Pointer]]:
        given = zip(self.kernel.parameters, self.launch.arguments, strict=True)
        for place, (parameter, argument) in enumerate(given):
            path = (*self.launch.path, "args", place)
            if not isinstance(argument, StructArgument):
                found = self._argument(path, argument, parameter.name)
                if found is not None:
                    yield (parameter.name, 0), found
                continue
            for n, (offset, part) in enumerate(zip(argument.offsets, argument.fields, strict=True)):
                name = f"{parameter.name}+{offset}"
                found = self._argument((*path, "struct", n), part, name)
                if found is not None:
                    yield (parameter.name, offset), found

    def _argument(self, path: KeyPath, argument: Argument, name: str) -> Term | Pointer | None:
        match argument:
            case ScalarArgument(type_name, value) if not argument.type.is_float:
                number = self._formula((*path, type_name), int(value))
                low, high = int(argument.type.smallest), int(argument.type.largest)
                self.facts += [number >= low, number <= high]  # others are refused
                return number
            case BufferArgument():
                return self._buffer(path, argument, name)
            case RefArgument(buffer, offset):
                return self._reference(path, buffer, offset, name)
            case NullArgument():
                return self.theory.number(0)
        return None

    def _buffer(self, path: KeyPath, buffer: BufferArgument, name: str) -> Pointer:
        size = self._bytes(path, buffer)
        shown = buffer.name or name
        self.memories[name] = Memory(shown, size, _ALLOCATION_ALIGN)
        return Pointer(name, self.theory.number(0))

    def _bytes(self, path: KeyPath, buffer: BufferArgument) -> Term:
        document = self.launch.document
        written = None if document is None else _written(document, (*path, "shape"))
        many = isinstance(written, list) and len(written) == len(buffer.shape)
        places = [
            (*path, "shape", n) if many else (*path, "shape") for n in range(len(buffer.shape))
        ]
        shape = [self._formula(p, v) for p, v in zip(places, buffer.shape, strict=True)]
        self.facts += [length >= 1 for length in shape if not z3.is_int_value(length)]
        size = math.prod(shape[1:], start=shape[0]) * buffer.type.size_bytes
        self.facts.append(size < _MOST_BYTES)
        return size

    def _reference(
        self, path: KeyPath, buffer: BufferArgument, offset: int, name: str
    ) -> Pointer | None:
        """A buffer of this launch or of one before; it may be passed from some element on."""
        document = self.launch.document
        made = path if document is None else _maker(document, path, buffer)
        if made is None:
            return None
        key = buffer.name or name
        if key not in self.memories:
            self.memories[key] = Memory(key, self._bytes(made, buffer), _ALLOCATION_ALIGN)
        element = buffer.type.size_bytes
        return Pointer(key, self._formula((*path, "offset"), offset // element) * element)

    def _variables(self) -> None:
        given = {name: (("symbols", name), b) for name, b in self.launch.symbols}
        shared = self._formula((*self.launch.path, "shared"), self.launch.dynamic_shared_bytes)
        for variable in (*self.module.variables, *self.kernel.variables):
            size = variable.size_bytes
            if size is None and variable.space is Space.SHARED:
                self.memories[variable.name] = Memory("dynamic shared memory", shared, 16)
            elif size is not None and variable.name not in given:
                self.memories[variable.name] = Memory(
                    variable.name, self.theory.number(size), variable.align
                )
            elif size is not None:
                align = _ALLOCATION_ALIGN if variable.space is Space.GLOBAL else variable.align
                self.memories[variable.name] = Memory(
                    variable.name, self.theory.number(size), align
                )


def _written(document: TomlDocument, path: KeyPath) -> Any:
    """What stands at a place; None where nothing does."""
    found: Any = document.values
    for key in path:
        try:
            found = found[key]
        except (KeyError, IndexError, TypeError):
            return None
    return found


def _maker(document: TomlDocument, path: KeyPath, buffer: BufferArgument) -> KeyPath | None:
    """Where a buffer that a reference names is made; where it is passed itself, that place."""
    here = _written(document, path)
    if isinstance(here, dict) and "buffer" in here:
        return path
    for n, launch in enumerate(document.values.get("launch", ())):
        for found, table in _tables(("launch", n, "args"), launch.get("args", ())):
            if table.get("name") == buffer.name and "buffer" in table:
                return found
    return None


def _tables(path: KeyPath, tables: Any) -> Iterator[tuple[KeyPath, Mapping[str, Any]]]:
    for place, table in enumerate(tables):
        yield (*path, place), table
        if isinstance(table.get("struct"), list):
            yield from _tables((*path, place, "struct"), table["struct"])
