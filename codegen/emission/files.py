"""The files of an application: PTX, CUDA, launch file; whole and checked before one is written."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain
from math import isfinite, prod
from typing import Any

from warpmill.analyzer.ir.kernel import Address, Instruction, Kernel, Module, Symbol, Variable
from warpmill.analyzer.ir.ptx_printer import body_statements, print_ptx
from warpmill.analyzer.ir.types import Space, Type, TypeKind
from warpmill.analyzer.launch.model import ELEMENT_TYPES, ElementKind, ScalarArgument
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneArgument,
    CloneBuffer,
    CloneFiles,
    CloneLaunch,
    CloneTexture,
    linear_textures,
    textures_of,
)
from warpmill.codegen.emission.preparing import (
    STATIC_SHARED_BYTES,
    EmissionLimits,
    check,
    clean,
    with_registers,
)
from warpmill.codegen.emission.render import render

_DEFAULT_LIMITS = EmissionLimits()


def emit(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> CloneFiles:
    """``NAME.ptx``, ``NAME.cu`` and ``launch.toml``, which starts the first.

    The same application gives the same bytes. InputError where it holds what clones do not have or
    a launch does not fit its kernel, LimitError where it is larger than ``limits``.
    """
    cleaned = _ready(app, limits)
    ptx_name = f"{cleaned.name}.ptx"
    return CloneFiles(
        (
            (ptx_name, _ptx(cleaned)),
            (f"{cleaned.name}.cu", _cuda(cleaned)),
            ("launch.toml", _launch_table(cleaned, ptx_name)),
        )
    )


def ptx_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """The PTX file alone; errors as those of ``emit``."""
    return _ptx(_ready(app, limits))


def cuda_text(app: CloneApplication, limits: EmissionLimits = _DEFAULT_LIMITS) -> str:
    """The CUDA file alone: kernels and a host program; errors as those of ``emit``."""
    return _cuda(_ready(app, limits))


def launch_text(
    app: CloneApplication, ptx_name: str, limits: EmissionLimits = _DEFAULT_LIMITS
) -> str:
    """The launch file of a PTX file called ``ptx_name``; errors as those of ``emit``."""
    return _launch_table(_ready(app, limits), ptx_name)


def _ready(app: CloneApplication, limits: EmissionLimits) -> CloneApplication:
    check(app, limits)
    return clean(app)


def _ptx(app: CloneApplication) -> str:
    return render("ptx/clone.ptx.j2", ptx_context(app))


def _cuda(app: CloneApplication) -> str:
    return render("cuda/clone.cu.j2", cuda_context(app))


def _launch_table(app: CloneApplication, ptx_name: str) -> str:
    return render("launch/launch.toml.j2", launch_context(app, ptx_name))


# The PTX file: a comment that says what it is, and what the analyzer's PTX printer makes.


def ptx_context(app: CloneApplication) -> dict[str, Any]:
    """Values for ``ptx/clone.ptx.j2``, of an application with clean names."""
    return {"note": app.note, "module": print_ptx(app.module)}


# The launch file: every launch written out, its buffers made where they are named first.


def launch_context(app: CloneApplication, module_file: str) -> dict[str, Any]:
    """Values for ``launch/launch.toml.j2``, of an application with clean names."""
    return {
        "note": app.note,
        "module": module_file,
        "launches": list(_launches(app)),
    }


def _launches(app: CloneApplication) -> Iterator[dict[str, Any]]:
    made: set[str] = set()
    for launch in app.launches:
        for _ in range(launch.repeats):
            arguments = [_argument_table(app, a, made) for a in launch.arguments]
            yield {
                "kernel": launch.kernel,
                "grid": list(launch.grid),
                "block": list(launch.block),
                "shared": launch.dynamic_shared_bytes,
                "arguments": arguments,
            }


def _argument_table(app: CloneApplication, argument: CloneArgument, made: set[str]) -> str:
    """An argument's inline table."""
    match argument:
        case BufferPointer(buffer, offset_bytes):
            return _pointer(app.buffer(buffer), offset_bytes, made)
        case CloneTexture():
            return _texture(argument)
        case _:
            return _scalar(argument)


def _texture(texture: CloneTexture) -> str:
    channels = f", channels = {texture.channels}" if texture.channels > 1 else ""
    shape = f'texture = "{texture.element}"{channels}, shape = {list(texture.shape)}'
    return f'{{ {shape}, filter = "{texture.filter}" }}'


def _pointer(buffer: CloneBuffer, offset_bytes: int, made: set[str]) -> str:
    """An argument's inline table; the first that names a buffer makes it."""
    offset = offset_bytes // ELEMENT_TYPES[buffer.element].size_bytes
    place = f", offset = {offset}" if offset else ""
    if buffer.name in made:
        return f'{{ ref = "{buffer.name}"{place} }}'
    made.add(buffer.name)
    shape = f'buffer = "{buffer.element}", shape = [{buffer.elements}]'
    return f'{{ {shape}, name = "{buffer.name}"{place} }}'


def _scalar(argument: ScalarArgument) -> str:
    """A number; Python writes inf, nan and the shortest fraction as TOML does."""
    value = float(argument.value) if argument.type.is_float else int(argument.value)
    return f"{{ {argument.type_name} = {value!r} }}"


# The CUDA file: kernels of inline assembly, one statement an instruction, and a host program.

_UNSIGNED = {8: "unsigned char", 16: "unsigned short", 32: "unsigned int", 64: "unsigned long long"}
_SIGNED = {8: "signed char", 16: "short", 32: "int", 64: "long long"}
_FLOATS = {"f32": "float", "f64": "double"}
_SUFFIXES = {"unsigned int": "u", "unsigned long long": "ull", "long long": "ll", "float": "f"}
_Numbers = Mapping[str | CloneTexture, int]
"""The places of buffers, by their names, and of textures in the lists of the host program."""
_SPACES = {Space.GLOBAL: "__device__", Space.CONST: "__constant__"}


def cuda_context(app: CloneApplication) -> dict[str, Any]:
    """Values for ``cuda/clone.cu.j2``, of an application with clean names."""
    module = app.module
    dynamic = [v for v in module.variables if _is_dynamic(v)]
    buffers = ((buffer.name, n) for n, buffer in enumerate(app.buffers))
    numbers: _Numbers = dict(chain(buffers, texture_numbers(app)))
    return {
        "note": app.note,
        "name": app.name,
        "target": module.target,
        "dynamic_arrays": [{"name": v.name, "align": v.align} for v in dynamic],
        "variables": [_variable(v) for v in module.variables if v.space in _SPACES],
        "kernels": [_kernel(k, module) for k in module.kernels],
        "buffers": [{"name": b.name, "bytes": f"{b.size_bytes}ull"} for b in app.buffers],
        "texture_frames": texture_frames(app),
        "shared_sizes": list(_large_shared(app)),
        "launches": [_cuda_launch(app, launch, numbers) for launch in app.launches],
    }


def c_type(type_: Type) -> str:
    """The C++ type that a PTX type is passed as; narrow floats are passed as their bits."""
    if type_.name in _FLOATS:
        return _FLOATS[type_.name]
    is_signed = type_.kind is TypeKind.SIGNED and type_.lanes == 1
    return (_SIGNED if is_signed else _UNSIGNED)[type_.bits]


def asm_statements(kernel: Kernel, module: Module) -> list[str]:
    """The body of a kernel as the texts of inline assembly, as they stand in C++ quotes.

    Each is one line of PTX: a declaration, a label, a hint or an instruction. None has operands,
    so that ``%`` and ``$`` stand for themselves.
    """
    named = set(_symbols(kernel))
    shared = [v for v in module.variables if v.space is Space.SHARED and not _is_dynamic(v)]
    of_module = [replace(v, attributes=()) for v in shared if v.name in named]
    whole = replace(kernel, variables=(*of_module, *kernel.variables))
    statements = body_statements(with_registers(whole, "r_"))
    return [_quoted(" ".join(s.text.split())) for s in statements]


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _symbols(kernel: Kernel) -> Iterator[str]:
    for instruction in kernel.instructions:
        yield from symbols_named(instruction)


def symbols_named(instruction: Instruction) -> Iterator[str]:
    """The names of the variables and parameters whose addresses an instruction uses."""
    pending = list(instruction.operands)
    while pending:
        match operand := pending.pop():
            case Symbol(name) | Address(Symbol(name)):
                yield name
            case _:
                parts = ("elements", "items", "parts")
                pending += [o for part in parts for o in getattr(operand, part, ())]


def _is_dynamic(variable: Variable) -> bool:
    return variable.space is Space.SHARED and variable.size_bytes is None


def _kernel(kernel: Kernel, module: Module) -> dict[str, Any]:
    named = set(_symbols(kernel))
    parameters = [f"{c_type(p.type)} p{n}" for n, p in enumerate(kernel.parameters)]
    return {
        "name": kernel.name,
        "bounds": _bounds(kernel),
        "parameters": ", ".join(parameters),
        "dynamic_arrays": [v.name for v in module.variables if _is_dynamic(v) and v.name in named],
        "statements": asm_statements(kernel, module),
    }


def _bounds(kernel: Kernel) -> str:
    """CUDA's words for launch bounds; a bound of registers excludes those of threads there."""
    bounds = kernel.bounds
    if bounds.max_registers is not None:
        return f"__maxnreg__({bounds.max_registers}) "
    threads = bounds.required_threads or bounds.max_threads
    if threads is None:
        return ""
    least = "" if bounds.min_ctas_per_sm is None else f", {bounds.min_ctas_per_sm}"
    return f"__launch_bounds__({prod(threads)}{least}) "


def _variable(variable: Variable) -> dict[str, Any]:
    """The declaration of a module variable; its elements are written as unsigned bits."""
    bits = max(8, variable.type.bits)
    values = [_bits(value, bits) for value in variable.initialiser or ()]
    return {
        "space": _SPACES[variable.space],
        "align": variable.align,
        "type": _UNSIGNED[bits],
        "name": variable.name,
        "count": (variable.size_bytes or 0) * 8 // bits,
        "content": ", ".join(values),
    }


def _bits(value: object, bits: int) -> str:
    if isinstance(value, float):
        raw = struct.pack("<f" if bits == 32 else "<d", value)
        return f"{int.from_bytes(raw, 'little')}ull"
    assert isinstance(value, int)
    return f"{value % (1 << bits)}ull"


def _large_shared(app: CloneApplication) -> Iterator[dict[str, Any]]:
    """Kernels that need leave for more shared memory than every GPU has, with the bytes."""
    most: dict[str, int] = {}
    for launch in app.launches:
        most[launch.kernel] = max(most.get(launch.kernel, 0), launch.dynamic_shared_bytes)
    for kernel, size in most.items():
        if app.module.kernel(kernel).static_shared_bytes + size > STATIC_SHARED_BYTES:
            yield {"kernel": kernel, "bytes": size}


def _cuda_launch(app: CloneApplication, launch: CloneLaunch, numbers: _Numbers) -> dict[str, Any]:
    kernel = app.launched(launch)
    arguments = [
        _cuda_argument(a, p.type, numbers)
        for a, p in zip(launch.arguments, kernel.parameters, strict=True)
    ]
    return {
        "kernel": launch.kernel,
        "grid": ", ".join(map(str, launch.grid)),
        "block": ", ".join(map(str, launch.block)),
        "shared": launch.dynamic_shared_bytes,
        "repeats": launch.repeats,
        "arguments": ", ".join(arguments),
    }


def _cuda_argument(argument: CloneArgument, type_: Type, numbers: _Numbers) -> str:
    match argument:
        case BufferPointer(buffer, offset):
            return f"({c_type(type_)})(memory[{numbers[buffer]}].device + {offset}ull)"
        case CloneTexture():
            return f"({c_type(type_)})textures[{numbers[argument]}].object"
        case _:
            return _literal(argument, type_)


def _literal(argument: ScalarArgument, type_: Type) -> str:
    """The value that has the argument's bits in the C++ type of its parameter."""
    # only where a scalar is passed: it brings NumPy
    from warpmill.analyzer.launch.buffers import scalar_bytes  # noqa: PLC0415

    raw = scalar_bytes(argument.type_name, argument.value)
    written = c_type(type_)
    suffix = _SUFFIXES.get(written, "")
    if written in _FLOATS.values():
        (value,) = struct.unpack("<f" if written == "float" else "<d", raw)
        return _float_literal(value, suffix)
    number = int.from_bytes(raw, "little", signed=written in _SIGNED.values())
    if number == -(1 << 63):  # C++ has no literal for it
        return f"({number + 1}{suffix} - 1)"
    return f"{number}{suffix}"


def _float_literal(value: float, suffix: str) -> str:
    if isfinite(value):
        return f"{value.hex()}{suffix}"
    words = "NAN" if value != value else "INFINITY"  # noqa: PLR0124 - that is what NaN is
    return f"-{words}" if value < 0 else words


# Textures as the host program of the CUDA file makes them.

_KINDS = {
    ElementKind.UNSIGNED: "cudaChannelFormatKindUnsigned",
    ElementKind.SIGNED: "cudaChannelFormatKindSigned",
    ElementKind.FLOAT: "cudaChannelFormatKindFloat",
}


def texture_frames(app: CloneApplication) -> list[dict[str, Any]]:
    """Values for the file's parts for textures; none where there are no textures."""
    linear = linear_textures(app)
    rows = [_row(texture, is_linear=texture in linear) for texture in textures_of(app)]
    return [{"textures": rows}] if rows else []


def texture_numbers(app: CloneApplication) -> Iterator[tuple[CloneTexture, int]]:
    """The place of each texture in the host program's list."""
    return ((texture, number) for number, texture in enumerate(textures_of(app)))


def _row(texture: CloneTexture, *, is_linear: bool) -> dict[str, Any]:
    """A texture's list of fields.

    An array is made with 0 for dimensions that it lacks, and texels with 0 bits for channels.
    """
    width, height, depth = (*reversed(texture.shape), 0, 0)[:3]
    element = ELEMENT_TYPES[texture.element]
    bits = (*[element.size_bytes * 8] * texture.channels, 0, 0, 0)[:4]
    return {
        "type": "cudaResourceTypeLinear" if is_linear else "cudaResourceTypeArray",
        "bits": ", ".join(map(str, bits)),
        "kind": _KINDS[element.kind],
        "extent": f"{width}, {height}, {depth}",
        "bytes": f"{texture.size_bytes}ull",
    }
