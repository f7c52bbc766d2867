"""The executor as a device: memory of this computer, kernels compiled for its CPU.

``HashingBackend`` also notes what the memory holds after each launch, to compare two runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import (
    Diagnostic,
    InputError,
    LimitError,
    Source,
    UsageError,
)
from warpmill.analyzer.frontends.load import LoadedModule
from warpmill.analyzer.ir.call_rewriting import function_addresses
from warpmill.analyzer.ir.externs import undefined_uses
from warpmill.analyzer.ir.kernel import Kernel, Module, Symbol, Variable
from warpmill.analyzer.ir.types import Space
from warpmill.executor.context import initial_bytes
from warpmill.executor.cta_runs import MOST_RESIDENT
from warpmill.executor.device_memory import DEFAULT_MAX_BYTES, DeviceMemory
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.host.backend import (
    Bytes,
    LaunchOutcome,
    LaunchRequest,
    TextureSpec,
    is_cooperative,
)
from warpmill.executor.host.recording import content_hash
from warpmill.executor.host.texture_objects import TextureRows, sampler_of
from warpmill.executor.native.specials import GRID_WORKSPACE, GRID_WORKSPACE_BYTES
from warpmill.executor.sanitizers.findings import Tool

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel, CompileOptions
    from warpmill.executor.cta_tracing import PreparedLaunch
    from warpmill.executor.launching import Execution
    from warpmill.executor.sanitizers.sanitizer import Sanitizer


HANDLE_BYTES = 8
"""Bytes of a reference to a texture, surface or sampler."""

Progress = Callable[[int, int], None]
"""Callback with the CTAs that are done, and CTAs of the grid."""


Schedule = Literal["ipdom", "its"]
"""How lanes of a warp go on that have parted: to their meeting point, or independently."""


@dataclass(frozen=True)
class CpuOptions:
    """How kernels are executed. None: no limit.

    Instructions are those of threads, seconds those of execution, both of all launches together;
    with ``resident_ctas`` above 1 so many CTAs run at the same time, taking turns. ``sanitizer``
    watches all launches, and has its findings. ``schedule`` is ``its`` where lanes of a warp are
    scheduled independently. ``order`` above 0 is a seed of the order in which warps and CTAs run.
    """

    max_memory_bytes: int = DEFAULT_MAX_BYTES
    max_instructions: int | None = None
    max_seconds: float | None = None
    workers: int = 1
    resident_ctas: int = 1
    progress: Progress | None = None
    sanitizer: Sanitizer | None = None
    schedule: Schedule = "ipdom"
    order: int = 0

    def __post_init__(self) -> None:
        for name in ("workers", "resident_ctas"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} must be at least 1, not {getattr(self, name)}")


class Instrument(Protocol):
    """Instrumentation compiled into kernels, which is notified of their launches."""

    def options(self, plain: CompileOptions) -> CompileOptions:
        """The options that kernels are compiled with."""

    def begin(
        self, request: LaunchRequest, compiled: CompiledKernel
    ) -> Callable[[npt.NDArray[Any]], None] | None:
        """Hear of a launch that is about to run; gives what takes what its warps write down."""

    def end(self, request: LaunchRequest, compiled: CompiledKernel, execution: Execution) -> None:
        """Hear what a launch has done."""


class _Recording:
    """Instrument that has everything written down, and hears nothing."""

    def options(self, plain: CompileOptions) -> CompileOptions:
        """Options with events and addresses; guards are counted, as they are written down."""
        return replace(plain, record_events=True)

    def begin(self, request: LaunchRequest, compiled: CompiledKernel) -> None:
        """Take nothing."""

    def end(self, request: LaunchRequest, compiled: CompiledKernel, execution: Execution) -> None:
        """Take nothing."""


RECORDING = _Recording()
"""Instrumentation of kernels whose events are wanted."""


class KernelRunner:
    """Compiler and runner of kernels. Loaded when the first kernel is launched."""

    def __init__(self, sanitizer: Sanitizer | None = None, schedule: Schedule = "ipdom") -> None:
        self._sanitizer = sanitizer
        self._is_independent = schedule == "its"

    def compile(
        self,
        module: Module,
        kernel: Kernel,
        *,
        instrument: Instrument | None = None,
    ) -> CompiledKernel:
        """Compile a kernel for this CPU. InputError, located, for what cannot run."""
        from warpmill.executor.compile import (  # noqa: PLC0415 - LLVM is slow to load
            COMPILED,
            CompileOptions,
        )

        tools = frozenset[Tool]() if self._sanitizer is None else self._sanitizer.tools
        plain = CompileOptions(independent_lanes=self._is_independent, tools=tools)
        options = plain if instrument is None else instrument.options(plain)
        return COMPILED.of(module, kernel, options)

    def execute(
        self,
        compiled: CompiledKernel,
        memory: DeviceMemory,
        request: LaunchRequest,
        constants: Bytes,
        symbols: list[int],
        textures: npt.NDArray[Any] | None,
        limits: CpuOptions,
        on_words: Callable[[npt.NDArray[Any]], None] | None = None,
    ) -> Execution:
        """Run a launch to its end."""
        from warpmill.executor import launching  # noqa: PLC0415 - LLVM is slow to load
        from warpmill.executor.independence.affine import LaunchNumbers  # noqa: PLC0415

        grid = launching.Grid(request.grid, request.block, request.dynamic_shared_bytes)
        watched: AbstractContextManager[int] = nullcontext(0)
        if self._sanitizer is not None:
            facts = LaunchNumbers(
                request.grid,
                request.block,
                request.params,
                dict(zip(compiled.global_names, symbols, strict=True)),
            )
            watched = self._sanitizer.watching(compiled, grid, memory, request.loaded.source, facts)
        with watched as address:
            return launching.execute(
                compiled,
                memory,
                grid,
                request.params,
                launching.Bindings(constants, symbols, textures),
                launching.RunLimits(
                    limits.max_instructions, limits.max_seconds, limits.max_memory_bytes
                ),
                launching.RunMode(
                    limits.workers,
                    limits.progress,
                    limits.resident_ctas,
                    on_words,
                    address,
                    limits.order,
                ),
            )


@dataclass
class _Variables:
    """A module's variables that have memory: their addresses by name.

    ``given`` are those that the host has asked for, to set or to read them.
    """

    addresses: dict[str, int] = field(default_factory=dict)
    given: set[str] = field(default_factory=set)


class CpuBackend:
    """Device memory and kernels on this computer. Streams run in the order of the program.

    ``instrument`` observes launches from when it is set until it is None again.
    """

    name = "cpu"
    instrument: Instrument | None = None

    def __init__(
        self, options: CpuOptions | None = None, engine: KernelRunner | None = None
    ) -> None:
        self.options = options or CpuOptions()
        sanitizer = self.options.sanitizer
        tools = frozenset[Tool]() if sanitizer is None else sanitizer.tools
        self.memory = DeviceMemory(
            self.options.max_memory_bytes,
            has_shadow=Tool.INITCHECK in tools,
            is_spread=Tool.MEMCHECK in tools,
        )
        self._engine = engine or KernelRunner(self.options.sanitizer, self.options.schedule)
        self._compiled: dict[tuple[int, str, Instrument | None], CompiledKernel] = {}
        self._cooperative: set[tuple[int, str]] = set()  # those that meet as a whole grid
        self._variables: dict[int, _Variables] = {}
        self._textures = TextureRows(self.memory)
        self._instructions = 0
        self._seconds = 0.0
        self._streams = self._events = 0

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:
        """New memory, which is zero; what was not asked to be counts as undefined."""
        return self.memory.allocate(size, name, is_defined=zeroed)

    def free(self, address: int) -> None:
        """Free the memory at an address."""
        self.memory.free(address)

    def write(self, address: int, data: Bytes, stream: int) -> None:  # noqa: ARG002 - in order
        """Copy to the device."""
        self._view(address, data.size)[:] = data
        self.memory.define(address, data.size)

    def read(self, address: int, size: int, stream: int) -> Bytes:  # noqa: ARG002 - in order
        """Copy from the device."""
        return self._view(address, size).copy()

    def note_results(self, address: int, size: int) -> None:
        """Let the sanitizer look at what a program takes for its results."""
        if self.options.sanitizer is not None:
            self.options.sanitizer.note_results(self.memory, address, size)

    def copy(self, address: int, source: int, size: int, stream: int) -> None:  # noqa: ARG002 - in order
        """Copy on the device; the pieces may overlap."""
        self._view(address, size)[:] = self._view(source, size)
        self.memory.copy_shadow(address, source, size)

    def fill(self, address: int, value: int, size: int, stream: int) -> None:  # noqa: ARG002 - in order
        """Set bytes."""
        self._view(address, size)[:] = value
        self.memory.define(address, size)

    def _view(self, address: int, size: int) -> Bytes:
        try:
            return self.memory.view(address, size)
        except IndexError as error:
            raise UsageError(str(error)) from None

    def symbol(self, module: int, loaded: LoadedModule, variable: Variable) -> int:
        """Address of a variable on the host. One that is defined elsewhere is the host's to fill.

        A constant variable has memory of its own, which launches copy to where kernels read it.
        """
        self._variables.setdefault(module, _Variables()).given.add(variable.name)
        return self._address(module, loaded, variable)

    def _address(self, module: int, loaded: LoadedModule, variable: Variable) -> int:
        """A variable memory when it is first asked for, and what it is initialised with."""
        addresses = self._variables.setdefault(module, _Variables()).addresses
        if variable.name not in addresses:
            size = variable.size_bytes or 0
            addresses[variable.name] = self.memory.allocate(size, variable.name)
            self._initialise(module, loaded, variable)
        return addresses[variable.name]

    def _initialise(self, module: int, loaded: LoadedModule, variable: Variable) -> None:
        if not variable.initialiser:
            return
        known = {v.name: v for v in loaded.module.variables if _has_memory(v)}
        named = [v.name for v in variable.initialiser if isinstance(v, Symbol)]
        found = function_addresses(loaded.module)
        for name in dict.fromkeys(n for n in named if n in known):
            found[name] = self._address(module, loaded, known[name])
        image = initial_bytes(variable, found, loaded.module.address_bits // 8)
        address = self._variables[module].addresses[variable.name]
        self.memory.view(address, image.size)[:] = image

    def texture(self, spec: TextureSpec, address: int, over: int | None) -> int:
        """Make a texture or surface of a copy of memory, or over that of another one."""
        data = self._view(address, spec.bytes) if over is None else None
        return self._textures.add(spec, data, over)

    def read_texture(self, handle: int) -> Bytes:
        """Copy an object's elements to the host."""
        return self._textures.read(handle)

    def copy_texture(self, handle: int, address: int, stream: int) -> None:
        """Copy an object's elements to device memory."""
        self.write(address, self._textures.read(handle), stream)

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Run a kernel to its end. InputError where it needs what nothing has defined."""
        self._check_defined(request)
        instrument = self.instrument
        compiled = self._compile(request, instrument)
        on_words = None if instrument is None else instrument.begin(request, compiled)
        limits = self._limits_left()
        if self._is_cooperative(request):
            self._clear_grid_workspace()
            together = min(math.prod(request.grid), MOST_RESIDENT)
            limits = replace(limits, resident_ctas=max(together, limits.resident_ctas))
        with self.explaining(request):
            execution = self._engine.execute(
                compiled,
                self.memory,
                request,
                self._constants(compiled, request),
                self._symbols(compiled, request),
                self._textures.table(),
                limits,
                on_words,
            )
        if instrument is not None:
            instrument.end(request, compiled, execution)
        self._instructions += execution.thread_instructions
        self._seconds += execution.seconds
        return LaunchOutcome(
            warp_instructions=execution.warp_instructions,
            thread_instructions=execution.thread_instructions,
            ctas=execution.ctas,
            seconds=execution.seconds,
            printed=execution.printed,
            execution=execution,
        )

    def prepared(self, request: LaunchRequest) -> PreparedLaunch:
        """Make a launch ready to be traced instead of run: it works on this device's memory."""
        from warpmill.executor.cta_tracing import (  # noqa: PLC0415 - LLVM is slow to load
            PreparedLaunch,
        )
        from warpmill.executor.launching import Grid, RunLimits  # noqa: PLC0415 - as above

        self._check_defined(request)
        plain, recording = self._compile(request, None), self._compile(request, RECORDING)
        limits, cooperative = self._limits_left(), self._is_cooperative(request)
        if cooperative:
            self._clear_grid_workspace()
        return PreparedLaunch(
            plain,
            recording,
            self.memory,
            Grid(request.grid, request.block, request.dynamic_shared_bytes),
            request.params,
            self._constants(plain, request),
            tuple(self._symbols(plain, request)),
            self._textures.table(),
            RunLimits(limits.max_instructions, limits.max_seconds, limits.max_memory_bytes),
            max(limits.resident_ctas, MOST_RESIDENT if cooperative else 1),
        )

    def _check_defined(self, request: LaunchRequest) -> None:
        given = self._variables.setdefault(request.module, _Variables()).given
        uses = undefined_uses(request.loaded.module, request.kernel, frozenset(given))
        if uses:
            source = request.loaded.source
            raise InputError(*[_shown(use.diagnostic, source) for use in uses])

    def count_as_made(self, thread_instructions: int) -> None:
        """Count a launch among those made whose CTAs have all been traced."""
        self._instructions += thread_instructions

    def variable_addresses(self, request: LaunchRequest) -> dict[str, int]:
        """Addresses of the global variables that a kernel names."""
        names = self._compile(request, None).global_names
        known = {v.name: v for v in request.loaded.module.variables}
        return {n: self._address(request.module, request.loaded, known[n]) for n in names}

    def _is_cooperative(self, request: LaunchRequest) -> bool:
        return (request.module, request.kernel.name) in self._cooperative

    def _clear_grid_workspace(self) -> None:
        """Make the word for barriers of the grid, zero at a launch's start."""
        if self.memory.find(GRID_WORKSPACE) is None:
            self.memory.reserve(GRID_WORKSPACE, GRID_WORKSPACE_BYTES, "the workspace of the grid")
        self.memory.view(GRID_WORKSPACE, GRID_WORKSPACE_BYTES)[:] = 0

    def _compile(self, request: LaunchRequest, instrument: Instrument | None) -> CompiledKernel:
        key = (request.module, request.kernel.name, instrument)
        if key not in self._compiled:
            module, source = request.loaded.module, request.loaded.source
            begin = time.perf_counter()
            try:
                self._compiled[key] = self._engine.compile(
                    module, request.kernel, instrument=instrument
                )
            except InputError as error:
                raise InputError(*[_shown(d, source) for d in error.diagnostics]) from None
            self._seconds += time.perf_counter() - begin  # of --max-seconds
            if is_cooperative(request.kernel):
                self._cooperative.add(key[:2])
        return self._compiled[key]

    def _symbols(self, compiled: CompiledKernel, request: LaunchRequest) -> list[int]:
        """The addresses of global variables; of references what they are bound to."""
        known = {v.name: v for v in request.loaded.module.variables}
        found = []
        for name in compiled.global_names:
            address = self._address(request.module, request.loaded, known[name])
            if known[name].is_handle:
                held = self.memory.view(address, HANDLE_BYTES).view("u8")
                if not held[0] and (sampler := sampler_of(known[name])) is not None:
                    held[0] = self._textures.add(sampler, np.zeros(sampler.bytes, np.uint8), None)
                address = int(held[0])
            found.append(address)
        return found

    def _constants(self, compiled: CompiledKernel, request: LaunchRequest) -> Bytes:
        """The constant variables' bytes, with what the host has set since."""
        variables = request.loaded.module.variables
        named = {s.name for v in variables for s in v.initialiser or () if isinstance(s, Symbol)}
        addresses = function_addresses(request.loaded.module)
        addresses |= {
            v.name: self._address(request.module, request.loaded, v)
            for v in variables
            if _has_memory(v) and v.name in named
        }
        image = compiled.constant_image(addresses)
        given = self._variables.setdefault(request.module, _Variables()).addresses
        for variable in variables:
            offset = compiled.constant_offsets.get(variable.name)
            if variable.name in given and offset is not None:
                size = variable.size_bytes or 0
                image[offset : offset + size] = self.memory.view(given[variable.name], size)
        return image

    @property
    def memory_limit(self) -> int:
        """Bytes that the device's memory may have, and what its contents are made from."""
        return self.options.max_memory_bytes

    def _limits_left(self) -> CpuOptions:
        """Options with what earlier launches have left of the limits. LimitError."""
        options = self.options
        instructions, seconds = options.max_instructions, options.max_seconds
        if instructions is not None:
            instructions -= self._instructions
            if instructions <= 0:
                _over("--max-instructions", f"{options.max_instructions} thread instructions")
        if seconds is not None:
            seconds -= self._seconds
            if seconds <= 0:
                _over("--max-seconds", f"{options.max_seconds:g} seconds of execution")
        return replace(options, max_instructions=instructions, max_seconds=seconds)

    @contextmanager
    def explaining(self, request: LaunchRequest) -> Iterator[None]:
        """Add to a launch's fault what is known here: the nearest buffer, the input's line."""
        try:
            yield
        except ExecutionFault as fault:
            known, told = fault.fault, fault
            is_global = known.space in (None, Space.GLOBAL, Space.GENERIC)
            if known.address is not None and known.nearest is None and is_global:
                told = fault.near(self.memory.nearest(known.address))
            raise told.located(request.loaded.source) from None

    def stream(self) -> int:
        """The number of a new stream."""
        self._streams += 1
        return self._streams

    def event(self) -> int:
        """The number of a new event."""
        self._events += 1
        return self._events

    def record_event(self, event: int, stream: int) -> None:
        """Do nothing: all work before it is done."""

    def wait_event(self, event: int, stream: int) -> None:
        """Do nothing: all work before it is done."""

    def elapsed_ms(self, start: int, end: int) -> float | None:  # noqa: ARG002 - there is no GPU's clock
        """None: a GPU's time is not measured here."""
        return None

    def synchronize(self, stream: int | None) -> None:
        """Do nothing: all work is done."""

    def flush(self, stream: int | None) -> None:
        """Do nothing: no work waits."""


def _has_memory(variable: Variable) -> bool:
    return variable.space in (Space.GLOBAL, Space.CONST)


def _shown(diagnostic: Diagnostic, source: Source) -> Diagnostic:
    """Show the line that a diagnostic is about."""
    if diagnostic.span is None:
        return diagnostic
    line = source.line(diagnostic.span.line)
    return replace(diagnostic, file=source.name, excerpt=line)


def _over(flag: str, what: str) -> None:
    raise LimitError(f"{what} are used up by earlier launches; {flag} moves the limit")


# What the executor's memory holds, launch by launch, as hashes: two runs compared step by step.


@dataclass(frozen=True)
class LiveBuffer:
    """Memory that is allocated: where it lies, what it is called, the SHA-256 of its bytes."""

    address: int
    bytes: int
    name: str | None
    sha256: str


MemoryState = tuple[LiveBuffer, ...]
"""All allocations by ascending address."""


def memory_state(backend: CpuBackend) -> MemoryState:
    """Hash every live allocation: arrays, module variables, what textures and surfaces hold."""
    return tuple(
        LiveBuffer(a.address, a.bytes, a.name, content_hash(a.data))
        for a in backend.memory.allocations
    )


class HashingBackend(CpuBackend):
    """The executor, which hashes its memory after each launch, or after those that are chosen.

    ``states`` has them by the launch's number, from 0 in the order of launching. The executor gives
    the same addresses in every run, so that states of a program and of its replay are equal as
    they are.
    """

    def __init__(
        self, options: CpuOptions | None = None, chosen: Collection[int] | None = None
    ) -> None:
        super().__init__(options)
        self.states: dict[int, MemoryState] = {}
        self._chosen = None if chosen is None else frozenset(chosen)
        self._launched = 0

    def launch(self, request: LaunchRequest) -> LaunchOutcome:
        """Run a kernel to its end, and hash what it leaves."""
        counts = super().launch(request)
        if self._chosen is None or self._launched in self._chosen:
            self.states[self._launched] = memory_state(self)
        self._launched += 1
        return counts
