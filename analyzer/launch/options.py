"""A launch out of what stands on a command line: ``--grid 64,64 --block 256 --arg i32=5``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from warpmill.analyzer.analyses.access.accesses import MemoryAccess, memory_accesses
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.liveness import used_registers
from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, Severity, UsageError
from warpmill.analyzer.base.naming import (
    base_name,
    demangle,
    find_by_name,
    integer_meant,
    suggestion,
)
from warpmill.analyzer.ir.kernel import (
    Address,
    Instruction,
    Kernel,
    Module,
    Parameter,
    Special,
    Symbol,
    Variable,
    registers_in,
)
from warpmill.analyzer.ir.types import Space, Type, TypeKind
from warpmill.analyzer.launch.check import described, misfit
from warpmill.analyzer.launch.model import (
    CHANNELS,
    ELEMENT_TYPES,
    Arange,
    Argument,
    BufferArgument,
    Constant,
    Dim3,
    ElementKind,
    ElementType,
    Initialiser,
    Launch,
    Normal,
    NullArgument,
    Permutation,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Uniform,
    Zeros,
    dim3,
    element_meant,
    seed_of,
)

_MAX_ELEMENTS = (1 << 48) - 1
_SHAPE = re.compile(r"[1-9]\d*(x[1-9]\d*)+")
_SEED_AT = 3
"""Colons in the words of an array with a seed: ``buffer=f32:64:uniform:7``."""

_MOST_LISTED = 8
_SUCH_AS = "such as --arg buffer=f32:1024, --arg i32=5 or --arg f32=0.5"
_ARRAYS = ("buffer", "texture")
_STRUCT = "struct"
_FIELDS = "struct=buffer=f32:1024,i32=64"
_ARRAY = "array"
_OF_NUMBA = re.compile(r"B2v\d+B\d+c")
"""What numba puts behind the name of a function that it mangles."""
_ARRAY_OF_NUMBA = "such as --arg array=f32:1024x2 for all values that numba passes of an array"
FILLS: dict[str, Callable[[ElementType, int], Initialiser]] = {
    "zeros": lambda _type, _count: Zeros(),
    "arange": lambda _type, _count: Arange(),
    "permutation": lambda _type, _count: Permutation(),
    "uniform": lambda type_, count: Uniform(0, _above(type_, count)),
    "normal": lambda _type, _count: Normal(0, 1),
}
"""Initialisers of an array, by name; of a type and so many elements."""


def _above(type_: ElementType, count: int) -> int:
    """Upper end of ``uniform``: 1, or of integers the number of elements, if the type has it."""
    return 1 if type_.is_float else min(count, int(type_.largest) + 1)


def launch_from_options(
    kernel: Kernel,
    module_path: str | Path,
    grid: str | Sequence[int] | int,
    block: str | Sequence[int] | int,
    shared: int = 0,
    args: Sequence[str] = (),
    symbols: Sequence[str] = (),
    module: Module | None = None,
) -> Launch:
    """Make a launch of ``kernel`` from the words of a command line.

    ``grid`` and ``block`` are one to three integers, ``64,64``. Each of ``args`` is the next
    argument: ``i32=5``, ``f32=0.5``, ``struct=buffer=f32:64,i32=8``, ``buffer=f32:1024``,
    ``buffer=f32:64x64:uniform`` (a seed may follow, ``:7``; without it arrays of random numbers
    differ),
    ``texture=f32:64x64``, ``texture=f32x4:64x64`` of texels of four channels, ``null``,
    ``array=f32:64x2`` for all that numba passes of an array, or a bare number of the parameter's
    own type. ``name=5`` is a number for the parameter of that name. Each of ``symbols`` gives one
    of the ``module``'s variables its contents: ``name=f32:225:normal``, or in the variable's own
    type and shape ``name=arange`` or a number for every element, ``name=3``; a reference to a
    texture is bound to one, ``name=texture=f32:64x64``.
    Raises UsageError with all that is wrong.
    """
    faults = Faults()
    sizes = [
        faults.of(lambda: dimensions("grid", grid, advised_grid(kernel))),
        faults.of(lambda: dimensions("block", block, advised_block(kernel))),
    ]
    if shared < 0:
        faults.of(lambda: _refuse(f"shared memory must not be negative: {shared}"))
    arguments = faults.of(lambda: _arguments(kernel, args, module)) or []
    arrays = sum(map(_is_array, arguments))
    variables = () if module is None else module.variables
    contents = faults.of(lambda: _symbols(symbols, variables, arrays))
    faults.check()
    assert sizes[0] is not None
    assert sizes[1] is not None
    return Launch.of(
        module_path,
        kernel.name,
        grid=sizes[0],
        block=sizes[1],
        shared=shared,
        arguments=arguments,
        symbols=contents or {},
    )


def _refuse(words: str) -> NoReturn:
    raise UsageError(words)


def _is_array(argument: Argument) -> bool:
    return isinstance(argument, BufferArgument | TextureArgument)


def _symbols(
    texts: Sequence[str], variables: Sequence[Variable], first: int
) -> dict[str, BufferArgument | TextureArgument]:
    """The contents of variables; ``first`` is the number of the first one among all arrays."""
    settable = {v.name: v for v in variables if v.space in (Space.GLOBAL, Space.CONST)}
    found: dict[str, BufferArgument | TextureArgument] = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            words = f"symbol `{text}`: this is not of the form NAME=CONTENTS"
            raise UsageError(_problem(words, "such as --symbol table=f32:64:uniform"))
        known = find_by_name(name, settable)
        if known is None:
            listed = f"variables: {', '.join(list(settable)[:8])}" if settable else None
            words = f"the module has not exactly one global or constant variable `{name}`"
            hint = suggestion(name, settable) or listed or "the module has none"
            raise UsageError(_problem(words, hint))
        if known in found:
            raise UsageError(f"symbol `{text}`: `{name}` has its contents already")
        contents = _contents(f"symbol `{text}`", value, settable[known])
        if value.count(":") < _SEED_AT:
            contents = replace(contents, seed=seed_of(contents.init, first + len(found)))
        found[known] = contents
    return found


def _contents(what: str, value: str, variable: Variable) -> BufferArgument | TextureArgument:
    """Contents of a variable: a type and a size as a buffer's, or its own; or a texture."""
    if value.startswith("texture="):
        return _array("texture", value.removeprefix("texture="), what)
    if ":" in value:
        buffer = _array("buffer", value, what)
        assert isinstance(buffer, BufferArgument)
        return buffer
    type_ = ELEMENT_TYPES.get(_element_name(variable.type))
    if type_ is None or None in variable.shape:
        raise UsageError(_problem(f"{what}: type and size are needed", "write NAME=f32:64:arange"))
    shape = tuple(size for size in variable.shape if size is not None) or (1,)
    count = math.prod(shape)
    number = _number(value, type_)
    if number is None and value not in FILLS:
        words = f"{what}: `{value[:40]}` is neither a number nor an initialiser"
        raise UsageError(_problem(words, f"initialisers: {', '.join(FILLS)}; or NAME=f32:64"))
    init = FILLS[value](type_, count) if number is None else Constant(number)
    reason = misfit(init, type_, count)
    if reason is not None:
        raise UsageError(f"{what}: {reason}")
    return BufferArgument(type_.name, shape, init)


def _element_name(type_: Type) -> str:
    letter = {TypeKind.SIGNED: "i", TypeKind.UNSIGNED: "u", TypeKind.BITS: "u"}.get(type_.kind)
    return type_.name if letter is None or type_.lanes > 1 else f"{letter}{type_.bits}"


def dimensions(what: str, given: str | Sequence[int] | int, advised: str) -> Dim3:
    """Read a shape. UsageError that names one that would do."""
    try:
        return _read_dimensions(what, given)
    except UsageError as error:
        meant = integer_meant(given) if isinstance(given, str) else None
        fix = (f"--{what}", (str(meant) if meant and meant > 0 else advised,))
        raise UsageError(*(replace(d, fix=fix) for d in error.diagnostics)) from None


def _read_dimensions(what: str, given: str | Sequence[int] | int) -> Dim3:
    given = (given,) if isinstance(given, int) else given
    parts = _sides(given) if isinstance(given, str) else given
    sizes = [_integer(part, what, "8, or 8,4 or 8,4,2") for part in parts]
    if not 1 <= len(sizes) <= 3:
        raise UsageError(f"{what} has one to three sizes, not {len(sizes)}: `{given}`")
    if min(sizes) < 1:
        raise UsageError(f"{what} must be at least 1 in every direction: `{given}`")
    return dim3(sizes)


def _sides(given: str) -> list[str]:
    """Take ``16,8`` apart, and ``16x8`` as a sweep writes it; ``0x10`` is one number."""
    return given.split("x" if _SHAPE.fullmatch(given) else ",")


def _integer(given: str | int, what: str, form: str) -> int:
    if isinstance(given, int):
        return given
    try:
        return int(given, 0)
    except ValueError:
        is_there = bool(given.strip())
        words = f"`{given[:40]}` is not an integer" if is_there else "a size is missing"
        hint = f"write {integer_meant(given) or form}"
        raise UsageError(_problem(f"{what}: {words}", hint)) from None


def _arguments(kernel: Kernel, args: Sequence[str], module: Module | None) -> list[Argument]:
    """Read arguments, all of them: what is wrong names arguments that would do."""
    found: dict[int, Argument] = {}
    texts: dict[int, str] = {}
    faults = Faults()
    for text in (one for given in args for one in _passed(given)):
        faults.of(lambda text=text: _place_argument(kernel, text, found, texts))  # type: ignore[misc]
    missing = [p for n, p in enumerate(kernel.parameters) if n not in texts]
    if missing:
        name = base_name(demangle(kernel.name))
        words = f"`{name}` takes {len(kernel.parameters)} arguments, not {len(texts)}"
        such_as = _ARRAY_OF_NUMBA if _OF_NUMBA.search(kernel.name) else _SUCH_AS
        hint = f"give each its value, {such_as}: {_listed(kernel, missing)}"
        problem = _problem(words, hint)
        faults.of(lambda: _refuse_with(problem))
    try:
        faults.check()
    except UsageError as error:
        right = {place: text for place, text in texts.items() if place in found}
        is_of_numba = _OF_NUMBA.search(kernel.name)  # whose shapes have to fit its memory
        fix = None if module is None or is_of_numba else arguments_fix(module, kernel, right)
        raise UsageError(*(replace(d, fix=fix) for d in error.diagnostics)) from None
    seeded = {place for place, text in texts.items() if text.count(":") == _SEED_AT}
    for number, place in enumerate(n for n in sorted(found) if _is_array(found[n])):
        array = found[place]
        if isinstance(array, BufferArgument | TextureArgument) and place not in seeded:
            found[place] = replace(array, seed=seed_of(array.init, number))
    return [found[n] for n in range(len(kernel.parameters))]


def _passed(text: str) -> list[str]:
    """The arguments that one stands for: of ``array=f32:64x2`` all that numba passes of an array.

    Its owner, twice, its elements, the bytes of one, its memory, shape and strides: the members of
    ``ArrayModel`` in numba/core/datamodel/models.py.
    """
    kind, _, value = text.partition("=")
    element, *rest = value.split(":")
    if kind != _ARRAY:
        return [text]
    sides = rest[0].split("x") if rest else []
    if element not in ELEMENT_TYPES or not sides or not all(one.isdecimal() for one in sides):
        words = f"argument `{text}`: this is not of the form array=TYPE:SHAPE"
        raise UsageError(_problem(words, _ARRAY_OF_NUMBA))
    shape, item = [int(one) for one in sides], ELEMENT_TYPES[element].size_bytes
    strides = [math.prod(shape[n + 1 :]) * item for n in range(len(shape))]
    memory = f"buffer={value}"
    numbers = [f"i64={n}" for n in (*shape, *strides)]
    return ["null", "null", f"i64={math.prod(shape)}", f"i64={item}", memory, *numbers]


def _refuse_with(problem: Diagnostic) -> NoReturn:
    raise UsageError(problem)


def _place_argument(
    kernel: Kernel, text: str, found: dict[int, Argument], texts: dict[int, str]
) -> None:
    """Read an argument into its place; in ``texts`` also one that is wrong. UsageError."""
    key, _, value = text.partition("=")
    named = None if is_typed(text) else _parameter_index(kernel, key, value)
    place = next(n for n in range(len(texts) + 1) if n not in texts)
    place = place if named is None else named
    if place >= len(kernel.parameters) or place in texts:
        raise UsageError(_unplaced(kernel, text, place, texts))
    texts[place] = text
    found[place] = launch_argument(text if named is None else value, kernel.parameters[place])


def arguments_fix(
    module: Module, kernel: Kernel, right: Mapping[int, str]
) -> tuple[str, tuple[str, ...]] | None:
    """Arguments that fit a kernel, those that are right as they are; None: none are known.

    A bare number where memory is accessed by the parameter was meant for one that takes a number.
    """
    elements = pointees(module, kernel)
    kept, numbers = dict(right), list[str]()
    for place, text in sorted(right.items()):
        is_address = text == "null" or text.partition("=")[0] in _ARRAYS
        if kernel.parameters[place].name in elements and not is_address:
            kept.pop(place)
            numbers += [] if "=" in text else [text]
    every = []
    for place, parameter in enumerate(kernel.parameters):
        advised = kept.get(place) or advised_argument(parameter, elements, kernel)
        if place not in kept and numbers and advised is not None and "=" not in advised:
            advised = numbers.pop(0)
        every.append(advised)
    return ("--arg", tuple(text for text in every if text)) if all(every) else None


def _listed(kernel: Kernel, parameters: Sequence[Parameter]) -> str:
    own = f"{kernel.name}_"  # as nvcc begins the names of parameters
    shown = [f"`{p.name.removeprefix(own)}` ({described(p)})" for p in parameters[:_MOST_LISTED]]
    more = len(parameters) - len(shown)
    return f"{', '.join(shown)} and {more} more" if more else ", ".join(shown)


def _unplaced(kernel: Kernel, text: str, place: int, found: Collection[int]) -> str:
    if place in found:
        return f"argument `{text}`: the parameter has an argument already"
    return f"argument `{text}`: `{kernel.name}` takes {len(kernel.parameters)} arguments"


def is_typed(text: str) -> bool:
    """Whether an argument says itself what it is."""
    key, equals, _ = text.partition("=")
    return not equals or key in ELEMENT_TYPES or key in (*_ARRAYS, _STRUCT)


def _parameter_index(kernel: Kernel, name: str, value: str) -> int:
    names = [p.name for p in kernel.parameters]
    found = [n for n, known in enumerate(names) if name == known]
    found = found or [n for n, known in enumerate(names) if known.endswith(f"_{name}")]
    if len(found) == 1:
        return found[0]
    meant = element_meant(name)
    hint = f"write {meant}={value}" if meant else None
    hint = hint or suggestion(name, [*ELEMENT_TYPES, *_ARRAYS, _ARRAY, *names])
    hint = hint or (f"its parameters are {_listed(kernel, kernel.parameters)}" if names else None)
    words = f"argument `{name}={value}`: `{name}` is neither a type nor a parameter"
    raise UsageError(_problem(words, hint))


def _problem(words: str, hint: str | None) -> Diagnostic:
    return Diagnostic(Severity.ERROR, words, hint=hint)


def launch_argument(text: str, parameter: Parameter) -> Argument:
    """The argument that a word of a command line means for a parameter. UsageError."""
    key, equals, value = text.partition("=")
    if text == "null":
        return NullArgument()
    if equals and key in _ARRAYS:
        return _array(key, value)
    if equals and key == _STRUCT:
        return StructArgument(tuple(_field(one.strip()) for one in value.split(",")))
    if equals and key in ELEMENT_TYPES:
        return _scalar(text, value, ELEMENT_TYPES[key])
    if equals:
        words = f"argument `{text}`: `{key}` is no type"
        raise UsageError(_problem(words, suggestion(key, [*ELEMENT_TYPES, *_ARRAYS, _ARRAY])))
    return _scalar(text, text, _own_type(text, parameter))


def _field(text: str) -> ScalarArgument | BufferArgument | NullArgument:
    """A field of a struct, which says its type. UsageError."""
    key, equals, value = text.partition("=")
    if text == "null":
        return NullArgument()
    if equals and key in ELEMENT_TYPES:
        return _scalar(text, value, ELEMENT_TYPES[key])
    if equals and key == "buffer":
        found = _array(key, value)
        assert isinstance(found, BufferArgument)
        return found
    words = f"argument `{_STRUCT}=`: `{text[:40]}` is no field"
    raise UsageError(_problem(words, f"fields in their order, {_FIELDS}"))


def _own_type(text: str, parameter: Parameter) -> ElementType:
    """The type that a bare number takes from its parameter."""
    bits, kind = parameter.size_bytes * 8, parameter.type.kind
    name = f"{'u' if kind is TypeKind.UNSIGNED and text[:1] != '-' else 'i'}{bits}"
    if kind is TypeKind.FLOAT:
        name = parameter.type.name
    if parameter.size_bytes != parameter.type.size_bytes or parameter.shape:
        words = f"argument `{text}`: parameter `{parameter.name}` is a struct or an array by value"
        raise UsageError(
            _problem(words, f"give its fields in their order, {_FIELDS}, or in a launch file")
        )
    if parameter.pointee_space is Space.SHARED:  # its place in dynamic shared memory
        name = f"u{bits}"
    elif parameter.is_pointer or name not in ELEMENT_TYPES:
        words = f"argument `{text}`: parameter `{parameter.name}` is not a number"
        raise UsageError(_problem(words, "write buffer=f32:1024, null, or a type: i32=5"))
    return ELEMENT_TYPES[name]


def _scalar(text: str, value: str, type_: ElementType) -> ScalarArgument:
    number = _number(value, type_)
    if number is None:
        kind = "a number" if type_.is_float else "an integer"
        raise UsageError(f"argument `{text}`: `{value[:40]}` is not {kind}")
    is_overflow = isinstance(number, float) and math.isinf(number) and "inf" not in value.lower()
    if is_overflow or not type_.holds(number):
        raise UsageError(f"argument `{text}`: the value does not fit {type_.name}")
    return ScalarArgument(type_.name, number)


def _number(value: str, type_: ElementType) -> int | float | None:
    if type_.kind is ElementKind.BOOL and value in ("true", "false"):
        return int(value == "true")
    try:
        return float(value) if type_.is_float else int(value, 0)
    except ValueError:
        return None


def _array(kind: str, value: str, what: str = "") -> BufferArgument | TextureArgument:
    texel, _, rest = value.partition(":")
    sizes, _, fill = rest.partition(":")
    text = what or f"argument `{kind}={value}`"
    element, channels = (texel, 1) if kind == "buffer" else _texel(text, texel)
    if element not in ELEMENT_TYPES:
        words = f"{text}: unknown element type `{element[:40]}`"
        meant = element_meant(element)
        hint = f"write {kind}={meant}:…" if meant else suggestion(element, ELEMENT_TYPES)
        raise UsageError(_problem(words, hint or f"element types: {', '.join(ELEMENT_TYPES)}"))
    form = f"{kind}={texel}:1024, or a size for each dimension, {kind}={texel}:32x32"
    shape = tuple(_integer(size, text, form) for size in sizes.split("x"))
    type_, count = ELEMENT_TYPES[element], math.prod(shape) * channels
    if min(shape) < 1 or count > _MAX_ELEMENTS:
        raise UsageError(f"{text}: a buffer has 1 to 2^48 - 1 elements")
    fill, _, seed = fill.partition(":")
    if seed and not (seed.isascii() and seed.isdigit() and len(seed) < 20):
        raise UsageError(f"{text}: the seed `{seed[:40]}` is no whole number from 0")
    if fill and fill not in FILLS:
        words = f"{text}: unknown initialiser `{fill[:40]}`"
        raise UsageError(_problem(words, f"initialisers: {', '.join(FILLS)}"))
    init = FILLS[fill or "zeros"](type_, count)
    reason = misfit(init, type_, count)
    if reason is not None:
        raise UsageError(f"{text}: {reason}")
    if kind == "buffer":
        return BufferArgument(element, shape, init, int(seed or 0))
    return TextureArgument(element, shape, init, int(seed or 0), channels=channels)


def _texel(text: str, texel: str) -> tuple[str, int]:
    """Part ``f32x4`` into its element and how many of it are a texel; ``f32`` is one."""
    element, sign, count = texel.partition("x")
    if not sign:
        return element, 1
    if count not in map(str, CHANNELS):
        words = f"a texel has 1, 2 or 4 channels, not `{count[:40]}`"
        raise UsageError(f"{text}: {words}")
    return element, int(count)


# A launch to begin with, where somebody gave none that fits: what one could type.

_THREADS = 256
_BLOCKS = {1: "256", 2: "16,16", 3: "8,8,4"}
_GRIDS = {1: "4", 2: "4,4", 3: "4,4,4"}
"""Threads of a CTA and CTAs to begin with, by the directions that a kernel asks for."""

_LENGTH = 1024
"""Threads of a CTA, and elements a side: as many as the threads of the grid."""

_BITS = {8: "u8", 16: "f16", 32: "f32", 64: "f64"}
"""Assumed types of elements of which only the size is known."""

_LETTERS = {TypeKind.SIGNED: "i", TypeKind.UNSIGNED: "u", TypeKind.FLOAT: "f"}


def advised_block(kernel: Kernel) -> str:
    """The block that a kernel requires, or one that it allows."""
    required, most = kernel.bounds.required_threads, kernel.bounds.max_threads
    if required is not None:
        return ",".join(map(str, required))
    sides = [int(side) for side in _BLOCKS[_directions(kernel, "tid")].split(",")]
    if most is not None and math.prod(most) < _THREADS:
        sides = _fewer(sides, math.prod(most))
    return ",".join(map(str, sides))


def _fewer(sides: list[int], most: int) -> list[int]:
    """Sides of a block of at most so many threads, the last ones shorter."""
    axis = len(sides) - 1
    while math.prod(sides) > most:
        if sides[axis] == 1:
            axis -= 1
        sides[axis] = most if axis == 0 else sides[axis] // 2
    return sides


def advised_grid(kernel: Kernel) -> str:
    """A few CTAs in the directions in which a kernel has several."""
    return _GRIDS[_directions(kernel, "ctaid")]


def _directions(kernel: Kernel, register: str) -> int:
    """Count the directions of an id that a kernel uses, 1 at least.

    SYCL reads an id in all three directions, and takes one of them.
    """
    used = used_registers(kernel)
    read = {
        operand.name
        for instruction in kernel.instructions
        if not instruction.writes or not used.isdisjoint(instruction.writes)
        for operand in instruction.operands
        if isinstance(operand, Special)
    }
    return 3 if f"{register}.z" in read else 2 if f"{register}.y" in read else 1


def pointees(module: Module, kernel: Kernel) -> Mapping[str, str]:
    """The element types of the parameters by which memory is accessed, by their names.

    Where an access says only how many bits it moves, what its register is used for tells.
    """
    found: dict[str, str] = {}
    accesses = memory_accesses(module, analyse_structure(kernel))
    kinds: Mapping[str | int, Collection[TypeKind]] | None = None
    for access in accesses:
        type_ = kernel.blocks[access.block].instructions[access.instruction].operation.type
        if access.base is None or type_ is None:
            continue
        letter, bits = _LETTERS.get(type_.kind), type_.bits
        if letter is None:
            kinds = _kinds_of_values(kernel, accesses) if kinds is None else kinds
            letter = _letter(kinds.get(access.base, ()))
        known = f"{letter}{bits}" if letter is not None and bits <= 64 else None
        found.setdefault(access.base, known or _BITS.get(bits, "f32"))
    return found


def _letter(kinds: Collection[TypeKind]) -> str | None:
    """The letter of a type by all that its values are used as; None where they are not told."""
    if TypeKind.FLOAT in kinds or not kinds:
        return "f" if kinds else None
    return "i" if TypeKind.SIGNED in kinds else "u"


def _kinds_of_values(
    kernel: Kernel, accesses: Sequence[MemoryAccess]
) -> Mapping[str | int, Collection[TypeKind]]:
    """What operations take each register as, and what is at each base of accesses.

    Copies, loads and stores that tell no more than bits pass it on.
    """
    kinds: dict[str | int, set[TypeKind]] = {}
    same: list[tuple[str | int, ...]] = []
    for block in kernel.blocks:
        for edge in block.incoming:
            same += ((d.index, *registers_in(value)) for d, value in edge.copies)
        for instruction in block.instructions:
            type_ = instruction.operation.type
            if type_ is not None and type_.kind in _LETTERS:
                for index in _moved(instruction):
                    if kernel.registers[index].type.bits == type_.bits:
                        kinds.setdefault(index, set()).add(type_.kind)
            elif instruction.operation.name in _COPYING:
                same.append(_moved(instruction))
    for access in accesses:
        if access.base is not None:
            moved = _moved(kernel.blocks[access.block].instructions[access.instruction])
            same.append((access.base, *moved))
    for _ in range(_PASSES):
        for group in same:
            joined = set[TypeKind]().union(*(kinds.get(one, ()) for one in group))
            for one in group if joined else ():
                kinds.setdefault(one, set()).update(joined)
    return kinds


def _moved(instruction: Instruction) -> tuple[int, ...]:
    """The registers of an instruction that make no address."""
    operands = (o for o in instruction.operands if not isinstance(o, Address))
    return tuple(index for o in operands for index in registers_in(o))


_COPYING = frozenset({"mov", "selp", "shfl"})
_PASSES = 4
"""How often what is known of values is passed on, along all copies in their order."""


def advised_argument(
    parameter: Parameter, elements: Mapping[str, str], kernel: Kernel | None = None
) -> str | None:
    """An argument that fits a parameter; None: nothing tells one, as of an array by value.

    Fields of a struct are what the ``kernel`` loads of it; what it does not is filled by zeros.
    """
    is_plain = parameter.size_bytes == parameter.type.size_bytes and not parameter.shape
    if parameter.type.kind is TypeKind.OPAQUE:
        return f"texture=f32:{_LENGTH}x{_LENGTH}"
    if not is_plain:
        return None if kernel is None else _advised_struct(parameter, elements, kernel)
    if parameter.pointee_space is Space.SHARED:
        return "0"  # its part of dynamic shared memory begins there
    if parameter.is_pointer or parameter.name in elements:
        return f"buffer={elements.get(parameter.name, 'f32')}:{_LENGTH * _LENGTH}"
    if parameter.type.kind is TypeKind.FLOAT:
        return "1.0"
    return str(_LENGTH) if parameter.size_bytes > 1 else "1"


def _advised_struct(
    parameter: Parameter, elements: Mapping[str, str], kernel: Kernel
) -> str | None:
    """The fields of a struct by what a kernel loads of it; None where they do not fit C's rules."""
    loaded: dict[int, Type] = {}
    for instruction in kernel.instructions:
        operation, type_ = instruction.operation, instruction.operation.type
        if operation.name != "ld" or set(operation.spaces) != {Space.PARAM} or type_ is None:
            continue
        for address in (o for o in instruction.operands if isinstance(o, Address)):
            base = address.base
            if isinstance(base, Symbol) and base.name == parameter.name:
                first = base.offset + address.offset
                places = range(first, first + operation.vector * type_.size_bytes, type_.size_bytes)
                loaded |= dict.fromkeys(places, type_)
    if not loaded:
        return None
    fields, end = list[str](), 0
    for offset, type_ in sorted(loaded.items()):
        end = _filled(fields, end, offset, type_.size_bytes)
        fields.append(_advised_field(parameter.name, offset, type_, elements))
        end = -(-end // type_.size_bytes) * type_.size_bytes + type_.size_bytes
    align = max(type_.size_bytes for type_ in loaded.values())
    _filled(fields, end, parameter.size_bytes, align)
    text = f"{_STRUCT}={','.join(fields)}"
    made = StructArgument(tuple(map(_field, fields)))
    return text if made.size_bytes == parameter.size_bytes else None


def _filled(fields: list[str], end: int, offset: int, align: int) -> int:
    """Add zeros behind ``end`` until what comes next, so aligned, stands at an offset."""
    while -(-end // align) * align < offset:
        size = 4 if end % 4 == 0 and offset - end >= 4 else 1
        fields.append("i32=0" if size == 4 else "u8=0")
        end += size
    return end


def _advised_field(name: str, offset: int, type_: Type, elements: Mapping[str, str]) -> str:
    pointee = elements.get(f"{name}+{offset}" if offset else name)
    if pointee is not None and type_.bits == 64:
        return f"buffer={pointee}:{_LENGTH * _LENGTH}"
    if type_.kind is TypeKind.FLOAT:
        return f"{type_.name}=1.0"
    return f"i{type_.bits}={_LENGTH if type_.bits > 8 else 1}"
