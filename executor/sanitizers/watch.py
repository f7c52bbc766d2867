"""What a launch is watched with: the table of findings, what tools keep, and where things stand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.launch.numbering import unravel_index
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.sanitizers.findings import Dim3, FoundAccess, Tool
from warpmill.executor.sanitizers.log import FindingLog

if TYPE_CHECKING:
    from warpmill.executor.compile import CompiledKernel
    from warpmill.executor.context import Grid
    from warpmill.executor.independence.affine import LaunchNumbers


@dataclass
class LaunchWatch:
    """What one launch is watched with; native code takes its address.

    ``states`` are what tools keep of it.
    """

    number: int
    compiled: CompiledKernel
    grid: Grid
    memory: DeviceMemory
    source: Source
    facts: LaunchNumbers
    log: FindingLog = field(default_factory=FindingLog)
    states: dict[Tool, Any] = field(default_factory=dict)

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
        place = self.compiled.lowered.sites[site]
        return self.event(what, place, cta, thread, bytes_=bytes_, value=value)

    def event(
        self,
        what: str,
        instruction: tuple[int, int],
        cta: int,
        thread: int,
        *,
        bytes_: int | None = None,
        value: int | None = None,
    ) -> FoundAccess:
        """An access or event at an instruction, by the numbers of its CTA and thread."""
        return FoundAccess(
            what=what,
            **self.at(instruction),
            cta=self.cta_at(cta),
            thread=_place(thread, self.grid.block),
            warp=thread // self.compiled.lanes,
            bytes=bytes_,
            value=value,
        )


def _place(number: int, sizes: Dim3) -> Dim3:
    return tuple(map(int, unravel_index(number, sizes)))  # type: ignore[return-value] # three of them
