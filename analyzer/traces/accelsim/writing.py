"""Traces of PTX instructions in Accel-Sim's form: a kernelslist.g and a .traceg for each launch.

The form has machine code. Here an instruction is one of PTX: its opcode is a mnemonic of machine
code that does about the same, the size of its access, and the PTX opcode itself, joined by dots;
its PC is 16 times its number in the kernel, its registers are virtual ones. Headers say so where
NVBit's version stands, and the line that names the columns says it in words. Predicates are not in
the form.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

import numpy as np

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.base.whole_files import check_new_folder, unfinished_beside, unwritable
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.numbering import SHARED_WINDOW
from warpmill.analyzer.machine_code.sass import mnemonic_like
from warpmill.analyzer.traces.accelsim.text import PTX_LEVEL, is_list, is_trace
from warpmill.analyzer.traces.event_batch import EventBatch
from warpmill.analyzer.traces.layout import MemoryRegion

SHARED_BASE, LOCAL_BASE = 0x7F10_0000_0000, 0x7F10_0100_0000
"""Windows of generic addresses in what is written; addresses of warpmill's own lie below."""

_STEP = 16
_LANES = 32
_MOST_SOURCES = 4
_MOST_REGISTER = 1 << 16
_BINARIES = (70, 75, 80, 86)
"""Versions whose opcode tables Accel-Sim has and whose mnemonics are written."""


@dataclass(frozen=True)
class TracedLaunch:
    """A launch to be written: its kernel and its events, CTA by CTA in the order of the grid.

    ``batches`` may be gone through once. ``regions`` are copied to before it.
    """

    kernel: Kernel
    launch: Launch
    target: str
    shared_bytes: int
    registers: int
    regions: Sequence[MemoryRegion]
    batches: Iterable[EventBatch]

    def predicted_bytes(self, first: EventBatch) -> int:
        """About how large its file will be, from a CTA of it."""
        writer = _Writer(BytesIO(), self, 1 << 62, 1 << 62)
        writer.batch(first)
        return writer.size // max(1, writer.ctas) * self.launch.cta_count


@dataclass(frozen=True)
class WrittenLaunch:
    """The file of a launch, its CTAs, instructions and bytes."""

    file: Path
    ctas: int
    warp_instructions: int
    size_bytes: int


def write_accelsim(
    path: Path, launches: Iterable[TracedLaunch], max_bytes: int, version: str
) -> tuple[WrittenLaunch, ...]:
    """Write launches beside the list ``path``, to a folder that is new, whole or not at all.

    LimitError where more than ``max_bytes`` would be written, UsageError for a folder that is there
    already and not empty.
    """
    list_to_write(path)
    folder = path.parent
    try:
        with unfinished_beside(folder.resolve()) as place:
            made = place / "traces"
            made.mkdir()
            written = _write(made / path.name, launches, max_bytes, version)
            if folder.exists():
                folder.rmdir()
            shutil.move(made, folder)
    except OSError as error:
        raise unwritable(folder, error) from None
    return tuple(WrittenLaunch(folder / name, *rest) for name, *rest in written)


def list_to_write(path: Path | None, *, whole: bool = True) -> Path | None:
    """A path where it is that of a list, None where it is another's.

    UsageError where it, and traces of ``whole`` grids beside it, could not be written.
    """
    if path is None or not is_trace(path):
        return None
    if not whole:
        words = f"--save {path} takes whole grids: leave out --cta, --warp and --ctas"
        raise UsageError(words)
    if not is_list(path):
        words = f"{path}: name the list of the traces, such as FOLDER/kernelslist.g"
        raise UsageError(words)
    check_new_folder(path.parent)
    return path


def _write(
    path: Path, launches: Iterable[TracedLaunch], most: int, version: str
) -> list[tuple[str, int, int, int]]:
    lines, written, left = list[str](), list[tuple[str, int, int, int]](), most
    for number, one in enumerate(launches, 1):
        name = f"kernel-{number}.traceg"
        with path.with_name(name).open("wb") as file:
            writer = _Writer(file, one, left, most)
            writer.put(_header(one, number, version).encode())
            for batch in one.batches:
                writer.batch(batch)
        left -= writer.size
        for region in one.regions:
            lines.append(f"MemcpyHtoD,0x{region.start:016x},{region.size_bytes}")
        lines.append(name)
        written.append((name, writer.ctas, writer.instructions, writer.size))
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return written


def _header(one: TracedLaunch, number: int, version: str) -> str:
    grid, block = (",".join(map(str, sides)) for sides in (one.launch.grid, one.launch.block))
    return (
        f"-kernel name = {one.kernel.name}\n-kernel id = {number}\n-grid dim = ({grid})\n"
        f"-block dim = ({block})\n-shmem = {one.shared_bytes}\n-nregs = {one.registers}\n"
        f"-binary version = {_binary(one.target)}\n-cuda stream id = 0\n"
        f"-shmem base_addr = 0x{SHARED_BASE:016x}\n-local mem base_addr = 0x{LOCAL_BASE:016x}\n"
        f"-nvbit version = {PTX_LEVEL}-{version}\n-accelsim tracer version = 4\n"
        "-enable lineinfo = 0\n\n"
        "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
        "[adrrescompress?] [mem_addresses] immediate; PTX instructions by warpmill: an opcode is "
        "MNEMONIC[.BITS].PTX-OPCODE, a PC 16 times the instruction's number, registers are "
        "virtual\n\n"
    )


def _binary(target: str) -> int:
    """The newest version that is not newer than a target such as sm_89; the oldest for others."""
    digits = "".join(c for c in target.partition("sm_")[2][:3] if c.isdigit())
    chip = int(digits) if digits else 0
    return max((b for b in _BINARIES if b <= chip), default=_BINARIES[0])


@dataclass(frozen=True, slots=True)
class _Line:
    """What is the same of an instruction at every execution.

    ``whole`` is a line behind its mask where there are no addresses, ``start`` up to the form of
    the addresses where there are; ``point`` is that whose addresses are written, -1: none.
    """

    pc: str
    whole: str
    start: str
    point: int
    leaves: bool


class _Writer:
    """Writes events of a launch as text."""

    def __init__(self, file: BinaryIO, one: TracedLaunch, left: int, most: int) -> None:
        self._file, self._one, self._left, self._most = file, one, left, most
        self.size = self.ctas = self.instructions = 0
        self._lines: list[list[_Line]] = []

    def put(self, data: bytes) -> None:
        """Write some bytes. LimitError."""
        self.size += len(data)
        if self.size > self._left:
            raise LimitError(
                f"the traces take more than {self._most:,} bytes; raise the limit with "
                "--max-trace-bytes, or trace a smaller launch"
            )
        self._file.write(data)

    def batch(self, batch: EventBatch) -> None:
        """Write the CTAs of a batch."""
        if not self._lines:
            self._lines = _static_lines(self._one.kernel, batch)
        columns = _Columns(batch, self._lines)
        each = batch.tables.warps_per_cta
        for place, number in enumerate(batch.ctas.tolist()):
            x, y, z = batch.tables.cta(number)
            parts = [f"#BEGIN_TB\n\nthread block = {x},{y},{z}\n\n"]
            for warp in range(each):
                lines = columns.warp(place * each + warp)
                parts.append(f"warp = {warp}\ninsts = {len(lines)}\n{''.join(lines)}\n")
                self.instructions += len(lines)
            parts.append("#END_TB\n\n")
            self.put("".join(parts).encode())
            self.ctas += 1


_NOWHERE = 0, "2 0x0000000000000000 0\n"
"""An access of no lane."""


class _Columns:
    """A batch as lists, which Python reads faster than arrays."""

    def __init__(self, batch: EventBatch, lines: list[list[_Line]]) -> None:
        self._lines, self._batch = lines, batch
        self._warps = batch.warps.tolist()
        self._block, self._mask = batch.block.tolist(), batch.mask.tolist()
        self._guards, self._accesses = batch.event_guards.tolist(), batch.event_accesses.tolist()
        self._guard_mask = batch.guard_mask.tolist()
        self._guard_at = [batch.tables.guards[n][1] for n in batch.guard_number.tolist()]
        self._point, self._on = batch.access_point.tolist(), batch.access_mask.tolist()
        self._base = _addresses(batch).tolist()
        self._row = batch.access_pattern.tolist()
        self._forms: dict[tuple[int, int], tuple[int, str]] = {}

    def warp(self, warp: int) -> list[str]:
        """The lines of a warp's instructions."""
        first, last = self._warps[warp], self._warps[warp + 1]
        found: list[str] = []
        later = self._later(first, last)
        for event in range(first, last):
            mask = self._mask[event]
            guards = self._of_guards(event)
            addresses = self._of_accesses(event)
            for index, line in enumerate(self._lines[self._block[event]]):
                own = guards.get(index, mask) if guards else mask
                if line.leaves:
                    own &= ~later[event - first]
                if line.point < 0:
                    found.append(f"{line.pc} {own:08x} {line.whole}")
                else:
                    on, form = addresses.get(line.point, _NOWHERE)
                    found.append(f"{line.pc} {on:08x} {line.start}{form}")
        return found

    def _later(self, first: int, last: int) -> list[int]:
        """The lanes that execute anything behind each event: the others leave at a return."""
        found, on = [0] * (last - first), 0
        for event in range(last - 1, first - 1, -1):
            found[event - first] = on
            on |= self._mask[event]
        return found

    def _of_guards(self, event: int) -> dict[int, int]:
        first, last = self._guards[event], self._guards[event + 1]
        return {self._guard_at[k]: self._guard_mask[k] for k in range(first, last)}

    def _of_accesses(self, event: int) -> dict[int, tuple[int, str]]:
        found = {}
        for k in range(self._accesses[event], self._accesses[event + 1]):
            mode, rest = self._form(self._row[k], self._on[k])
            found[self._point[k]] = self._on[k], f"{mode} 0x{self._base[k]:016x}{rest} 0\n"
        return found

    def _form(self, row: int, mask: int) -> tuple[int, str]:
        """The mode of a pattern's lanes, and what stands behind the base."""
        known = self._forms.get((row, mask))
        if known is None:
            known = self._forms[row, mask] = form_of(self._batch.patterns[row].tolist(), mask)
        return known


def form_of(offsets: Sequence[int], mask: int) -> tuple[int, str]:
    """How lanes' distances are written: 1 with a stride, where it is one for a run of lanes, or 2.

    >>> form_of([0, 4, 8, 12], 0b111), form_of([0, 4, 2, 12], 0b101)
    ((1, ' 4'), (2, ' 2'))
    """
    lanes = [lane for lane in range(len(offsets)) if mask >> lane & 1]
    steps = [offsets[b] - offsets[a] for a, b in pairwise(lanes)]
    is_run = len(lanes) > 1 and lanes[-1] - lanes[0] == len(lanes) - 1
    if is_run and len(set(steps)) == 1:
        return 1, f" {steps[0]}"
    return 2, "".join(f" {step}" for step in steps)


def _addresses(batch: EventBatch) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Base addresses as the form has them: generic ones of shared memory in their window."""
    generic = np.array([p.space is Space.GENERIC for p in batch.tables.points] or [False])
    in_shared = generic[batch.access_point] & (batch.access_base < SHARED_WINDOW)
    return np.where(in_shared, batch.access_base + SHARED_BASE, batch.access_base)


def _static_lines(kernel: Kernel, batch: EventBatch) -> list[list[_Line]]:
    points = dict[tuple[int, int], int]()
    for number, point in enumerate(batch.tables.points):
        place = point.block, point.instruction
        if place not in points or point.space is not Space.SHARED:
            points[place] = number  # of a copy the place outside the SM
    registers = _registers(kernel)
    found, number = list[list[_Line]](), 0
    for block in kernel.blocks:
        lines = []
        for index, instruction in enumerate(block.instructions):
            point_ = points.get((block.id, index), -1)
            width = batch.tables.points[point_].width_bytes if point_ >= 0 else None
            lines.append(_line(instruction, number * _STEP, registers, point_, width))
            number += 1
        found.append(lines)
    return found


def _line(
    instruction: Instruction, pc: int, registers: dict[int, int], point: int, width: int | None
) -> _Line:
    operation = instruction.operation
    written = [registers[r] for r in instruction.writes if r in registers][:1]
    read = [registers[r] for r in dict.fromkeys(instruction.reads) if r in registers]
    read = read[:_MOST_SOURCES]
    has_access = point >= 0
    bytes_ = width or 4
    mnemonic = mnemonic_like(operation)
    size = f".{8 * bytes_}" if has_access else ""
    opcode = f"{mnemonic}{size}.{operation.opcode}"
    targets = "".join(f" R{n}" for n in written)
    sources = "".join(f" R{n}" for n in read)
    start = f"{len(written)}{targets} {opcode} {len(read)}{sources}"
    immediate = next((o.value for o in instruction.operands if hasattr(o, "value")), 0)
    groups = immediate if mnemonic == "DEPBAR" else 0
    return _Line(
        f"{pc:04x}",
        f"{start} 0 {groups}\n",
        f"{start} {bytes_} ",
        point,
        operation.op_class is OpClass.RETURN,
    )


def _registers(kernel: Kernel) -> dict[int, int]:
    """The number of each register in the form, which has no predicates."""
    plain = [k for k, r in enumerate(kernel.registers) if r.type.kind is not TypeKind.PREDICATE]
    return {k: number % _MOST_REGISTER for number, k in enumerate(plain)}


def check_writable(warp_size: int) -> None:
    """Refuse what the form has no room for. UsageError."""
    if warp_size != _LANES:
        raise UsageError(f"Accel-Sim's traces are of warps of 32 lanes, and these have {warp_size}")


def whole_grid(launch: Launch) -> Iterator[tuple[int, int, int]]:
    """The CTAs of a launch in the order in which they start."""
    x, y, z = launch.grid
    return ((i, j, k) for k in range(z) for j in range(y) for i in range(x))
