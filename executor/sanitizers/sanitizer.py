"""A device's sanitizer: watches launches, and reads what callbacks noted into findings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Protocol, cast

from warpmill.analyzer.base.diagnostics import Severity, Source
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import ravel_index
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.faults import ExecutionFault, Fault, hint_of
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.sanitizers.callbacks import SYMBOLS, provide
from warpmill.executor.sanitizers.findings import (
    Finding,
    FindingKind,
    FoundAccess,
    Tool,
    Tools,
)
from warpmill.executor.sanitizers.watch import LaunchWatch

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel
    from warpmill.executor.context import Grid
    from warpmill.executor.independence.affine import LaunchNumbers


class ToolModule(Protocol):
    """A tool: the module of this folder that has its name, with its callbacks."""

    TOOL: Tool

    def begin(self, watch: LaunchWatch) -> None:
        """Make room for what is kept of a launch."""

    def not_modelled(self, watch: LaunchWatch) -> tuple[str, ...]:
        """What a launch did that the tool does not know the meaning of, in words."""

    def finding(self, watch: LaunchWatch, row: Any) -> Finding | None:
        """The finding of a row of the table; None where it is another tool's."""


def _modules() -> Iterator[ToolModule]:
    """The tools of this folder, in the order of ``Tool``."""
    folder = str(Path(__file__).parent)
    names = {one.name for one in iter_modules([folder])}
    for tool in Tool:
        if tool in names:
            yield cast(ToolModule, import_module(f"warpmill.executor.sanitizers.{tool}"))


TOOLS = tuple(_modules())

FAULTS = {
    FaultKind.DIVERGENT_BARRIER: (Tool.SYNCCHECK, FindingKind.DIVERGENT_BARRIER),
    FaultKind.BARRIER_DEADLOCK: (Tool.SYNCCHECK, FindingKind.DEADLOCK),
    FaultKind.SPIN: (Tool.SYNCCHECK, FindingKind.DEADLOCK),
    FaultKind.BARRIER_NUMBER: (Tool.SYNCCHECK, FindingKind.BARRIER_NUMBER),
    FaultKind.STACK: (Tool.MEMCHECK, FindingKind.STACK),
    FaultKind.TEXTURE: (Tool.MEMCHECK, FindingKind.NO_OBJECT),
}
"""Tool and kind of the faults that end a launch; of all others memcheck and ABORTED."""


def provide_all() -> None:
    """Compile the callbacks of all tools, or load them as they were kept."""
    for name in SYMBOLS:
        provide(name)


@dataclass
class Sanitizer:
    """The findings of all launches of a device, in their order, by the tools that were asked for.

    ``lost`` counts findings beyond those that a launch keeps, ``not_checked`` are words for what
    was executed that a tool does not model, each once.
    """

    tools: Tools
    findings: list[Finding] = field(default_factory=list)
    lost: int = 0
    launches: int = 0
    not_checked: list[str] = field(default_factory=list)
    _kernel: str = ""

    def __post_init__(self) -> None:
        provide_all()

    @contextmanager
    def watching(
        self,
        compiled: CompiledKernel,
        grid: Grid,
        memory: DeviceMemory,
        source: Source,
        facts: LaunchNumbers,
    ) -> Iterator[int]:
        """Watch the launch that runs meanwhile; gives the address that its code is to know.

        What is found is read at the end, and the fault that ends the launch, if any, is among it.
        """
        watch = LaunchWatch(self.launches, compiled, grid, memory, source, facts)
        self._kernel = compiled.kernel.name
        self.launches += 1
        for tool in TOOLS:
            if tool.TOOL in self.tools:
                tool.begin(watch)
        fault: Fault | None = None
        try:
            yield watch.address
        except ExecutionFault as error:
            fault = error.fault
            raise
        finally:
            self.findings += self._found(watch)
            self.lost += watch.log.lost
            self._note_unchecked(watch)
            if fault is not None:
                self.findings.append(_of_fault(watch, fault))

    def note_results(self, memory: DeviceMemory, address: int, size: int) -> None:
        """Look at memory that a program takes for its results, once something was launched."""
        if Tool.INITCHECK in self.tools and self.launches:
            self.findings += _of_results(self._kernel, self.launches - 1, memory, address, size)

    def _note_unchecked(self, watch: LaunchWatch) -> None:
        """Note what of a launch was not checked."""
        for tool in TOOLS:
            if tool.TOOL in self.tools:
                for text in tool.not_modelled(watch):
                    words = f"{tool.TOOL}: {text} in {watch.compiled.kernel.name}"
                    if words not in self.not_checked:
                        self.not_checked.append(words)

    @staticmethod
    def _found(watch: LaunchWatch) -> list[Finding]:
        found = []
        for row in watch.log.found:
            for tool in TOOLS:
                one = tool.finding(watch, row)
                if one is not None:
                    found.append(one)
        return found


def _of_fault(watch: LaunchWatch, fault: Fault) -> Finding:
    """The finding that a fault is which ended a launch."""
    tool, kind = FAULTS.get(fault.kind, (Tool.MEMCHECK, FindingKind.ABORTED))
    places = list(_places(watch, fault))
    return Finding(
        tool=tool,
        kind=kind,
        severity=Severity.ERROR,
        kernel=fault.kernel,
        launch=watch.number,
        message=fault.message,
        access=places[0] if places else None,
        other=places[1] if len(places) > 1 else None,
        space=fault.space,
        address=fault.address,
        nearest=fault.nearest,
        details=fault.waits,
        hint=hint_of(fault.kind),
    )


def _places(watch: LaunchWatch, fault: Fault) -> Iterator[FoundAccess]:
    """The places of a fault: where it happened, or each at which warps wait."""
    if fault.cta is None:
        return
    cta = ravel_index(fault.cta, watch.grid.grid)
    if fault.instruction is not None and fault.thread is not None:
        thread = ravel_index(fault.thread, watch.grid.block)
        yield watch.event("event", fault.instruction, cta, thread, bytes_=fault.access_bytes)
    told = set()
    for one in fault.waiting:
        if one.instruction is not None and one.instruction not in told:
            told.add(one.instruction)
            yield watch.event("wait", one.instruction, cta, one.warp * watch.compiled.lanes)


def _of_results(
    kernel: str, launch: int, memory: DeviceMemory, address: int, size: int
) -> Iterator[Finding]:
    """The finding that a program takes undefined bytes for its results, after a launch.

    What was computed from undefined bytes is told where it was stored.
    """
    places = memory.undefined(address, size)
    if not places.size:
        return
    first = address + int(places[0])
    yield Finding(
        tool=Tool.INITCHECK,
        kind=FindingKind.UNDEFINED_RESULT,
        severity=Severity.WARNING,
        kernel=kernel,
        launch=launch,
        message=f"the program takes {size:,} B for its results, of which nothing has written "
        f"{places.size:,} B, from {memory.nearest(first)}",
        space=Space.GLOBAL,
        address=first,
        hint="launch threads for all of it, or take the part that they store to",
        nearest=memory.nearest(first),
    )
