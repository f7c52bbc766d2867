"""A launch to begin with, for a kernel file that nobody has given one: what could be typed.

Its buffers are as large as the kernel's accesses need, and its block is the one that the kernel's
indices and shared arrays are made for, where analysis can tell.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.base.diagnostics import UsageError, WarpmillError
from warpmill.analyzer.base.metric import Metric
from warpmill.analyzer.base.naming import short_name
from warpmill.analyzer.frontends.compilers.options import CompileOptions, is_source
from warpmill.analyzer.frontends.load import LoadedModule, kernel_names, load_all, load_kernel
from warpmill.analyzer.ir.kernel import Address, Instruction, Kernel, Module, Parameter, Variable
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.check import MAX_THREADS
from warpmill.analyzer.launch.model import BufferArgument, ScalarArgument, StructArgument
from warpmill.analyzer.launch.numbering import parameter_offsets
from warpmill.analyzer.launch.options import (
    advised_argument,
    advised_block,
    advised_grid,
    launch_argument,
    pointees,
)
from warpmill.analyzer.launch.triton import triton_launch_beside
from warpmill.executor.independence.affine import (
    LaunchNumbers,
    LinearForm,
    Term,
    TouchedBytes,
    most,
)
from warpmill.executor.independence.affine_rules import PREDICATES, RULES, evaluate
from warpmill.executor.independence.affine_values import AffineValues
from warpmill.executor.independence.deciding import (
    address_form,
    may_be_global,
    needed_definitions,
    prepared,
)
from warpmill.session.runs import parameter_words

_APART = 1 << 44
"""Bytes between the addresses that pointers are taken to have, so that each is told by its own."""
_STRUCTS = 1 << 14
"""The number from which on pointers in structs are counted."""
_SHARED_APART = 1 << 24
"""The same of shared memory, whose addresses have 32 bits."""


@dataclass(frozen=True)
class FirstLaunch:
    """Grid, block and arguments as options say them; what of it is assumed, in words.

    ``lacking`` are parameters for which options have no word, as structs: a launch file has.
    ``shared`` are bytes of dynamic shared memory. A kernel that Triton compiled has its block and
    its shared memory, 0 here, from what lies beside it.
    """

    grid: Annotated[str, Metric("Grid size")]
    block: Annotated[str, Metric("Block size")]
    arguments: Annotated[tuple[str, ...], Metric("Arguments")]
    assumed: Annotated[tuple[str, ...], Metric("Assumed")]
    lacking: Annotated[tuple[str, ...], Metric("Parameters")] = ()
    shared: Annotated[int, Metric("Dynamic shared memory", unit="B")] = 0

    @property
    def buffer_bytes(self) -> int:
        """Bytes of all buffers."""
        buffers = [text.partition(":") for text in self.arguments if text.startswith("buffer=")]
        return sum(int(count) * int(type_[8:]) // 8 for type_, _, count in buffers)

    @property
    def words(self) -> tuple[str, ...]:
        """The words of a command line."""
        each = [word for text in self.arguments for word in ("--arg", text)]
        shared = ("--shared", str(self.shared)) if self.shared else ()
        block = ("--block", self.block) if self.block else ()
        return ("--grid", self.grid, *block, *shared, *each)


@dataclass(frozen=True)
class StartedKernel:
    """A kernel of a file, with its ``first`` launch; ``words`` say which it is, and how it is made.

    ``held`` are all kernels that were read.
    """

    held: tuple[tuple[LoadedModule, Kernel], ...]
    loaded: LoadedModule
    kernel: Kernel
    words: tuple[str, ...]
    first: FirstLaunch


_WARP, _ARCH = 32, "sm_80"


def first_of_file(path: Path, kernel: str | None, how: CompileOptions) -> StartedKernel:
    """The kernel of a file that is named, or the one of most instructions, with a launch.

    InputError and UsageError for what cannot be read.
    """
    modules = load_all(path, kernel, compile_options=how)
    held = {k.name: (one, k) for one in modules for k in one.module.kernels}
    if not held:
        raise UsageError(f"{path} holds no kernel")
    name = max(held, key=lambda name: sum(1 for _ in held[name][1].instructions))
    every = kernel_names(path, how)
    is_only = len(every) == 1 and name in every
    words = () if is_only else ("--kernel", kernel or short_name(name, every))
    loaded, own = load_kernel(path, kernel or name, compile_options=how)
    if loaded.module.warp_size != _WARP and is_source(path) and how.arch is None:
        # HIP is compiled for AMD's chips where none is named, and the machines are NVIDIA's
        how = replace(how, arch=_ARCH)
        loaded, own = load_kernel(path, kernel or name, compile_options=how)
    called = parameter_words(loaded, own)
    launch = first_launch(loaded.module, own, called)
    triton = triton_launch_beside(path)
    if triton is not None and triton.kernel == own.name:
        hidden = len(triton.hidden_arguments((1, 1, 1)))
        launch = _of_triton(launch, [called[p.name] for p in own.parameters], hidden)
    return StartedKernel(tuple(held.values()), loaded, own, (*words, *how.words), launch)


def _of_triton(launch: FirstLaunch, names: Sequence[str], hidden: int) -> FirstLaunch:
    """A launch without what Triton's metadata say: block, shared memory, the last arguments."""
    known = ("block", "dynamic shared memory", *names[len(names) - hidden :])
    assumed = [one for one in launch.assumed if one.partition(":")[0] not in known]
    arguments = launch.arguments[: len(launch.arguments) - hidden]
    return replace(launch, block="", shared=0, arguments=arguments, assumed=tuple(assumed))


_KINDS = (".toml", ".ptx", ".ll", ".bc")


def files_to_begin_with(folder: Path) -> list[Path]:
    """The launch files below a folder, or else the kernel files, PTX before LLVM IR."""
    found = [p for p in folder.rglob("*") if p.suffix in _KINDS]
    found.sort(key=lambda one: (_KINDS.index(one.suffix), len(one.name), str(one)))
    launches = [p for p in found if p.suffix == ".toml" and _is_launch_file(p)]
    return launches or [p for p in found if p.suffix != ".toml"]


def _is_launch_file(path: Path) -> bool:
    try:
        return bool(load_launches(path))
    except WarpmillError:
        return False


_LENGTHS = (1024, 256, 64, 16)
"""What integers are taken to be: the first with which buffers stay small."""
_SMALL = 1 << 28
"""Bytes of all buffers together that a launch to begin with takes at most, where it can be."""


def first_launch(
    module: Module, kernel: Kernel, names: Mapping[str, str] | None = None
) -> FirstLaunch:
    """A launch of a kernel: integers of 1024 or less, and buffers as its accesses need them.

    ``names`` are what parameters are called where that is not their own name.
    """
    elements = pointees(module, kernel)
    advised = {p.name: advised_argument(p, elements, kernel) for p in kernel.parameters}
    lacking = tuple(name for name, text in advised.items() if text is None)
    given = {name: text for name, text in advised.items() if text is not None}
    reaches = _KernelReaches(module, kernel)
    for length in _LENGTHS:
        made = _launch_of(reaches, given, length, lacking, names or {})
        if made.buffer_bytes <= _SMALL:
            break
    return made


def _launch_of(
    reaches: _KernelReaches,
    given: Mapping[str, str],
    length: int,
    lacking: tuple[str, ...],
    names: Mapping[str, str],
) -> FirstLaunch:
    kernel, largest = reaches.kernel, str(_LENGTHS[0])
    called: Callable[[str], str] = lambda name: names.get(name, name)  # noqa: E731
    texts = {name: _shorter(text, largest, length) for name, text in given.items()}
    assumed: list[str] = []
    if lacking:
        block, reached = advised_block(kernel), LaunchReaches()
    else:
        block, how = _block(reaches, texts)
        assumed += [f"block: {block}; {how}"] if how else []
        reached = reaches.of(_shape(_grid(kernel, block, length)), _shape(block), texts)
    numbers = {n: t for n, t in texts.items() if "=" not in t and n not in reaches.shared_pointers}
    for text in dict.fromkeys(numbers.values()):
        assumed.append(f"{', '.join(called(n) for n, t in numbers.items() if t == text)}: {text}")
    for name, text in texts.items():
        if text.startswith(_STRUCT):
            fields = text.removeprefix(_STRUCT).replace(",", ", ")
            assumed.append(f"{called(name)}: {fields}; the fields that the kernel loads")
    dynamic = reaches.dynamic_shared(reached, math.prod(_shape(block)))
    if dynamic.total:
        unsure = "" if dynamic.is_known else "; its accesses do not all tell how many"
        assumed.append(f"dynamic shared memory: {dynamic.total:,} B{unsure}")
    texts |= {name: str(offset) for name, offset in dynamic.offsets.items()}
    needed = _needed_bytes(kernel, reached)
    for name, text in texts.items():
        if not text.startswith("buffer="):
            continue
        type_ = text.removeprefix("buffer=").partition(":")[0]
        count = length * length
        if name in needed:
            count = max(1, -(-needed[name] * 8 // int(type_[1:])))
        else:
            words = f"{count:,} elements; its accesses do not tell how many"
            assumed.append(f"{called(name)}: {words}")
        texts[name] = f"buffer={type_}:{count}"
    grid = _grid(kernel, block, length)
    listed = tuple(texts.values())
    return FirstLaunch(grid, block, listed, tuple(assumed), lacking, dynamic.total)


_STRUCT = "struct="


def _shorter(text: str, largest: str, length: int) -> str:
    """An argument with integers of a length, also in fields of a struct."""
    if text == largest:
        return str(length)
    if not text.startswith(_STRUCT):
        return text
    fields = text.removeprefix(_STRUCT).split(",")
    shorter = [re.sub(rf"^(i\d+)={largest}$", rf"\1={length}", one) for one in fields]
    return _STRUCT + ",".join(shorter)


# The block.

_MADE_FOR = "what the kernel's indices and shared arrays are made for"
_ANY = "nothing in the kernel tells which"
_TURNS = 4
"""How often a block is made smaller until shared arrays hold what it accesses."""


def _block(reaches: _KernelReaches, texts: Mapping[str, str]) -> tuple[str, str | None]:
    """A block that a kernel allows, and why this one; None: the kernel requires it.

    ``blockIdx.x * 32 + threadIdx.x`` is written for 32 threads, or for fewer that each take several
    rows; what is accessed of a shared array has to lie in it, and its rows have to stay apart.
    """
    kernel = reaches.kernel
    advised = advised_block(kernel)
    if kernel.bounds.required_threads is not None:
        return advised, None
    axes = advised.count(",") + 1
    grid, sides = _shape(advised_grid(kernel)), [*_shape(advised)]
    other = [side * (1 + (axis < axes)) for axis, side in enumerate(sides)]
    longer = {name: str(int(text) * 3) if text.isdigit() else text for name, text in texts.items()}
    looks = [reaches.of(grid, _three(sides), texts), reaches.of(grid, _three(other), longer)]
    fits_any = all(_fitting(reached, _three(sides)) == _three(sides) for reached in looks[:1])
    told = dict(_counted(looks[0], looks[1]))
    for axis, side in _held(looks[0]).items():
        told.setdefault(axis, side)
    for axis, side in told.items():
        if axis < axes:
            sides[axis] = side
    for _ in range(_TURNS):
        fitting = [*_fitting(reaches.of(grid, _three(sides), texts), _three(sides))]
        if fitting == sides:
            break
        sides = fitting
    most_threads = MAX_THREADS
    if kernel.bounds.max_threads is not None:
        most_threads = min(most_threads, math.prod(kernel.bounds.max_threads))
    if math.prod(sides) > most_threads or fitting != sides:
        return advised, _ANY if fits_any else f"{_ANY}, and its shared arrays are too small for it"
    is_told = bool(told) or _three(sides) != _shape(advised)
    return ",".join(map(str, sides[:axes])), _MADE_FOR if is_told else _ANY


def _three(sides: Sequence[int]) -> tuple[int, int, int]:
    return sides[0], sides[1], sides[2]


def _counted(reached: LaunchReaches, other: LaunchReaches) -> Iterator[tuple[int, int]]:
    """The sides that CTAs are counted by: the same for another block and other arguments."""
    ours, theirs = _ctas_apart(reached), _ctas_apart(other)
    for axis, found in ours.items():
        if len(found) == 1 and found == theirs.get(axis):
            yield axis, min(found)


def _ctas_apart(reached: LaunchReaches) -> dict[int, set[int]]:
    """Threads from one CTA to the next in each direction, as addresses count them."""
    counted: dict[int, set[int]] = {}
    for _, reach in reached.global_:
        terms = {term.name: factor for term, factor in reach.form.terms.items()}
        for axis, name in enumerate("xyz"):
            thread, cta = terms.get(f"tid.{name}", 0), terms.get(f"ctaid.{name}", 0)
            if thread and cta % thread == 0 and 0 < cta // thread <= MAX_THREADS:
                counted.setdefault(axis, set()).add(cta // thread)
    return counted


def _held(reached: LaunchReaches) -> dict[int, int]:
    """The most threads in each direction that the rows and the size of shared arrays hold.

    Only by accesses that all threads make: one behind ``if (tid < 32)`` says nothing of the others.
    """
    sides: dict[int, int] = {}
    for array, reach in reached.shared:
        if array.size is None or not array.holds(reach, is_known=True):
            continue
        for axis, (term, _) in _threads_of(reach.form).items():
            if not any(term in one.terms for one in reach.constraints):
                side = min(_longest(array, reach, axis), _longest_row(array, reach, axis))
                sides[axis] = min(side, sides.get(axis, side))
    return {axis: side for axis, side in sides.items() if side % 8 == 0}


def _fitting(reached: LaunchReaches, sides: tuple[int, int, int]) -> tuple[int, int, int]:
    """Sides that are as long as shared arrays allow; the same where all is well.

    Bounds of loops are wide: accesses count first in which these move less than threads do.
    """
    firm, loose = dict[tuple[str, int], int](), dict[tuple[str, int], int]()
    too_long: int | None = None
    for array, reach in reached.shared:
        if array.size is None or not array.holds(reach, is_known=True):
            continue
        threads = _threads_of(reach.form)
        rest = _rest(array, reach)
        others = rest.terms.values()
        for axis, (term, step) in threads.items():
            is_bounded = any(term in one.terms for one in reach.constraints)
            longest = [] if array.holds(reach) else [_longest(array, reach, axis)]
            longest += [] if is_bounded else [_longest_row(array, reach, axis)]
            side = min([sides[axis], *(side for side in longest if side > 0)])
            is_wide = any(max(abs(other), rest.constant) >= step for other in others)
            found = loose if is_wide else firm
            found[array.name, axis] = min(side, found.get((array.name, axis), side))
        if len(threads) > 1 and not others and not array.holds(reach):
            too_long = max(threads, key=lambda axis: threads[axis][1])
    shorter = [*sides]
    for (_, axis), side in (loose | firm).items():
        shorter[axis] = min(shorter[axis], side)
    if shorter == [*sides] and too_long is not None:
        shorter[too_long] = max(1, sides[too_long] // 2)
    return _three(shorter)


def _threads_of(form: LinearForm) -> dict[int, tuple[Term, int]]:
    """The terms of a form that are indices of threads, with their factors, by direction."""
    names = {f"tid.{name}": axis for axis, name in enumerate("xyz")}
    return {names[t.name]: (t, c) for t, c in form.terms.items() if t.name in names and c > 0}


def _longest(array: SharedArray, reach: TouchedBytes, axis: int) -> int:
    """The most threads in a direction for which an access stays in its array.

    What is less than a step of theirs is taken to stay in the row that they step over.
    """
    step, rest = _threads_of(reach.form)[axis][1], _rest(array, reach)
    inner = LinearForm(rest.constant % step, {t: c for t, c in rest.terms.items() if abs(c) < step})
    within = min(most(inner, reach.constraints), max(0, step - reach.width))
    assert array.size is not None
    room = array.size - reach.width - within - most(rest - inner, reach.constraints)
    return int(room // step) + 1


def _longest_row(array: SharedArray, reach: TouchedBytes, axis: int) -> int:
    """The most threads in a direction for which an access stays in its row.

    A row is what the next larger factor of an index of threads steps over.
    """
    threads = _threads_of(reach.form)
    step = threads[axis][1]
    larger = [other for _, other in threads.values() if other > step]
    if not larger:
        return MAX_THREADS
    row, rest = min(larger), _rest(array, reach)
    first = rest.constant % row
    within = LinearForm(
        first if first <= row // 2 else 0, {t: c for t, c in rest.terms.items() if abs(c) < row}
    )
    room = row - reach.width - most(within, reach.constraints)
    return int(room // step) + 1


def _rest(array: SharedArray, reach: TouchedBytes) -> LinearForm:
    """The place in an array that an access has for the first thread."""
    threads = [term for term, _ in _threads_of(reach.form).values()]
    kept = {t: c for t, c in reach.form.terms.items() if t not in threads}
    return LinearForm(reach.form.constant - array.first, kept)


def _grid(kernel: Kernel, block: str, length: int) -> str:
    """Threads for each of a length, where blocks have all directions that the grid has."""
    sides, advised = _shape(block), advised_grid(kernel)
    ctas = advised.split(",")
    if sum(side > 1 for side in sides) < len(ctas):
        return advised
    across = [str(-(-length // side)) for side in sides[:2]]  # the third is often a batch
    return ",".join([*across, *ctas[2:]][: len(ctas)])


def _shape(text: str) -> tuple[int, int, int]:
    return _three([*map(int, text.split(",")), 1, 1])


def _needed_bytes(kernel: Kernel, reached: LaunchReaches) -> dict[str, int]:
    """Bytes that accesses need of buffers, by parameter: of those whose accesses are all known."""
    needed: dict[str, float] = {}
    names = [p.name for p in kernel.parameters]
    for number, reach in reached.global_:
        base = (number + 1) * _APART
        if not 0 <= number < len(names):
            continue  # counted from a variable, or from what lies in memory
        is_known = base <= reach.first and reach.end <= base + _APART // 2
        before = needed.get(names[number], 0)
        needed[names[number]] = max(before, int(reach.end) - base) if is_known else math.inf
    return {name: int(size) for name, size in needed.items() if size < math.inf}


# What accesses reach.


@dataclass(frozen=True)
class SharedArray:
    """A shared array and the address that it is taken to have; ``size`` None: the launch's."""

    name: str
    first: int
    size: int | None

    def holds(self, reach: TouchedBytes, *, is_known: bool = False) -> bool:
        """Whether an access stays in it, or whether it is known at all what it reaches."""
        room = _SHARED_APART // 2
        if is_known or self.size is None:
            return self.first - room <= reach.first and reach.end <= self.first + room
        return self.first <= reach.first and reach.end <= self.first + self.size


@dataclass(frozen=True)
class LaunchReaches:
    """What a launch's accesses reach: of global memory by pointers' numbers, of shared arrays."""

    global_: tuple[tuple[int, TouchedBytes], ...] = ()
    shared: tuple[tuple[SharedArray, TouchedBytes], ...] = ()


@dataclass(frozen=True)
class DynamicShared:
    """Dynamic shared memory of a CTA, and where in it each pointer's part begins, in bytes."""

    total: int
    offsets: Mapping[str, int]
    is_known: bool


@dataclass(frozen=True, eq=False)
class _KernelReaches:
    """A kernel, and what its accesses reach in launches of it."""

    module: Module
    kernel: Kernel

    @cached_property
    def shared_pointers(self) -> tuple[str, ...]:
        """Parameters that point to parts of dynamic shared memory."""
        return tuple(p.name for p in self.kernel.parameters if p.pointee_space is Space.SHARED)

    @cached_property
    def arrays(self) -> tuple[SharedArray, ...]:
        """The shared arrays that the kernel names or is given."""
        every: list[Variable | Parameter] = [
            v for v in (*self.module.variables, *self.kernel.variables) if v.space is Space.SHARED
        ]
        every += [p for p in self.kernel.parameters if p.name in self.shared_pointers]
        return tuple(
            SharedArray(
                one.name,
                (k + 1) * _SHARED_APART,
                None if isinstance(one, Parameter) else one.size_bytes,
            )
            for k, one in enumerate(every[: (1 << 31) // _SHARED_APART - 2])
        )

    @cached_property
    def structure(self) -> Structure:
        """The kernel's structure."""
        return prepared(self.kernel)[0]

    @cached_property
    def needed(self) -> frozenset[int]:
        """The definitions that addresses are made from."""
        return needed_definitions(self.structure, _may_count, {*RULES, *PREDICATES})

    def of(
        self, grid: tuple[int, int, int], block: tuple[int, int, int], texts: Mapping[str, str]
    ) -> LaunchReaches:
        """What accesses of a launch reach; ``texts`` are its arguments by parameter."""
        facts = LaunchNumbers(grid, block, self._parameter_bytes(texts), self._symbols)
        values = AffineValues(self.module, self.structure, facts, self.needed, evaluate)
        found: list[tuple[int, TouchedBytes]] = []
        shared: list[tuple[SharedArray, TouchedBytes]] = []
        for place, instruction, address in self._addresses():
            width = instruction.operation.width_bytes or 16
            if may_be_global(instruction):
                form, raw, holds = address_form(values, place, address)
                if _is_dead(holds):
                    continue
                reach = TouchedBytes(form, width, tuple(holds))
                found.append((raw.constant // _APART - 1, reach))
                continue
            form, held = values.raw_address(*place, address)
            number = (form.constant + _SHARED_APART // 2) // _SHARED_APART - 1
            if 0 <= number < len(self.arrays) and not _is_dead(held):
                shared.append((self.arrays[number], TouchedBytes(form, width, tuple(held))))
        return LaunchReaches(tuple(found), tuple(shared))

    def _addresses(self) -> Iterator[tuple[tuple[int, int], Instruction, Address]]:
        for block in self.kernel.blocks:
            if block.id not in self.structure.cfg.reachable:
                continue
            for number, instruction in enumerate(block.instructions):
                if _may_count(instruction):
                    for address in (o for o in instruction.operands if isinstance(o, Address)):
                        yield (block.id, number), instruction, address

    def dynamic_shared(self, reached: LaunchReaches, threads: int) -> DynamicShared:
        """Dynamic shared memory that accesses need; an element a thread where none tells."""
        ends: dict[str, int] = {}
        widths: dict[str, int] = {}
        is_known = True
        for array, reach in reached.shared:
            if array.size is not None:
                continue
            widths[array.name] = max(reach.width, widths.get(array.name, 0))
            if array.holds(reach):
                end = int(reach.end) - array.first
                ends[array.name] = max(end, ends.get(array.name, 0))
            else:
                is_known = False
        sizes = {name: ends.get(name, width * threads) for name, width in widths.items()}
        total, offsets = 0, dict[str, int]()
        for name in self.shared_pointers:
            offsets[name] = total
            total += -(-sizes.get(name, 0) // 16) * 16
        open_ = [size for name, size in sizes.items() if name not in offsets]
        return DynamicShared(max([total, *open_]), offsets, is_known)

    def _parameter_bytes(self, texts: Mapping[str, str]) -> bytes:
        """The parameters as a launch lays them out, with an address of its own for each pointer."""
        kernel = self.kernel
        places = {array.name: array.first for array in self.arrays}
        offsets, size = parameter_offsets(kernel)
        laid = bytearray(size)
        for number, (parameter, offset) in enumerate(zip(kernel.parameters, offsets, strict=True)):
            text = texts[parameter.name]
            if text.startswith(_STRUCT):
                self._lay_struct(laid, offset, text, number)
                continue
            if parameter.name in self.shared_pointers:
                value = places.get(parameter.name, 0)
            elif "=" in text:
                value = (number + 1) * _APART
            elif parameter.type.kind is TypeKind.FLOAT:
                continue  # no address is made of one
            else:
                value = int(text)
            bytes_ = min(8, parameter.size_bytes)
            laid[offset : offset + bytes_] = (value % (1 << 8 * bytes_)).to_bytes(bytes_, "little")
        return bytes(laid)

    def _lay_struct(self, laid: bytearray, offset: int, text: str, number: int) -> None:
        """Fields of a struct, with an address for each pointer that no other has."""
        argument = launch_argument(text, self.kernel.parameters[number])
        assert isinstance(argument, StructArgument)
        for place, one in zip(argument.offsets, argument.fields, strict=True):
            if isinstance(one, BufferArgument):
                value = (_STRUCTS + (number << 8) + place) * _APART
            elif isinstance(one, ScalarArgument) and not one.type.is_float:
                value = int(one.value)
            else:
                continue
            size, first = one.size_bytes, offset + place
            laid[first : first + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    @cached_property
    def _symbols(self) -> dict[str, int]:
        names = [v.name for v in (*self.module.variables, *self.kernel.variables)]
        first = len(self.kernel.parameters) + 1
        found = {name: (first + k) * _APART for k, name in enumerate(names)}
        return found | {array.name: array.first for array in self.arrays}


def _is_dead(holds: Sequence[LinearForm]) -> bool:
    """Whether nothing comes to a place with these arguments: forms there are none above zero."""
    return any(not one.terms and one.constant > 0 for one in holds)


def _may_count(instruction: Instruction) -> bool:
    """Whether an instruction may access global memory, or accesses shared memory."""
    operation = instruction.operation
    is_shared = operation.op_class.is_memory and set(operation.spaces) == {Space.SHARED}
    return may_be_global(instruction) or is_shared
