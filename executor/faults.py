"""Faults of a running kernel, with everything that is known of them, in words.

``report`` turns what generated code noted into a ``Fault``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import (
    DebugLocation,
    Diagnostic,
    Severity,
    Source,
    Span,
    WarpmillError,
)
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.base.whole_files import most_stack
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.numbering import (
    GLOBAL_BASE,
    SHARED_WINDOW,
    WINDOW_BYTES,
    WINDOWS,
    unravel_index,
)
from warpmill.executor.compile import CompiledKernel
from warpmill.executor.device_memory import DeviceMemory
from warpmill.executor.native.layout import FaultKind
from warpmill.executor.native.segments import ENDED, WAITING, WARP
from warpmill.executor.native.translation import NOWHERE

Dim3 = tuple[int, int, int]

_MOST_WAITING = 8

_WORDS = {
    FaultKind.OUT_OF_BOUNDS: "{access} is out of bounds",
    FaultKind.MISALIGNED: "{access} is misaligned",
    FaultKind.NULL: "{access} goes through a null pointer",
    FaultKind.DIVERGENT_BARRIER: "a barrier is reached by a part of the warp only",
    FaultKind.BARRIER_DEADLOCK: "the CTA waits at barriers for ever",
    FaultKind.SPIN: "the warps go round a loop for ever, and nothing changes",
    FaultKind.TRAP: "the kernel traps",
    FaultKind.ASSERTION: "an assertion failed",
    FaultKind.READ_ONLY: "{access} writes to constant memory or to parameters",
    FaultKind.NO_FUNCTION: "a call goes to {address}, which is no function that the call can be of",
    FaultKind.STACK: "the stack of a thread is full",
    FaultKind.TEXTURE: "there is no texture or surface with this handle",
    FaultKind.BARRIER_NUMBER: "there is no barrier of this number: a CTA has 16",
}
"""Message of each kind of fault; ``{access}`` is the access that did it."""

_HINTS = {
    FaultKind.SPIN: "a loop needs a way out that its values come to; lanes of one warp that wait "
    "for each other, as at a lock, need independent thread scheduling: --schedule its; CTAs that "
    "wait for each other need all of them to be resident, and a flag that the host sets has to be "
    "set before the launch",
    FaultKind.DIVERGENT_BARRIER: "all lanes of a warp that have not exited must come to it "
    "together; barrier.sync without .aligned, which need not be, is executed like the others",
    FaultKind.NO_FUNCTION: "it can be of functions with its prototype whose addresses are taken",
    FaultKind.TEXTURE: "device.texture(...) makes a texture object, device.surface(...) a surface; "
    "on the command line --arg texture=f32:64x64",
}
"""Hint of each kind of fault."""

_NOWHERE = frozenset({FaultKind.NULL, FaultKind.STACK, FaultKind.NO_FUNCTION})
"""Kinds of which it does not help to know what lies near the address."""

_EXIT_CODES = {FaultKind.STACK: 3}
"""Those of limits; else 2."""


@dataclass(frozen=True)
class WaitingWarp:
    """A warp that waits for ever: at which barrier or instruction.

    ``come`` of ``awaited`` warps have come to its barrier.
    """

    warp: int
    where: str
    span: Span | None = None
    instruction: tuple[int, int] | None = None
    come: int | None = None
    awaited: int | None = None


@dataclass(frozen=True)
class Fault:
    """The first thing that went wrong in a launch; None where something is not known.

    ``instruction`` is the block and the place in it. ``thread`` is the first lane that the fault
    is of; bit i of ``lanes`` is set for each lane i of the warp that shares it. ``access_bytes``
    is what one lane accesses; ``nearest`` says in words where ``address`` lies. ``ended`` are the
    warps of the CTA that have ended while others wait.
    """

    kind: FaultKind
    kernel: str
    instruction: tuple[int, int] | None = None
    opcode: str | None = None
    span: Span | None = None
    debug: DebugLocation | None = None
    cta: Dim3 | None = None
    thread: Dim3 | None = None
    warp: int | None = None
    lanes: int = 0
    address: int | None = None
    access_bytes: int | None = None
    space: Space | None = None
    nearest: str | None = None
    waiting: tuple[WaitingWarp, ...] = ()
    ended: tuple[int, ...] = ()

    @property
    def waits(self) -> tuple[str, ...]:
        """Who waits where, a line for each place, and who has exited."""
        places: dict[tuple[str, str, str], list[int]] = {}
        for one in self.waiting:
            come = "" if one.come is None else f": {one.come} of {one.awaited} warps have come"
            places.setdefault((one.where, _of(one.span), come), []).append(one.warp)
        lines = [
            f"{numbered('warp', warps)} {'waits' if len(warps) == 1 else 'wait'} {''.join(place)}"
            for place, warps in places.items()
        ]
        if self.ended:
            has = "has" if len(self.ended) == 1 else "have"
            lines.append(f"{numbered('warp', self.ended)} {has} exited")
        return tuple(lines)

    @property
    def message(self) -> str:
        """All of it in one line, but for the place in the input."""
        parts = [self._what(), self._where(), self._waiting(), self._line()]
        return "; ".join(part for part in parts if part)

    def _what(self) -> str:
        address = f"{self.address or 0:#x}"
        words = _WORDS[self.kind].format(access=self._access(), address=address)
        known = None if self.kind in _NOWHERE else self.nearest
        return f"{words}: {known}" if known else words

    def _access(self) -> str:
        space = "" if self.space in (None, Space.GENERIC) else f"{self.space.value} "
        opcode = "an access" if self.opcode is None else f"`{self.opcode}`"
        size = "" if self.access_bytes is None else f" of {self.access_bytes} B"
        at = "" if self.address is None else f" at {space}address {self.address:#x}"
        return f"{opcode}{size}{at}"

    def _where(self) -> str:
        parts = [f"kernel {demangle(self.kernel)}"]
        if self.cta is not None:
            parts.append(f"CTA {_triple(self.cta)}")
        if self.thread is not None:
            parts.append(f"thread {_triple(self.thread)}")
        others = self.lanes.bit_count() - 1
        if others > 0:
            parts.append(f"and {others} more {'lane' if others == 1 else 'lanes'} of its warp")
        return ", ".join(parts)

    def _waiting(self) -> str:
        if not self.waiting:
            return ""
        shown = [f"warp {w.warp} {w.where}{_of(w.span)}" for w in self.waiting[:_MOST_WAITING]]
        more = len(self.waiting) - len(shown)
        return f"waiting: {', '.join(shown)}" + (f" and {more} more" if more else "")

    def _line(self) -> str:
        if self.debug is None or not self.debug.line:
            return ""
        return f"compiled from {self.debug.own.file}:{self.debug.own.line}"


def numbered(word: str, numbers: Sequence[int]) -> str:
    """Things by their ascending numbers: ``lanes 0-7 and 12``."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    words = [f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs]
    told = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return f"{word}{'' if len(numbers) == 1 else 's'} {told}"


def _triple(place: Dim3) -> str:
    return "({},{},{})".format(*place)


def _of(span: Span | None) -> str:
    return "" if span is None else f" in line {span.line}"


class ExecutionFault(WarpmillError):  # noqa: N818 - what hardware calls it
    """A kernel did what a GPU would not let it do, or what has no meaning.

    The exit code is 2: the kernel together with its launch is an input that cannot be carried
    out. It is 3 where a limit is reached.
    """

    def __init__(self, fault: Fault, source: Source | None = None) -> None:
        self.fault = fault
        self.exit_code = _EXIT_CODES.get(fault.kind, 2)
        super().__init__(_diagnostic(fault, source))

    def located(self, source: Source) -> ExecutionFault:
        """The same fault with the line of the text that its kernel was read from."""
        return ExecutionFault(self.fault, source)

    def near(self, words: str) -> ExecutionFault:
        """The same fault with words for where its address lies."""
        return ExecutionFault(replace(self.fault, nearest=words))


def hint_of(kind: FaultKind) -> str | None:
    """What to do about a kind of fault."""
    if kind is FaultKind.STACK:
        return f"a thread has {most_stack()} B for recursive calls and alloca; --max-stack moves it"
    return _HINTS.get(kind)


def _diagnostic(fault: Fault, source: Source | None) -> Diagnostic:
    hint = hint_of(fault.kind)
    if source is None:
        return Diagnostic(Severity.ERROR, fault.message, span=fault.span, hint=hint)
    excerpt = None if fault.span is None else source.line(fault.span.line)
    return Diagnostic(Severity.ERROR, fault.message, source.name, fault.span, excerpt, hint)


# What generated code noted of a fault, turned into what a person can use.


_MOST_WORDS = 1000


@dataclass(frozen=True)
class Noted:
    """The fields of a context that tell of a fault, and the records of the CTA's warps."""

    kind: FaultKind
    site: int
    lanes: int
    address: int
    warp: int
    cta: Dim3
    block: Dim3
    shared_bytes: int
    records: npt.NDArray[np.int64]  # a row a warp
    barriers: npt.NDArray[np.int64] | None = None  # a row each, as the driver has them


def report(compiled: CompiledKernel, memory: DeviceMemory, noted: Noted) -> ExecutionFault:
    """Make the error of a run that faulted."""
    if noted.kind in (FaultKind.BARRIER_DEADLOCK, FaultKind.SPIN):
        waiting = tuple(_waiting(compiled, noted))
        return ExecutionFault(
            Fault(
                noted.kind,
                compiled.kernel.name,
                cta=noted.cta,
                waiting=waiting,
                ended=tuple(
                    number
                    for number, record in enumerate(noted.records)
                    if _status(record) == ENDED
                ),
            )
        )
    block, place = compiled.lowered.sites[noted.site]
    instruction = _instruction(compiled, (block, place))
    space = _space(instruction, noted)
    has_address = noted.kind not in (
        FaultKind.DIVERGENT_BARRIER,
        FaultKind.TRAP,
        FaultKind.ASSERTION,
    )
    return ExecutionFault(
        Fault(
            noted.kind,
            compiled.kernel.name,
            instruction=(block, place),
            opcode=instruction.operation.opcode,
            span=instruction.span,
            debug=instruction.debug,
            cta=noted.cta,
            thread=_thread(noted, compiled.lanes),
            warp=noted.warp,
            lanes=noted.lanes,
            address=_own_address(instruction, noted) if has_address else None,
            access_bytes=instruction.operation.width_bytes if has_address else None,
            space=space if has_address else None,
            nearest=_nearest(memory, noted, space) if has_address else _words(memory, noted),
        )
    )


def _thread(noted: Noted, lanes: int) -> Dim3:
    """The thread of the first lane that the fault is of."""
    lane = max(0, (noted.lanes & -noted.lanes).bit_length() - 1)
    thread = noted.warp * lanes + lane
    return unravel_index(thread, noted.block)


def _own_address(instruction: Instruction, noted: Noted) -> int:
    """The address as the instruction has it: in its own space, where it names one."""
    address = noted.address & ((1 << 64) - 1)
    space = _space(instruction, noted)
    if space not in WINDOWS or space not in instruction.operation.spaces:
        return address
    offset = address - WINDOWS[space]
    if 0 <= offset < WINDOW_BYTES:
        return offset
    is_negative = address >> 62 == 3
    return address if is_negative else address & ~NOWHERE


def _space(instruction: Instruction, noted: Noted) -> Space | None:
    spaces = instruction.operation.spaces
    space = spaces[0] if spaces else None
    if Space.GLOBAL in spaces and noted.address >= GLOBAL_BASE:
        return Space.GLOBAL  # of a copy between spaces, its global side
    offset = noted.address - SHARED_WINDOW
    if space in (None, Space.GENERIC) and 0 <= offset < WINDOW_BYTES:
        return Space.SHARED
    return space


def _nearest(memory: DeviceMemory, noted: Noted, space: Space | None) -> str | None:
    if noted.kind is FaultKind.READ_ONLY:
        return None
    if space is Space.SHARED:
        given = "" if noted.shared_bytes else ": its launch gives it no dynamic shared memory"
        return f"the CTA has {noted.shared_bytes} B of shared memory{given}"
    if space in (None, Space.GENERIC, Space.GLOBAL):
        return memory.nearest(noted.address & ((1 << 64) - 1))
    return None


def _words(memory: DeviceMemory, noted: Noted) -> str | None:
    """Read what a failed assertion says of itself."""
    address = noted.address & ((1 << 64) - 1)
    found = memory.find(address) if noted.kind is FaultKind.ASSERTION else None
    if found is None:
        return None
    text = memory.view(address, min(_MOST_WORDS, found.end - address)).tobytes()
    return text.partition(b"\0")[0].decode(errors="replace")


def _status(record: npt.NDArray[np.int64]) -> int:
    return int(record[WARP["status"] // 8])


def _waiting(compiled: CompiledKernel, noted: Noted) -> list[WaitingWarp]:
    """Waiting warps that have not ended: what each waits for, and where."""
    found = []
    for number, record in enumerate(noted.records):
        if _status(record) == ENDED:
            continue
        segment = int(record[WARP["resume"] // 8])
        if _status(record) == WAITING:
            barrier = int(record[WARP["barrier"] // 8])
            words, place = f"at barrier {barrier}", _before(compiled, segment)
            come, awaited = _arrivals(compiled, noted, barrier)
        else:
            words, place = "in a loop", compiled.lowered.segments.starts_at(segment)
            come = awaited = None
        span = None if place is None else _instruction(compiled, place).span
        found.append(WaitingWarp(number, words, span, place, come, awaited))
    return found


def _arrivals(
    compiled: CompiledKernel, noted: Noted, barrier: int
) -> tuple[int, int] | tuple[None, None]:
    """Warps that have come to a barrier, and those that it is for."""
    if noted.barriers is None:
        return None, None
    come, _, _, threads = map(int, noted.barriers[barrier])
    live = sum(_status(record) != ENDED for record in noted.records)
    return come, threads // compiled.lanes or live


def _before(compiled: CompiledKernel, segment: int) -> tuple[int, int] | None:
    """The barrier before a segment."""
    place = compiled.lowered.segments.segments[segment]
    return None if place.start == 0 else (place.block, place.start - 1)


def _instruction(compiled: CompiledKernel, place: tuple[int, int]) -> Instruction:
    return compiled.kernel.blocks[place[0]].instructions[place[1]]
