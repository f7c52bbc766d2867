"""A device's sanitizer: watches launches, and reads what callbacks noted into findings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import Severity, Source
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.faults import Dim3, ExecutionFault, Fault
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.sanitizers import memcheck, overflow, racecheck
from warpmill.executor.sanitizers.callbacks import SYMBOLS, provide
from warpmill.executor.sanitizers.findings import (
    Finding,
    FindingKind,
    FoundAccess,
    Tool,
    Tools,
)
from warpmill.executor.sanitizers.log import FindingLog
from warpmill.executor.sanitizers.racecheck import RaceWatch

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel
    from warpmill.executor.context import Grid

TOOLS = (memcheck, overflow, racecheck)
"""The modules of tools: their callbacks, and how their rows are read."""

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
class LaunchWatch:
    """What one launch is watched with; native code takes its address."""

    number: int
    compiled: CompiledKernel
    grid: Grid
    memory: DeviceMemory
    source: Source
    log: FindingLog = field(default_factory=FindingLog)
    races: RaceWatch | None = None

    def __post_init__(self) -> None:
        if Tool.RACECHECK in self.compiled.options.tools:
            self.races = RaceWatch.of(self.compiled, self.grid, self.memory)
            self.log.watch["races"] = self.races.address

    @property
    def address(self) -> int:
        """Address of the record that callbacks find everything from."""
        return self.log.address

    def cta_at(self, number: int) -> Dim3:
        """The place of a CTA in the grid."""
        return _place(number, self.grid.grid)

    def at(self, instruction: tuple[int, int]) -> dict[str, Any]:
        """What is to be said of where an instruction stands: fields of ``FoundAccess``."""
        block, place = instruction
        found = self.compiled.kernel.blocks[block].instructions[place]
        line = None if found.span is None else self.source.line(found.span.line)
        return {
            "instruction": instruction,
            "opcode": found.operation.opcode,
            "file": self.source.name,
            "span": found.span,
            "excerpt": line,
            "debug": found.debug,
        }

    def access(
        self,
        what: str,
        site: int,
        cta: int,
        thread: int,
        *,
        bytes_: int | None = None,
        value: int | None = None,
    ) -> FoundAccess:
        """An access or event by the numbers of its instruction, CTA and thread."""
        return FoundAccess(
            what=what,
            **self.at(self.compiled.lowered.sites[site]),
            cta=self.cta_at(cta),
            thread=_place(thread, self.grid.block),
            warp=thread // self.compiled.lanes,
            bytes=bytes_,
            value=value,
        )


def _place(number: int, sizes: Dim3) -> Dim3:
    return tuple(map(int, unravel_index(number, sizes)))  # type: ignore[return-value] # three of them


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

    def __post_init__(self) -> None:
        provide_all()

    @contextmanager
    def watching(
        self, compiled: CompiledKernel, grid: Grid, memory: DeviceMemory, source: Source
    ) -> Iterator[int]:
        """Watch the launch that runs meanwhile; gives the address that its code is to know.

        What is found is read at the end, and the fault that ends the launch, if any, is among it.
        """
        watch = LaunchWatch(self.launches, compiled, grid, memory, source)
        self.launches += 1
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
    access: FoundAccess | None = None
    if fault.instruction is not None and fault.cta is not None and fault.thread is not None:
        access = FoundAccess(
            what="event",
            **watch.at(fault.instruction),
            cta=fault.cta,
            thread=fault.thread,
            warp=fault.warp or 0,
            bytes=fault.access_bytes,
        )
    return Finding(
        tool=tool,
        kind=kind,
        severity=Severity.ERROR,
        kernel=fault.kernel,
        launch=watch.number,
        message=fault.message,
        access=access,
        space=fault.space,
        address=fault.address,
        nearest=fault.nearest,
    )
