"""What several reports say of a kernel and its launch: names, places, sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from warpmill.analyzer.base.diagnostics import Diagnostic
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.base.source import DebugLocation, Span
from warpmill.analyzer.base.source import SourcePlace as SourcePlace  # noqa: PLC0414 - for others
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.ir.kernel import Block, Instruction, Kernel
from warpmill.analyzer.launch.initialisers import Initialiser
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Launch,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)
from warpmill.report.base import Id, Mark, Marks, Part, marks


class Remark(Part):
    """A warning or a note about an input."""

    severity: str
    message: str
    place: SourcePlace | None


class KernelIdentity(Part):
    """Which kernel it is, and what it was compiled for."""

    name: str
    demangled: str
    file: str
    format: str
    target: str
    language_version: str
    warp_size: int
    address_bits: int
    place: SourcePlace
    kernels_in_file: list[str]
    marks: Marks


class ArgumentFacts(Part):
    """One argument in words, and the bytes of the buffers that it makes."""

    parameter: str
    kind: str
    value: str
    buffer_bytes: int


class LaunchPlaceFacts(Part):
    """Which of an application's launches it is; ``of_kernel`` are those of the same kernel."""

    number: Id
    launches: int
    of_kernel: int


class LaunchFacts(Part):
    """How the kernel is launched. ``place`` is null where no application made the launch.

    ``file`` is the launch file, or the program, recording or workload that made the launch.
    """

    name: str
    file: str | None
    grid: list[int]
    block: list[int]
    ctas: int
    threads_per_cta: int
    dynamic_shared_bytes: int
    sizes: dict[str, int]
    arguments: list[ArgumentFacts]
    place: LaunchPlaceFacts | None
    marks: Marks


def place_of(loaded: LoadedModule, span: Span, debug: DebugLocation | None = None) -> SourcePlace:
    """Give the compiled source's line where the compiler recorded one, else the input's."""
    if debug is not None and debug.line:
        return SourcePlace(
            file=debug.file, line=debug.line, column=debug.column or None, of="source"
        )
    of: Literal["input", "printed bitcode"] = (
        "printed bitcode"
        if loaded.source.derived and loaded.format is not FileFormat.PTX
        else "input"
    )
    return SourcePlace(file=loaded.path, line=span.line, column=span.column, of=of)


def instruction_place(loaded: LoadedModule, instruction: Instruction) -> SourcePlace:
    """Tell where an instruction comes from."""
    return place_of(loaded, instruction.span, instruction.debug)


def block_place(loaded: LoadedModule, block: Block) -> SourcePlace | None:
    """Tell where a block starts; None for one without instructions."""
    first = next((i for i in block.instructions if i.debug is not None and i.debug.line), None)
    first = first or next(iter(block.instructions), None)
    return None if first is None else instruction_place(loaded, first)


def kernel_place(loaded: LoadedModule, kernel: Kernel) -> SourcePlace:
    """Tell where a kernel stands in its input."""
    return place_of(loaded, kernel.span)


def kernel_facts(loaded: LoadedModule, kernel: Kernel, names: Sequence[str]) -> KernelIdentity:
    """Say which kernel it is; ``names`` are all kernels of its file."""
    return KernelIdentity(
        name=kernel.name,
        demangled=demangle(kernel.name),
        file=loaded.path,
        format=loaded.format.value,
        target=loaded.module.target,
        language_version=loaded.module.version,
        warp_size=loaded.module.warp_size,
        address_bits=loaded.module.address_bits,
        place=kernel_place(loaded, kernel),
        kernels_in_file=[demangle(name) for name in names],
        marks=marks(KernelIdentity, Mark.EXACT),
    )


def launch_facts(launch: Launch, kernel: Kernel) -> LaunchFacts:
    """Say how a kernel is launched."""
    pairs = zip(kernel.parameters, launch.arguments, strict=True)
    return LaunchFacts(
        name=launch.name,
        file=launch.file,
        grid=list(launch.grid),
        block=list(launch.block),
        ctas=launch.cta_count,
        threads_per_cta=launch.threads_per_cta,
        dynamic_shared_bytes=launch.dynamic_shared_bytes,
        sizes=dict(launch.sizes),
        arguments=[_argument(parameter.name, argument) for parameter, argument in pairs],
        place=_launch_place(launch),
        marks=marks(LaunchFacts, Mark.EXACT),
    )


def _launch_place(launch: Launch) -> LaunchPlaceFacts | None:
    if launch.place is None:
        return None
    place = launch.place
    return LaunchPlaceFacts(number=place.number, launches=place.launches, of_kernel=place.of_kernel)


def remarks(diagnostics: Sequence[Diagnostic], loaded: LoadedModule) -> list[Remark]:
    """Turn diagnostics into data."""
    return [
        Remark(
            severity=d.severity.value,
            message=d.message,
            place=None if d.span is None else place_of(loaded, d.span),
        )
        for d in diagnostics
    ]


def _argument(parameter: str, argument: Argument) -> ArgumentFacts:
    kind, value = _words(argument)
    made = argument.bytes if isinstance(argument, BufferArgument | TextureArgument) else 0
    if isinstance(argument, StructArgument):
        made = sum(f.bytes for f in argument.fields if isinstance(f, BufferArgument))
    return ArgumentFacts(parameter=parameter, kind=kind, value=value, buffer_bytes=made)


def _words(argument: Argument) -> tuple[str, str]:
    """Give the kind of an argument and what it holds."""
    match argument:
        case ScalarArgument(type_name, value):
            return type_name, str(value)
        case BufferArgument():
            return "buffer", _array(argument.element, argument)
        case TextureArgument():
            return "texture", _array(argument.texel, argument)
        case RefArgument(buffer, offset):
            return "reference", f"{buffer.name or 'a buffer'} + {offset} B"
        case NullArgument():
            return "null", "0"
        case StructArgument(fields):
            return "struct", ", ".join(" ".join(_words(f)) for f in fields)


def _array(element: str, argument: BufferArgument | TextureArgument) -> str:
    shape = " x ".join(map(str, argument.shape))
    return f"{element}[{shape}] {_fill(argument.init)}"


def _fill(init: Initialiser) -> str:
    return type(init).__name__.lower()
