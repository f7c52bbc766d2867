"""Whether an application can be written to files: what it holds, how it launches, how large."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, LimitError, Severity
from warpmill.analyzer.ir.kernel import Kernel, Module, Symbol, Variable, allocate_bytes
from warpmill.analyzer.ir.types import Space, TypeKind
from warpmill.analyzer.launch.check import check_launch
from warpmill.analyzer.launch.elements import ELEMENT_TYPES
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    RefArgument,
    TextureArgument,
)
from warpmill.codegen.emission.application import (
    BufferPointer,
    CloneApplication,
    CloneLaunch,
    CloneTexture,
)
from warpmill.codegen.emission.textures import check_textures, texture_bytes
from warpmill.codegen.targets import refused_on

STATIC_SHARED_BYTES = 48 << 10
"""Shared memory that ptxas lets a kernel declare; what goes beyond has to be dynamic."""

CONSTANT_BYTES = 64 << 10
"""Constants that ptxas lets a module declare."""

_TARGET = re.compile(r"sm_\d{2,3}[af]?")
_LINKAGE = frozenset({"visible", "extern", "weak"})
_MODULE_SPACES = (Space.GLOBAL, Space.CONST, Space.SHARED)
_KERNEL_SPACES = (Space.SHARED, Space.LOCAL)


@dataclass(frozen=True)
class EmissionLimits:
    """How large an application may be; the names of the flags that move each are in messages."""

    memory_bytes: int = 16 << 30
    launches: int = 20_000
    instructions: int = 500_000


def check(app: CloneApplication, limits: EmissionLimits) -> None:
    """See that all of ``app`` can be written. InputError with all that is wrong, or LimitError."""
    problems = [
        *_check_module(app.module),
        *_check_buffers(app),
        *check_textures(app),
        *_check_names(app),
    ]
    if problems:
        raise InputError(*problems)
    _check_limits(app, limits)
    for launch in app.launches:
        kernel = app.launched(launch)
        check_launch(_as_launch(app, launch), app.module, kernel)


def _check_limits(app: CloneApplication, limits: EmissionLimits) -> None:
    memory_bytes = sum(b.size_bytes for b in app.buffers) + texture_bytes(app)
    for size, limit, what, flag in (
        (memory_bytes, limits.memory_bytes, "bytes", "--max-memory"),
        (app.launch_count, limits.launches, "launches", "--max-launches"),
        (
            sum(k.instruction_count for k in app.module.kernels),
            limits.instructions,
            "instructions",
            "--max-clone-instructions",
        ),
    ):
        if size > limit:
            words = f"the clone has {size} {what}, more than the limit of {limit}"
            hint = f"{flag} moves the limit"
            raise LimitError(Diagnostic(Severity.ERROR, words, hint=hint))


def _check_module(module: Module) -> Iterator[str]:
    if _TARGET.fullmatch(module.target) is None:
        yield f"a clone is for a target such as sm_80, not `{module.target}`"
    if module.address_bits != 64:
        yield f"a clone has addresses of 64 bits, not {module.address_bits}"
    if not module.kernels:
        yield "a clone has at least one kernel"
    if module.functions or module.declarations:
        yield "a clone has no functions beside its kernels"
    if module.attributes:
        yield f"a clone's module has no attributes: {', '.join(module.attributes)}"
    for variable in module.variables:
        yield from _check_variable(variable, _MODULE_SPACES, "the module")
    constants = allocate_bytes(v for v in module.variables if v.space is Space.CONST)
    if constants > CONSTANT_BYTES:
        yield f"the module declares {constants} bytes of constants; {CONSTANT_BYTES} may be"
    for kernel in module.kernels:
        yield from _check_kernel(kernel)
        yield from _check_opcodes(kernel, module.target)


def _check_opcodes(kernel: Kernel, chip: str) -> Iterator[str]:
    """See that a kernel's chip has all that the kernel executes."""
    for opcode in dict.fromkeys(i.operation.opcode for i in kernel.instructions):
        first = refused_on(opcode, chip)
        if first is not None:
            yield f"`{opcode}` of `{kernel.name}` needs {first} or later; the clone is for {chip}"


def _check_kernel(kernel: Kernel) -> Iterator[str]:
    name = kernel.name
    for parameter in kernel.parameters:
        is_scalar = parameter.size_bytes == parameter.type.size_bytes
        if not is_scalar or parameter.type.kind in (TypeKind.OPAQUE, TypeKind.PREDICATE):
            yield f"parameter `{parameter.name}` of `{name}` is no number and no pointer"
        if parameter.register is not None:
            yield f"parameter `{parameter.name}` of `{name}` stands in a register"
    for word in kernel.attributes:
        if word not in _LINKAGE:
            yield f"`{name}` has the attribute `{word}`, which CUDA has no word for here"
    for variable in kernel.variables:
        yield from _check_variable(variable, _KERNEL_SPACES, f"`{name}`")
    shared = allocate_bytes(v for v in kernel.variables if v.space is Space.SHARED)
    if shared > STATIC_SHARED_BYTES:
        words = f"`{name}` declares {shared} bytes of shared memory, of which"
        yield f"{words} {STATIC_SHARED_BYTES} may be static"


def _check_variable(variable: Variable, spaces: tuple[Space, ...], where: str) -> Iterator[str]:
    name = variable.name
    if variable.space not in spaces or variable.type.kind is TypeKind.OPAQUE:
        yield f"variable `{name}` of {where} lies in a space that a clone does not have there"
    if any(word not in _LINKAGE for word in variable.attributes):
        yield f"variable `{name}` of {where} has attributes that a clone does not have"
    if any(isinstance(value, Symbol) for value in variable.initialiser or ()):
        yield f"variable `{name}` of {where} is initialised with an address"
    is_dynamic = variable.size_bytes is None
    if is_dynamic and (variable.space is not Space.SHARED or spaces is _KERNEL_SPACES):
        yield f"variable `{name}` of {where} has no size"


def _check_buffers(app: CloneApplication) -> Iterator[str]:
    for buffer in app.buffers:
        if buffer.element not in ELEMENT_TYPES:
            yield f"buffer `{buffer.name}` has elements `{buffer.element}`, which is no type"
        if buffer.elements < 1:
            yield f"buffer `{buffer.name}` has {buffer.elements} elements"


def _check_names(app: CloneApplication) -> Iterator[str]:
    """See that names are there once, and that what launches name is there."""
    module = app.module
    yield from _twice("kernel", [k.name for k in module.kernels])
    yield from _twice("variable", [v.name for v in module.variables])
    yield from _twice("buffer", [b.name for b in app.buffers])
    kernels = {kernel.name for kernel in module.kernels}
    buffers = {b.name: b for b in app.buffers if b.element in ELEMENT_TYPES}
    for number, launch in enumerate(app.launches, 1):
        if launch.kernel not in kernels:
            yield f"launch {number} is of `{launch.kernel}`, which is not there"
        if launch.repeats < 1:
            yield f"launch {number} is repeated {launch.repeats} times"
        for argument in launch.arguments:
            if isinstance(argument, BufferPointer):
                buffer = buffers.get(argument.buffer)
                if buffer is None:
                    yield f"launch {number} names buffer `{argument.buffer}`, which is not there"
                elif not _is_element(argument.offset_bytes, buffer.size_bytes, buffer.element):
                    words = f"launch {number} points {argument.offset_bytes} bytes into"
                    yield f"{words} `{buffer.name}`, where no element of it begins"


def _is_element(offset: int, size_bytes: int, element: str) -> bool:
    return 0 <= offset < size_bytes and offset % ELEMENT_TYPES[element].size_bytes == 0


def _twice(what: str, names: Iterable[str]) -> Iterator[str]:
    for name, count in Counter(names).items():
        if count > 1:
            yield f"{what} `{name}` is there {count} times"


def _texture(texture: CloneTexture) -> TextureArgument:
    return TextureArgument(
        texture.element, texture.shape, filter=texture.filter, channels=texture.channels
    )


def _as_launch(app: CloneApplication, launch: CloneLaunch) -> Launch:
    arguments: list[Argument] = []
    for argument in launch.arguments:
        if isinstance(argument, BufferPointer):
            buffer = app.buffer(argument.buffer)
            whole = BufferArgument(buffer.element, (buffer.elements,), name=buffer.name)
            arguments.append(RefArgument(whole, argument.offset_bytes))
        elif isinstance(argument, CloneTexture):
            arguments.append(_texture(argument))
        else:
            arguments.append(argument)
    return Launch(
        kernel=launch.kernel,
        module=Path(f"{app.name}.ptx"),
        grid=launch.grid,
        block=launch.block,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        arguments=tuple(arguments),
    )
