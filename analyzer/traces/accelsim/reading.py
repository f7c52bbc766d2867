"""The first reading of a kernel's trace: what instructions there are, and where each CTA begins.

It holds a few MB of text at a time, and of each CTA its place alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Span
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.launch.numbering import WINDOW_BYTES, ravel_index
from warpmill.analyzer.traces.accelsim.code import GENERIC, SeenCode, TracedCode, traced_code
from warpmill.analyzer.traces.accelsim.scan import FAULTS, MORE, Scanned, scan
from warpmill.analyzer.traces.accelsim.text import Memcpy, TraceText
from warpmill.analyzer.traces.event_batch import AccessPoint, EventTables

Numbers = npt.NDArray[np.int64]

WARP = 32


@dataclass(frozen=True, eq=False)
class TracedKernel:
    """A kernel's trace that was read once: its code, its CTAs, and what is to be said of it.

    ``ctas`` are linear numbers, ascending; ``begins``, ``ends`` and ``lines`` are in step with
    them: where each CTA's text is, unpacked, and the line that it begins at. ``moved`` are the
    bytes by which addresses of local memory are moved down, so that they begin at 0.
    """

    text: TraceText
    code: TracedCode
    launch: Launch
    copies: tuple[Memcpy, ...]
    ctas: Numbers
    begins: Numbers
    ends: Numbers
    lines: Numbers
    warp_instructions: int
    moved: int
    diagnostics: tuple[Diagnostic, ...]

    @property
    def is_whole(self) -> bool:
        """Whether every CTA of the grid is there."""
        return len(self.ctas) == self.text.header.ctas

    @cached_property
    def tables(self) -> EventTables:
        """What the numbers in events stand for."""
        code, header = self.code, self.text.header
        points = []
        for b, i in code.points:
            instruction = code.kernel.blocks[b].instructions[i]
            operation = instruction.operation
            space = operation.space or Space.GENERIC
            points.append(
                AccessPoint(b, i, operation.access[0], space, operation.width_bytes or None)
            )
        warps = -(-header.threads // WARP)
        return EventTables(header.grid, WARP, warps, tuple(points), code.guards)


@dataclass
class _Addresses:
    """Where accesses were seen to go: the spaces of generic ones, the ends of local memory."""

    seen: dict[int, int]
    least: int = 1 << 62
    most: int = 0


IN_GLOBAL, IN_SHARED, IN_LOCAL = 1, 2, 4
_FAR = 1 << 16
"""Bytes from which addresses of local memory are taken for those of a stack at a window's end."""


def read_traced(path: Path, copies: tuple[Memcpy, ...] = ()) -> TracedKernel:
    """Read a kernel's trace once. InputError, located; LimitError for a CTA that is too large."""
    text = TraceText(path)
    header = text.header
    seen, addresses = SeenCode(text), _Addresses({})
    places, begins, ends, lines = list[Numbers](), list[Numbers](), list[Numbers](), list[Numbers]()
    instructions, empty = 0, 0
    for piece, start, line in text.pieces():
        found = scanned(text, piece, line)
        _check_warps(text, piece, line, found)
        number = seen.add(piece, line, found)
        _note_addresses(text, seen, addresses, number, found)
        instructions += len(found.pc)
        empty += int((np.diff(found.warp_first) == 0).sum())
        places.append(found.cta_place)
        begins.append(found.cta_byte + start)
        ends.append(np.r_[found.cta_byte[1:] + start, start + len(piece)])
        breaks = np.cumsum(np.frombuffer(piece, np.uint8) == 10)
        lines.append(breaks[found.cta_byte] + line)
    if not places:
        raise InputError(text.problem("it has no thread block", hint="the kernel ran no CTA"))
    place = np.concatenate(places, axis=1)
    own_lines = np.concatenate(lines)
    numbers = _numbers(text, place, own_lines)
    order = np.argsort(numbers, kind="stable")
    local = max(0, addresses.most - (0 if addresses.least < _FAR else addresses.least))
    code = traced_code(text, seen, _spaces(addresses.seen), local)
    launch = Launch.of(
        path,
        header.name,
        grid=header.grid,
        block=header.block,
        shared=header.shared_bytes,
        name=header.name,
    )
    return TracedKernel(
        text=text,
        code=code,
        launch=launch,
        copies=copies,
        ctas=numbers[order],
        begins=np.concatenate(begins)[order],
        ends=np.concatenate(ends)[order],
        lines=own_lines[order],
        warp_instructions=instructions,
        moved=0 if addresses.least < _FAR else addresses.least,
        diagnostics=_diagnostics(text, code, len(numbers), empty, instructions),
    )


def scanned(text: TraceText, piece: bytes, line: int) -> Scanned:
    """Scan whole CTAs. InputError, located, for what is no trace."""
    header = text.header
    found = scan(piece, has_lines=header.has_lines, prefixed=header.prefixed)
    if found.fault:
        begin = piece.rfind(b"\n", 0, found.at) + 1
        end = piece.find(b"\n", found.at)
        shown = piece[begin:end].decode("utf-8", errors="replace")
        at = line + piece.count(b"\n", 0, begin)
        hint = None
        if found.fault == MORE:
            hint = "the file is damaged, or another tool wrote it: trace again"
        raise InputError(text.problem(FAULTS[found.fault], at, shown, hint=hint))
    return found


def _check_warps(text: TraceText, piece: bytes, line: int, found: Scanned) -> None:
    """See that a CTA's warps are among those of the block, each once. InputError."""
    header = text.header
    warps = -(-header.threads // WARP)
    cta = np.repeat(np.arange(len(found.cta_byte)), np.diff(found.cta_warp))
    if (found.warp_id >= warps).any():
        k = int(np.flatnonzero(found.warp_id >= warps)[0])
        words = f"a CTA has warps 0 to {warps - 1}, and here is warp {found.warp_id[k]}"
        _refuse_cta(text, piece, line, found, int(cta[k]), words)
    key = cta * warps + found.warp_id
    values, counts = np.unique(key, return_counts=True)
    if (counts > 1).any():
        key_ = int(values[counts > 1][0])
        words = f"warp {key_ % warps} stands twice in this thread block"
        _refuse_cta(text, piece, line, found, key_ // warps, words)


def _refuse_cta(
    text: TraceText, piece: bytes, line: int, found: Scanned, cta: int, words: str
) -> None:
    at = line + piece.count(b"\n", 0, int(found.cta_byte[cta]))
    raise InputError(text.problem(words, at, "#BEGIN_TB"))


def _numbers(text: TraceText, place: Numbers, lines: Numbers) -> Numbers:
    """The linear numbers of CTAs. InputError for one outside the grid, or that stands twice."""
    grid = text.header.grid
    outside = (place < 0).any(axis=0) | (place >= np.array(grid)[:, None]).any(axis=0)
    if outside.any():
        k = int(np.flatnonzero(outside)[0])
        where = ",".join(map(str, place[:, k].tolist()))
        words = f"thread block {where} lies outside the grid of {' x '.join(map(str, grid))}"
        raise InputError(text.problem(words, int(lines[k]), "#BEGIN_TB"))
    x, y, z = place
    numbers: Numbers = ravel_index((x, y, z), grid)
    _, first, counts = np.unique(numbers, return_index=True, return_counts=True)
    if (counts > 1).any():
        twice = numbers[first[counts > 1][0]]
        k = int(np.flatnonzero(numbers == twice)[1])
        where = ",".join(map(str, place[:, k].tolist()))
        words = f"thread block {where} stands twice"
        raise InputError(text.problem(words, int(lines[k]), "#BEGIN_TB"))
    return numbers


def _note_addresses(
    text: TraceText, seen: SeenCode, addresses: _Addresses, number: Numbers, found: Scanned
) -> None:
    """Note where generic accesses go, and how much local memory is used."""
    header = text.header
    rows = np.flatnonzero(found.access >= 0)
    if not len(rows):
        return
    own, base = number[rows], found.base[found.access[rows]]
    generic, local = _generic(seen), _local(seen)
    space = where_generic(header.shared_base, header.local_base, base)
    chosen = generic[own]
    for bit in (IN_GLOBAL, IN_SHARED, IN_LOCAL):
        for one in np.unique(own[chosen & (space == bit)]).tolist():
            addresses.seen[one] = addresses.seen.get(one, 0) | bit
    in_local = local[own] | (chosen & (space == IN_LOCAL))
    if in_local.any():
        at = in_window(header.local_base, base[in_local])
        reach = found.patterns.max(axis=1)[found.pattern[found.access[rows[in_local]]]]
        least = found.patterns.min(axis=1)[found.pattern[found.access[rows[in_local]]]]
        addresses.least = min(addresses.least, int((at + least).min()))
        addresses.most = max(addresses.most, int((at + reach).max()) + _WIDEST)


_WIDEST = 16


def _generic(seen: SeenCode) -> npt.NDArray[np.bool_]:
    return np.array([i.opcode.split(".")[0] in GENERIC for i in seen.instructions], np.bool_)


def _local(seen: SeenCode) -> npt.NDArray[np.bool_]:
    return np.array([i.opcode.split(".")[0] in _LOCAL for i in seen.instructions], np.bool_)


_LOCAL = frozenset({"LDL", "STL"})


def where_generic(shared_base: int, local_base: int, base: Numbers) -> Numbers:
    """The space of generic addresses by their windows; without windows all are in global memory."""
    found = np.full(len(base), IN_GLOBAL, np.int64)
    if shared_base and local_base:
        in_shared = (base >= shared_base) & (base < shared_base + WINDOW_BYTES)
        in_local = (base >= local_base) & (base < local_base + WINDOW_BYTES)
        found[in_shared & ~((local_base > shared_base) & (base >= local_base))] = IN_SHARED
        found[in_local & (found != IN_SHARED)] = IN_LOCAL
    return found


def in_window(start: int, base: Numbers) -> Numbers:
    """Addresses counted from the start of their window, where they are generic ones."""
    return np.where((base >= start) & (start > 0), base - start, base)


def _spaces(seen: Mapping[int, int]) -> dict[int, Space]:
    """The spaces of generic accesses that were seen in one alone."""
    names = {IN_GLOBAL: Space.GLOBAL, IN_SHARED: Space.SHARED, IN_LOCAL: Space.LOCAL}
    return {number: names[bits] for number, bits in seen.items() if bits in names}


def _diagnostics(
    text: TraceText, code: TracedCode, ctas: int, empty: int, instructions: int
) -> tuple[Diagnostic, ...]:
    header = text.header
    grid, block = (" x ".join(map(str, sides)) for sides in (header.grid, header.block))
    words = (
        f"grid {grid}, block {block}, {header.shared_bytes:,} B of shared memory a CTA; the trace "
        f"has {ctas:,} CTAs and {instructions:,} warp instructions"
    )
    found = [text.problem(words, severity=Severity.NOTE)]
    if ctas < header.ctas:
        words = f"the trace has {ctas:,} of the grid's {header.ctas:,} CTAs"
        hint = "trace the whole kernel to simulate it"
        found.append(text.problem(words, hint=hint, severity=Severity.WARNING))
    if empty:
        words = f"{empty:,} warps execute nothing in the trace"
        found.append(text.problem(words, severity=Severity.WARNING))
    told = set[str]()
    for one in code.unknown:
        if one.opcode in told:
            continue
        told.add(one.opcode)
        column = one.text.find(one.opcode) + 1
        kind = next(
            i.operation.op_class.value
            for i in code.kernel.instructions
            if i.operation.opcode == one.opcode
        )
        words = f"opcode {one.opcode} is not in the table; it is taken for one of class {kind}"
        span = Span(one.line, max(1, column), max(1, column) + len(one.opcode))
        found.append(Diagnostic(Severity.WARNING, words, text.label, span, one.text[:200]))
    return tuple(found)
