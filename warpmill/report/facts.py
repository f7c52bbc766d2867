"""Facts of a kernel and its launch that several reports hold: names, places, sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.base.diagnostics import DebugLocation, Diagnostic, Span, WarpmillError
from warpmill.analyzer.base.diagnostics import SourcePlace as SourcePlace  # noqa: PLC0414 - for others
from warpmill.analyzer.base.metric import INTERNAL, Mark, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import FileFormat, LoadedModule
from warpmill.analyzer.ir.kernel import Block, Instruction, Kernel
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    Initialiser,
    Launch,
    LaunchPlace,
    NullArgument,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
)


@dataclass(frozen=True)
class Remark:
    """A warning or a note about an input."""

    diagnostic: Annotated[Diagnostic, INTERNAL]
    loaded: Annotated[LoadedModule, INTERNAL]

    @derived("Severity")
    def severity(self) -> str:
        """Whether it is a warning or a note."""
        return self.diagnostic.severity.value

    @derived("Message")
    def message(self) -> str:
        """Text of the remark."""
        return self.diagnostic.message

    @derived("Location")
    def place(self) -> SourcePlace | None:
        """Place in the input; null where it is about no line."""
        span = self.diagnostic.span
        return None if span is None else place_of(self.loaded, span)


@dataclass(frozen=True)
class NotSimulated:
    """A machine without a simulation, and why."""

    machine: str
    reason: str

    def __str__(self) -> str:
        return f"not simulated on {self.machine}: {self.reason}"


def not_simulated(failures: Mapping[str, WarpmillError]) -> tuple[NotSimulated, ...]:
    """The machines that launches failed on, with reasons."""
    return tuple(
        NotSimulated(machine, "; ".join(d.message for d in error.diagnostics))
        for machine, error in failures.items()
    )


@dataclass(frozen=True)
class KernelIdentity:
    """Which kernel it is, and what it was compiled for."""

    mark: ClassVar[Mark] = Mark.EXACT

    loaded: Annotated[LoadedModule, INTERNAL]
    kernel: Annotated[Kernel, INTERNAL]
    names: Annotated[tuple[str, ...], INTERNAL]

    @derived("Mangled name")
    def name(self) -> str:
        """The kernel's name as the file has it."""
        return self.kernel.name

    @derived("Kernel")
    def demangled(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.kernel.name)

    @derived("File")
    def file(self) -> str:
        """The file that has the kernel's code."""
        return self.loaded.path

    @derived("Format")
    def format(self) -> str:
        """PTX, or the form of LLVM's IR."""
        return self.loaded.format.value

    @derived("Compilation")
    def compiled_by(self) -> str | None:
        """Compiler of a source, its version and options; null of other files."""
        return None if self.loaded.compiled is None else self.loaded.compiled.by

    @derived("Target")
    def target(self) -> str:
        """Target that the module was compiled for."""
        return self.loaded.module.target

    @derived("Language version")
    def language_version(self) -> str:
        """The version of PTX or of LLVM's IR."""
        return self.loaded.module.version

    @derived("Warp size", "thread")
    def warp_size(self) -> int:
        """Lanes of a warp."""
        return self.loaded.module.warp_size

    @derived("Address size", "bit")
    def address_bits(self) -> int:
        """Bits of an address."""
        return self.loaded.module.address_bits

    @derived("Location")
    def place(self) -> SourcePlace:
        """Place of the kernel in its input."""
        return place_of(self.loaded, self.kernel.span)

    @derived("Kernels of the file")
    def kernels_in_file(self) -> tuple[str, ...]:
        """The kernels of the file, demangled."""
        return tuple(map(demangle, self.names))


@dataclass(frozen=True)
class ArgumentFacts:
    """One argument in words, and the bytes of the buffers that it makes."""

    parameter: str
    argument: Annotated[Argument, INTERNAL]

    @derived("Kind")
    def kind(self) -> str:
        """A type of numbers, buffer, texture, reference, struct or null."""
        return _words(self.argument)[0]

    @derived("Value")
    def value(self) -> str:
        """Value of the argument, in words."""
        return _words(self.argument)[1]

    @derived("Buffer size", "B")
    def buffer_bytes(self) -> int:
        """Bytes of the buffers that the argument makes."""
        if isinstance(self.argument, StructArgument):
            return sum(f.bytes for f in self.argument.fields if isinstance(f, BufferArgument))
        if isinstance(self.argument, BufferArgument | TextureArgument):
            return self.argument.bytes
        return 0


@dataclass(frozen=True)
class LaunchFacts:
    """How the kernel is launched."""

    mark: ClassVar[Mark] = Mark.EXACT

    launch: Annotated[Launch, INTERNAL]
    kernel: Annotated[Kernel, INTERNAL]

    @derived("Launch")
    def name(self) -> str:
        """The launch's name."""
        return self.launch.name

    @derived("Launch file")
    def file(self) -> str | None:
        """The launch file, or the program, recording or workload that made the launch."""
        return self.launch.file

    @derived("Grid size", "CTA")
    def grid(self) -> tuple[int, int, int]:
        """CTAs in x, y and z."""
        return self.launch.grid

    @derived("Block size", "thread")
    def block(self) -> tuple[int, int, int]:
        """Threads of a CTA in x, y and z."""
        return self.launch.block

    @derived("CTAs", "CTA")
    def ctas(self) -> int:
        """CTAs of the grid."""
        return self.launch.cta_count

    @derived("Threads per CTA", "thread")
    def threads_per_cta(self) -> int:
        """Threads of one CTA."""
        return self.launch.threads_per_cta

    @derived("Dynamic shared memory per CTA", "B")
    def dynamic_shared_bytes(self) -> int:
        """Shared memory that the launch asks for, beside what the kernel declares."""
        return self.launch.dynamic_shared_bytes

    @derived("Sizes")
    def sizes(self) -> Mapping[str, int]:
        """The named sizes of the launch file."""
        return dict(self.launch.sizes)

    @derived("Arguments")
    def arguments(self) -> tuple[ArgumentFacts, ...]:
        """The arguments by parameter."""
        pairs = zip(self.kernel.parameters, self.launch.arguments, strict=True)
        return tuple(ArgumentFacts(parameter.name, argument) for parameter, argument in pairs)

    @derived("Application launch")
    def place(self) -> LaunchPlace | None:
        """Which of an application's launches it is; null where no application made it."""
        return self.launch.place


def place_of(loaded: LoadedModule, span: Span, debug: DebugLocation | None = None) -> SourcePlace:
    """The compiled source's line where the compiler recorded one, else the input's."""
    if debug is not None and debug.line:
        return debug.place
    if loaded.compiled is not None:
        return span.place(loaded.source.name, "input")
    of: Literal["input", "printed bitcode"] = (
        "printed bitcode"
        if loaded.source.derived and loaded.format is not FileFormat.PTX
        else "input"
    )
    return span.place(loaded.path, of)


def instruction_place(loaded: LoadedModule, instruction: Instruction) -> SourcePlace:
    """Place of an instruction."""
    return place_of(loaded, instruction.span, instruction.debug)


def block_place(loaded: LoadedModule, block: Block) -> SourcePlace | None:
    """Place of a block's start; None for one without instructions."""
    first = next((i for i in block.instructions if i.debug is not None and i.debug.line), None)
    first = first or next(iter(block.instructions), None)
    return None if first is None else instruction_place(loaded, first)


def kernel_place(loaded: LoadedModule, kernel: Kernel) -> SourcePlace:
    """Place of a kernel in its input."""
    return place_of(loaded, kernel.span)


def first_source_place(loaded: LoadedModule, kernel: Kernel) -> SourcePlace | None:
    """First line of the source of a kernel; None where the input has no debug lines."""
    found = (i for i in kernel.instructions if i.debug is not None and i.debug.line)
    first = next(found, None)
    return None if first is None else place_of(loaded, first.span, first.debug)


def kernel_facts(loaded: LoadedModule, kernel: Kernel, names: Sequence[str]) -> KernelIdentity:
    """Which kernel it is; ``names`` are all kernels of its file."""
    return KernelIdentity(loaded, kernel, tuple(names))


def launch_facts(launch: Launch, kernel: Kernel) -> LaunchFacts:
    """How a kernel is launched."""
    return LaunchFacts(launch, kernel)


def remarks(diagnostics: Sequence[Diagnostic], loaded: LoadedModule) -> list[Remark]:
    """Remarks of a front-end about an input."""
    return [Remark(one, loaded) for one in diagnostics]


def _words(argument: Argument) -> tuple[str, str]:
    """The kind of an argument and what it holds."""
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
