"""Whether a launch fits its kernel: threads, arguments, shared memory, module variables."""

from __future__ import annotations

import math
from dataclasses import replace

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError
from warpmill.analyzer.base.naming import find_by_name, suggestion
from warpmill.analyzer.ir.externs import is_undefined
from warpmill.analyzer.ir.kernel import Kernel, Module, Parameter, allocate_bytes
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.model import (
    CHANNELS,
    Arange,
    Argument,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    ElementKind,
    ElementType,
    Initialiser,
    Launch,
    Normal,
    Permutation,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Uniform,
)

MAX_GRID = ((1 << 31) - 1, 65535, 65535)
"""CTAs in x, y and z that no GPU exceeds."""
MAX_BLOCK = (1024, 1024, 64)
"""Threads of a CTA in x, y and z that no GPU exceeds."""
MAX_THREADS = 1024
"""Threads of a CTA that no GPU exceeds."""
MAX_SHARED_BYTES = 232448
"""Shared memory of a CTA, 227 KiB, that no GPU exceeds."""


def check_launch(launch: Launch, module: Module, kernel: Kernel) -> None:
    """Check that ``kernel`` of ``module`` can be launched so, on some GPU.

    InputError with all that is wrong, each at its line of the launch file where there is one.
    Integers of either sign fit a parameter of their width; an address fits a pointer or any
    integer of the module's address size.
    """
    problems = launch_problems(launch, module, kernel)
    if problems:
        raise InputError(*(problem for _, problem in problems))


def launch_problems(launch: Launch, module: Module, kernel: Kernel) -> list[tuple[str, Diagnostic]]:
    """All that is wrong, each with the key of a launch file that it is about."""
    parts = {
        "shape": _check_dimensions(launch),
        "block": _check_bounds(launch, kernel),
        "shared": _check_shared(launch, module, kernel),
        "args": _check_arguments(launch, module, kernel),
        "symbols": _check_symbols(launch, module),
        "contents": _check_contents(launch),
    }
    return [(key, problem) for key, problems in parts.items() for problem in problems]


def unfit_arguments(launch: Launch, module: Module, kernel: Kernel) -> frozenset[int]:
    """The places of arguments that do not fit their parameters."""
    pairs = zip(launch.arguments, kernel.parameters, strict=False)
    bytes_ = module.address_bits // 8
    return frozenset(n for n, pair in enumerate(pairs) if _mismatch(*pair, bytes_) is not None)


def _check_dimensions(launch: Launch) -> list[Diagnostic]:
    problems = []
    for key, sizes, limits, what in (
        ("grid", launch.grid, MAX_GRID, "CTAs"),
        ("block", launch.block, MAX_BLOCK, "threads"),
    ):
        for place, (size, limit) in enumerate(zip(sizes, limits, strict=True)):
            if not 1 <= size <= limit:
                words = f"{key} {'xyz'[place]} must be 1 to {limit} {what}, not {size}"
                problems.append(launch.error(words, key, place))
    if not problems and launch.threads_per_cta > MAX_THREADS:
        shape = " × ".join(map(str, launch.block))
        words = f"a CTA has at most {MAX_THREADS} threads, not {launch.threads_per_cta} ({shape})"
        problems.append(launch.error(words, "block"))
    return problems


def _check_bounds(launch: Launch, kernel: Kernel) -> list[Diagnostic]:
    required, most = kernel.bounds.required_threads, kernel.bounds.max_threads
    if required is not None and (*required, 1, 1)[:3] != launch.block:
        wanted = ", ".join(map(str, required))
        words = f"`{kernel.name}` must be launched with blocks of [{wanted}]"
        return [launch.error(words, "block")]
    if most is not None and launch.threads_per_cta > math.prod(most):
        words = f"`{kernel.name}` was compiled for at most {math.prod(most)} threads a CTA"
        return [launch.error(f"{words}, not {launch.threads_per_cta}", "block")]
    return []


def _check_shared(launch: Launch, module: Module, kernel: Kernel) -> list[Diagnostic]:
    of_module = allocate_bytes(v for v in module.variables if v.space is Space.SHARED)
    static = kernel.static_shared_bytes + of_module
    dynamic = launch.dynamic_shared_bytes
    if dynamic < 0:
        return [launch.error(f"shared memory must not be negative: {dynamic}", "shared")]
    if static + dynamic <= MAX_SHARED_BYTES:
        return []
    words = f"{static} static and {dynamic} dynamic bytes of shared memory are more than the"
    return [launch.error(f"{words} {MAX_SHARED_BYTES} that any GPU has for a CTA", "shared")]


def _check_arguments(launch: Launch, module: Module, kernel: Kernel) -> list[Diagnostic]:
    wanted, given = len(kernel.parameters), len(launch.arguments)
    if given < wanted:
        first = kernel.parameters[given]
        words = f"`{kernel.name}` takes {wanted} arguments, not {given}"
        hint = f"the next parameter is `{first.name}`, {described(first)}"
        return [launch.error(words, "args", hint=hint)]
    if given > wanted:
        words = f"`{kernel.name}` takes {wanted} arguments, not {given}"
        return [launch.error(words, "args", wanted)]
    pointer_bytes = module.address_bits // 8
    pairs = zip(launch.arguments, kernel.parameters, strict=True)
    problems = []
    for place, (argument, parameter) in enumerate(pairs):
        reason = _mismatch(argument, parameter, pointer_bytes)
        if reason is not None:
            words = f"argument {place + 1} of `{kernel.name}` (`{parameter.name}`): {reason}"
            problems.append(launch.error(words, "args", place))
    return problems


def _mismatch(argument: Argument, parameter: Parameter, pointer_bytes: int) -> str | None:
    """Reason why an argument does not fit a parameter; None where it does."""
    takes = described(parameter)
    if isinstance(argument, ScalarArgument):
        return _scalar_mismatch(argument, parameter)
    if isinstance(argument, StructArgument):
        if argument.size_bytes == parameter.size_bytes and not parameter.is_pointer:
            return None
        return f"the parameter is {takes}, the argument a struct of {argument.size_bytes} bytes"
    is_texture = isinstance(argument, TextureArgument)
    if is_texture and parameter.type.kind is TypeKind.OPAQUE:
        return None
    bytes_ = 8 if is_texture else pointer_bytes
    is_address = parameter.is_pointer or (
        parameter.type.is_integer and parameter.type.size_bytes == parameter.size_bytes
    )
    if is_address and parameter.size_bytes == bytes_:
        return None
    what = "a texture" if is_texture else "an address"
    return f"the parameter is {takes}, the argument {what} of {bytes_} bytes"


def _scalar_mismatch(argument: ScalarArgument, parameter: Parameter) -> str | None:
    takes = described(parameter)
    is_offset = parameter.pointee_space is Space.SHARED and not argument.type.is_float
    if parameter.is_pointer and not is_offset:
        return f"the parameter is {takes}, the argument the number {argument.type_name}"
    if argument.size_bytes != parameter.size_bytes:
        bytes_ = f"{argument.type_name} of {argument.size_bytes} bytes"
        return f"the parameter is {takes}, the argument {bytes_}"
    wants_float = parameter.type.is_float
    is_untyped = parameter.type.kind is TypeKind.BITS
    if not is_untyped and wants_float != argument.type.is_float:
        return f"the parameter is {takes}, the argument {argument.type_name}"
    return None


def described(parameter: Parameter) -> str:
    """Description of a parameter: ``a pointer of 8 bytes``, ``u32 of 4 bytes``."""
    if parameter.is_pointer:
        to = " to shared memory" if parameter.pointee_space is Space.SHARED else ""
        return f"a pointer{to} of {parameter.size_bytes} bytes"
    if parameter.size_bytes != parameter.type.size_bytes:
        return f"a struct of {parameter.size_bytes} bytes"
    return f"{parameter.type} of {parameter.size_bytes} bytes"


def _check_symbols(launch: Launch, module: Module) -> list[Diagnostic]:
    settable = module.settable_variables
    problems = []
    for name, buffer in launch.symbols:
        found = find_by_name(name, settable)
        if found is None:
            hint = suggestion(name, settable) or _listed(list(settable))
            words = f"the module has not exactly one global or constant variable `{name}`"
            problem = launch.error(words, "symbols", name, hint=hint, at_key=True)
            problems.append(problem)
            continue
        size, is_handle = settable[found].size_bytes, settable[found].is_handle
        if is_handle != isinstance(buffer, TextureArgument):
            wanted = "a reference, which a texture is bound to" if is_handle else "no reference"
            problems.append(launch.error(f"variable `{name}` is {wanted}", "symbols", name))
        elif is_handle:
            continue
        elif size is not None and buffer.bytes > size:
            words = f"variable `{name}` has {size} bytes, the {buffer.bytes} given do not fit"
            problems.append(launch.error(words, "symbols", name))
        elif size is not None and buffer.bytes < size and is_undefined(settable[found]):
            words = f"variable `{name}` is defined elsewhere and has {size} bytes: the"
            words = f"{words} {buffer.bytes} given leave the rest unknown"
            problems.append(launch.error(words, "symbols", name))
    return problems


def with_sizes(module: Module, launch: Launch) -> Module:
    """The module with the sizes that a launch's symbols give to global arrays of open size."""
    names = module.settable_variables
    sizes = {find_by_name(name, names): buffer.bytes for name, buffer in launch.symbols}
    is_open = [v.size_bytes is None and v.name in sizes for v in module.variables]
    if not any(is_open):
        return module
    sized = [
        replace(v, size_bytes=sizes[v.name], shape=(sizes[v.name] // v.type.size_bytes,))
        if is_one
        else v
        for v, is_one in zip(module.variables, is_open, strict=True)
    ]
    return replace(module, variables=tuple(sized))


def _listed(names: list[str]) -> str | None:
    return f"variables: {', '.join(names[:8])}" if names else "the module has none"


def _check_contents(launch: Launch) -> list[Diagnostic]:
    """Check channels and what fills the buffers, where no launch file was checked for them."""
    if launch.document is not None:
        return []
    reasons = (_channels(a) or misfit(a.init, a.type, a.element_count) for a in launch.buffers)
    return [launch.error(reason) for reason in reasons if reason is not None]


def _channels(array: BufferArgument | TextureArgument) -> str | None:
    """Reason why a texture cannot have as many channels as it is to have."""
    if isinstance(array, BufferArgument) or array.channels in CHANNELS:
        return None
    return f"a texel has 1, 2 or 4 channels, not {array.channels}"


# Whether an initialiser can fill a buffer: its numbers, the element type and the shape.

_MAX_SIDE = (1 << 31) - 1  # so that column numbers multiply without overflow


def misfit(init: Initialiser, type_: ElementType, count: int) -> str | None:
    """Reason why ``init`` cannot fill ``count`` elements of a type; None where it can.

    The contents of a file are not looked at.
    """
    match init:
        case Constant(value):
            return _unfit_number(value, type_)
        case Arange(start, step):
            last = start + (count - 1) * step
            if isinstance(last, float) and not math.isfinite(last):
                return "the last element is not finite"
            return next((m for v in (start, step, last) if (m := _unfit_number(v, type_))), None)
        case Uniform():
            return _unfit_uniform(init, type_)
        case Normal():
            return _unfit_normal(init, type_)
        case Permutation():
            if type_.is_float or type_.kind is ElementKind.BOOL:
                return f"a permutation needs an integer type, not {type_.name}"
            return _unfit_number(count - 1, type_)
        case Csr():
            return _unfit_csr(init, type_, count)
        case _:
            return None


def _unfit_number(value: float, type_: ElementType) -> str | None:
    if isinstance(value, float) and not type_.is_float and not value.is_integer():
        return f"{value} is not an integer, and the elements are {type_.name}"
    return None if type_.holds(value) else f"{value} does not fit {type_.name}"


def _unfit_uniform(init: Uniform, type_: ElementType) -> str | None:
    if not (math.isfinite(init.low) and math.isfinite(init.high)):
        return "the bounds must be finite"
    if init.low > init.high or (init.low == init.high and not type_.is_float):
        return f"the upper bound {init.high} must be above the lower bound {init.low}"
    if type_.is_float and not type_.holds(init.high - init.low):
        return f"the range from {init.low} to {init.high} is too wide for {type_.name}"
    above = 0 if type_.is_float else 1
    return _unfit_number(init.low, type_) or _unfit_number(init.high - above, type_)


def _unfit_normal(init: Normal, type_: ElementType) -> str | None:
    if not type_.is_float:
        return f"a normal distribution needs a floating-point type, not {type_.name}"
    if not (math.isfinite(init.mean) and math.isfinite(init.deviation)):
        return "mean and standard deviation must be finite"
    if init.deviation < 0:
        return f"the standard deviation must not be negative: {init.deviation}"
    return _unfit_number(init.mean, type_) or _unfit_number(init.deviation, type_)


def _unfit_csr(init: Csr, type_: ElementType, count: int) -> str | None:
    part = init.part
    if min(init.rows, init.columns) < 1 or init.nnz_per_row < 0:
        return "a matrix needs rows and columns"
    if max(init.rows, init.columns) > _MAX_SIDE:
        return f"a matrix has at most {_MAX_SIDE} rows and columns"
    if init.nnz_per_row > init.columns:
        return f"{init.nnz_per_row} entries a row do not fit {init.columns} columns"
    if part is CsrPart.VALUES and not type_.is_float:
        return f"`values` needs a floating-point type, not {type_.name}"
    if part is not CsrPart.VALUES and (type_.is_float or type_.kind is ElementKind.BOOL):
        return f"`{part.value}` needs an integer type, not {type_.name}"
    if count != init.length:
        return f"`{part.value}` of this matrix has {init.length} elements, the buffer {count}"
    if part is CsrPart.VALUES:
        return None
    largest = init.entries if part is CsrPart.ROW_PTR else init.columns - 1
    return _unfit_number(largest, type_)
