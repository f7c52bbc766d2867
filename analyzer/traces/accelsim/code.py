"""A Kernel of the machine instructions that a trace has: blocks by the order in which they ran.

The format has no code: an instruction is known where some warp executed it, with its PC, opcode and
registers. Its predicate, constants and uniform registers are not there. Instructions that always
follow each other are a block; a branch, and every place where executions part or meet, ends one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import InputError, Source, Span
from warpmill.analyzer.ir.kernel import (
    MACHINE_CODE,
    Address,
    Block,
    Guard,
    Imm,
    Instruction,
    Kernel,
    LaunchBounds,
    Module,
    Operand,
    Reg,
    Register,
    Sink,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role
from warpmill.analyzer.ir.types import TYPES, OpClass, Space
from warpmill.analyzer.machine_code.sass import sass_operation
from warpmill.analyzer.traces.accelsim.scan import Scanned
from warpmill.analyzer.traces.accelsim.text import KernelHeader, TraceText
from warpmill.analyzer.traces.model import Assumption

Numbers = npt.NDArray[np.int64]

_ENTRY = _LEAVES = -1
"""Before the first instruction of a warp, and behind its last."""


@dataclass(frozen=True)
class SeenInstruction:
    """An instruction as its ``line`` of the file has it, the first; ``source_line`` 0: not told."""

    pc: int
    opcode: str
    destinations: tuple[str, ...]
    sources: tuple[str, ...]
    told_bytes: int
    immediate: int | None
    source_line: int
    line: int
    text: str


@dataclass(frozen=True)
class TextSource(Source):
    """A text of which a few lines are held: those at which instructions stand first."""

    shown: Mapping[int, str] = field(default_factory=dict)

    def line(self, number: int) -> str:
        """Line ``number`` where it is held, else an empty text."""
        return self.shown.get(number, "")


@dataclass(frozen=True, eq=False)
class TracedCode:
    """The kernel of a trace, and where each instruction that was seen stands in it.

    ``keys`` are the scanner's, sorted; ``block``, ``place``, ``guard`` and ``point`` are in step
    with them: the block and the index there, the number among guards and access points, -1: none.
    """

    module: Module
    kernel: Kernel
    source: TextSource
    unknown: tuple[SeenInstruction, ...]
    keys: npt.NDArray[np.uint64]
    block: npt.NDArray[np.int32]
    place: npt.NDArray[np.int32]
    guard: npt.NDArray[np.int32]
    point: npt.NDArray[np.int32]
    guards: tuple[tuple[int, int], ...]
    points: tuple[tuple[int, int], ...]


class SeenCode:
    """Instructions that were seen so far, and which follow which."""

    def __init__(self, text: TraceText) -> None:
        self._text = text
        self.instructions: list[SeenInstruction] = []
        self._numbers: dict[int, int] = {}
        self._sorted = np.zeros(0, np.uint64)
        self._of_sorted = np.zeros(0, np.int64)
        self.follows: set[tuple[int, int]] = set()
        self.guarded: set[int] = set()
        """Instructions that executed with other lanes than the one before or behind."""
        self.addressed: set[int] = set()
        """Instructions with lanes' addresses."""

    def add(self, text: bytes, line: int, found: Scanned) -> Numbers:
        """Take up a piece of the trace; gives the number of each of its instructions."""
        number = self._number(text, line, found)
        n = len(self.instructions) + 1
        before = np.r_[_ENTRY, number[:-1]]
        first = found.warp_first[:-1]
        before[first[first < len(number)]] = _ENTRY
        behind = np.r_[number[1:], _LEAVES]
        ends = found.warp_first[1:] - 1
        behind[ends[ends >= 0]] = _LEAVES
        pairs = np.unique(np.r_[(before + 1) * n + number + 1, (number + 1) * n + behind + 1])
        self.follows.update(zip((pairs // n - 1).tolist(), (pairs % n - 1).tolist(), strict=True))
        inside = np.flatnonzero(before >= 0)
        differ = inside[found.mask[inside] != found.mask[inside - 1]]
        parts = np.unique(np.r_[number[differ], number[differ - 1], number[found.mask == 0]])
        self.guarded.update(parts.tolist())
        self.addressed.update(np.unique(number[found.access >= 0]).tolist())
        return number

    def _number(self, text: bytes, line: int, found: Scanned) -> Numbers:
        """The number of each instruction; those that are new are read."""
        if len(self._sorted):
            at = np.minimum(np.searchsorted(self._sorted, found.key), len(self._sorted) - 1)
            new = np.flatnonzero(self._sorted[at] != found.key)
        else:
            new = np.arange(len(found.key))
        if len(new):
            keys, first = np.unique(found.key[new], return_index=True)
            order = np.argsort(first)
            for key, k in zip(keys[order].tolist(), new[first[order]].tolist(), strict=True):
                self._numbers[key] = len(self.instructions)
                self.instructions.append(self._read(text, line, found, k))
            known = np.fromiter(self._numbers, np.uint64, len(self._numbers))
            order = np.argsort(known)
            self._sorted, self._of_sorted = known[order], order
        return self._of_sorted[np.searchsorted(self._sorted, found.key)]

    def _read(self, text: bytes, line: int, found: Scanned, k: int) -> SeenInstruction:
        begin, end = int(found.begin[k]), int(found.end[k])
        own = line + text.count(b"\n", 0, begin)
        whole = text[text.rfind(b"\n", 0, begin) + 1 : text.find(b"\n", begin)]
        shown = whole.decode("utf-8", errors="replace")
        own_text = text[begin:end].decode("utf-8", errors="replace")
        words = [word for word in _BLANKS.split(own_text) if word]
        count = int(words[0])
        destinations = tuple(words[1 : 1 + count])
        opcode, number = words[1 + count], int(words[2 + count])
        sources = tuple(words[3 + count : 3 + count + number])
        for name in (*destinations, *sources):
            if not _REGISTER.fullmatch(name):
                words_ = f"{name:.20} is no register: these are R0 to R65535"
                raise InputError(self._text.problem(words_, own, shown))
        rest = words[3 + count + number :]
        immediate = rest[1] if len(rest) > 1 and found.access[k] < 0 else ""
        return SeenInstruction(
            pc=int(found.pc[k]),
            opcode=opcode,
            destinations=destinations,
            sources=sources,
            told_bytes=int(rest[0]),
            immediate=int(immediate) if _NUMBER.fullmatch(immediate) else None,
            source_line=int(found.line[k]),
            line=own,
            text=shown,
        )

    def sorted_keys(self) -> tuple[npt.NDArray[np.uint64], Numbers]:
        """The scanner's keys, sorted, and the number of the instruction of each."""
        return self._sorted, self._of_sorted


_BLANKS = re.compile(r"[\x00-\x20]+")  # as the scanner has them
_REGISTER = re.compile(r"R\d{1,5}")
_NUMBER = re.compile(r"-?\d{1,18}")
_ZERO = "R255"


def traced_code(
    text: TraceText, seen: SeenCode, spaces: Mapping[int, Space], local_bytes: int = 0
) -> TracedCode:
    """Make the kernel. ``spaces`` are those of generic accesses, by the instruction's number.

    InputError where no warp executes anything.
    """
    if not seen.instructions:
        raise InputError(text.problem("no warp of it executes anything"))
    chains = _chains(seen)
    names = sorted({int(n[1:]) for i in seen.instructions for n in (*i.destinations, *i.sources)})
    makers = _Maker({number: k for k, number in enumerate(names)}, text.header.is_ptx, seen, spaces)
    ids = {chain[0]: k for k, chain in enumerate(chains)}
    blocks = tuple(makers.block(k, chain, chains, ids) for k, chain in enumerate(chains))
    b32, pred = TYPES["b32"], TYPES["pred"]
    registers = (*(Register(f"R{number}", b32) for number in names), Register("P", pred))
    header = text.header
    local = Variable("local", Space.LOCAL, TYPES["b8"], local_bytes, 16) if local_bytes else None
    kernel = Kernel(
        name=header.name,
        parameters=(),
        registers=registers,
        blocks=blocks,
        span=Span(1, 1, 2),
        variables=() if local is None else (local,),
        bounds=LaunchBounds(max_registers=header.registers or None),
    )
    module = Module(
        name=text.label,
        target=f"sm_{header.binary_version}",
        version=f"tracer {header.tracer_version}",
        address_bits=64,
        warp_size=32,
        kernels=(kernel,),
        attributes=(MACHINE_CODE,),
    )
    held = {i.line: i.text for i in seen.instructions}
    source = TextSource(text.label, "", shown=held)
    return _numbered(module, kernel, source, seen, chains)


def _numbered(
    module: Module,
    kernel: Kernel,
    source: TextSource,
    seen: SeenCode,
    chains: Sequence[Sequence[int]],
) -> TracedCode:
    """The kernel with the columns that tell where an instruction stands."""
    count = len(seen.instructions)
    block, place = np.zeros(count, np.int32), np.zeros(count, np.int32)
    guard, point = np.full(count, -1, np.int32), np.full(count, -1, np.int32)
    guards, points = list[tuple[int, int]](), list[tuple[int, int]]()
    for b, chain in enumerate(chains):
        differs = any(number in seen.guarded for number in chain)
        for i, number in enumerate(chain):
            block[number], place[number] = b, i
            if differs:
                guard[number] = len(guards)
                guards.append((b, i))
            if kernel.blocks[b].instructions[i].accesses:
                point[number] = len(points)
                points.append((b, i))
    keys, of = seen.sorted_keys()
    unknown = tuple(
        instruction
        for number, instruction in enumerate(seen.instructions)
        if _operation(kernel, block, place, number).knowledge is Knowledge.NEAREST
    )
    columns = (keys, block[of], place[of], guard[of], point[of])
    return TracedCode(module, kernel, source, unknown, *columns, tuple(guards), tuple(points))


def _operation(
    kernel: Kernel, block: npt.NDArray[np.int32], place: npt.NDArray[np.int32], number: int
) -> Operation:
    return kernel.blocks[int(block[number])].instructions[int(place[number])].operation


def _chains(seen: SeenCode) -> list[list[int]]:
    """The instructions of each block by their numbers; blocks by PC, that of the entry first."""
    behind: dict[int, set[int]] = {}
    before: dict[int, set[int]] = {}
    for one, other in seen.follows:
        behind.setdefault(one, set()).add(other)
        before.setdefault(other, set()).add(one)
    entries = behind.get(_ENTRY, set())
    heads = set[int]()
    following = dict[int, int]()
    for number, instruction in enumerate(seen.instructions):
        after = behind.get(number, set())
        (only,) = after if len(after) == 1 else (_LEAVES,)
        goes_on = (
            only != _LEAVES
            and only not in entries
            and before[only] == {number}
            and seen.instructions[only].pc > instruction.pc
            and _class_of(instruction) not in _ENDS
        )
        if goes_on:
            following[number] = only
            heads.add(only)
    chains = []
    for number in range(len(seen.instructions)):
        if number in heads:
            continue
        chain = [number]
        while chain[-1] in following:
            chain.append(following[chain[-1]])
        chains.append(chain)
    first = min(entries - {_LEAVES}, key=lambda n: (seen.instructions[n].pc, n), default=0)
    return sorted(chains, key=lambda c: (c[0] != first, seen.instructions[c[0]].pc, c[0]))


_ENDS = frozenset({OpClass.BRANCH, OpClass.RETURN})


def _class_of(instruction: SeenInstruction) -> OpClass:
    return sass_operation(instruction.opcode, 0, 0, has_addresses=False).op_class


class _Maker:
    """Makes instructions of what was seen: operands, the lanes' address, where a branch goes."""

    def __init__(
        self,
        registers: Mapping[int, int],
        is_ptx: bool,
        seen: SeenCode,
        spaces: Mapping[int, Space],
    ) -> None:
        self._registers, self._is_ptx, self._seen, self._spaces = registers, is_ptx, seen, spaces
        self._after: dict[int, list[int]] = {}
        for one, other in sorted(seen.follows):
            if one != _ENTRY and other != _LEAVES:
                self._after.setdefault(one, []).append(other)
        self._labels: set[str] = set()

    def block(
        self,
        number: int,
        chain: Sequence[int],
        chains: Sequence[Sequence[int]],
        ids: Mapping[int, int],
    ) -> Block:
        """A block; its last instruction goes to where executions were seen to go."""
        last = self._seen.instructions[chain[-1]]
        after = [ids[one] for one in self._after.get(chain[-1], ())]
        nearest = sorted(after, key=lambda b: self._distance(last, chains[b][0]))
        is_branch = _class_of(last) in _ENDS
        fallthrough, targets = (nearest[0] if nearest else None), tuple[int, ...]()
        if is_branch and nearest:
            goes_on = self._distance(last, chains[nearest[0]][0])[0] == 0
            targets = tuple(nearest[1:]) if goes_on else tuple(nearest)
            fallthrough = nearest[0] if goes_on else None
        instructions = [self._instruction(one) for one in chain[:-1]]
        instructions.append(self._instruction(chain[-1], targets, parts=fallthrough is not None))
        return Block(number, self._label(chain[0]), tuple(instructions), fallthrough)

    def _distance(self, last: SeenInstruction, number: int) -> tuple[int, int]:
        """How near another instruction is behind one: those behind it first, nearest first."""
        pc = self._seen.instructions[number].pc
        return (0, pc - last.pc) if pc > last.pc and not _jumps(last, pc) else (1, pc)

    def _label(self, number: int) -> str:
        pc = self._seen.instructions[number].pc
        label, turn = f"pc_{pc:04x}", 1
        while label in self._labels:  # of another function
            turn += 1
            label = f"pc_{pc:04x}_{turn}"
        self._labels.add(label)
        return label

    def _instruction(
        self, number: int, targets: tuple[int, ...] = (), *, parts: bool = False
    ) -> Instruction:
        one = self._seen.instructions[number]
        has_addresses = number in self._seen.addressed
        operation = sass_operation(
            one.opcode, 0, 0, has_addresses=has_addresses, told_bytes=one.told_bytes
        )
        if number in self._spaces and operation.spaces == (Space.GENERIC,):
            operation = _in_space(operation, self._spaces[number])
        written = self._written(one, operation)
        read = self._read(one, operation)
        roles = (*(Role.DESTINATION,) * len(written), *(Role.SOURCE,) * len(read))
        operation = _with_roles(operation, roles)
        column = len(one.text) - len(one.text.lstrip()) + 1
        span = Span(one.line, column, max(column + 1, len(one.text.rstrip()) + 1))
        ends = operation.op_class in _ENDS and parts
        guard = Guard(Reg(len(self._registers))) if ends else None
        return Instruction(operation, (*written, *read), span, guard, targets)

    def _written(self, one: SeenInstruction, operation: Operation) -> list[Operand]:
        found: list[Operand] = []
        for name in one.destinations:
            if name == _ZERO and not self._is_ptx:
                found.append(Sink())
                continue
            names = [int(name[1:]) + k for k in range(self._words(operation))]
            known = [Reg(self._registers[n]) for n in names if n in self._registers]
            found.append(known[0] if len(known) == 1 else Vector(tuple(known)))
        return found

    def _words(self, operation: Operation) -> int:
        """Registers of 32 bits that a result takes, as the opcode says; only the first is told."""
        if self._is_ptx:
            return 1
        modifiers = operation.modifiers
        if operation.op_class in (OpClass.LOAD, OpClass.ATOMIC) and operation.name != "LDSM":
            return max(1, (operation.width_bytes or 0) // 4)
        if operation.name == "LDSM":
            return int(modifiers[-1]) if modifiers and modifiers[-1] in ("2", "4") else 1
        is_double = operation.type is not None and operation.type.bits == _WIDE_BITS
        return 2 if is_double or "WIDE" in modifiers else 1

    def _read(self, one: SeenInstruction, operation: Operation) -> list[Operand]:
        zero = _ZERO if not self._is_ptx else None
        operands: list[Operand] = [
            Imm(0) if name == zero else Reg(self._registers[int(name[1:])]) for name in one.sources
        ]
        if operation.name == "DEPBAR" and one.immediate is not None:
            operands.insert(0, Imm(one.immediate))
        if not operation.access:
            return operands
        # an asynchronous copy names the place in shared memory first
        place = 1 if operation.op_class is OpClass.ASYNC_COPY and len(operands) > 1 else 0
        if not operands:
            return [Address(Imm(0))]
        base = operands[place]
        operands[place] = Address(base if isinstance(base, Reg | Imm) else Imm(0))
        pair = self._registers.get(int(one.sources[place][1:]) + 1)
        if "E" in operation.modifiers and not self._is_ptx and pair is not None:
            operands.append(Reg(pair))  # addresses of 64 bits take two registers
        return operands


_WIDE_BITS = 64


def _jumps(last: SeenInstruction, pc: int) -> bool:
    """Whether a place behind an instruction is not the next one: these are 8 or 16 B long."""
    return _class_of(last) in _ENDS and pc - last.pc > _MOST_INSTRUCTION_BYTES


_MOST_INSTRUCTION_BYTES = 16


def _in_space(operation: Operation, space: Space) -> Operation:
    return replace(operation, spaces=(space,))


def _with_roles(operation: Operation, roles: Iterable[Role]) -> Operation:
    own = tuple(roles)
    return replace(
        operation, roles=own, optional=(False,) * len(own), operand_types=(None,) * len(own)
    )


def untold(header: KernelHeader, kernel: Kernel) -> tuple[Assumption, ...]:
    """What the format does not tell of a kernel and was taken to be, by its first block."""
    words = []
    accessed = {i.operation.name for i in kernel.instructions if i.operation.access}
    if accessed & GENERIC and not (header.shared_base and header.local_base):
        words.append(
            "the header has no windows of generic addresses: all are taken for global memory"
        )
    names = {i.operation.name for i in kernel.instructions}
    if "BAR" in names and not header.is_ptx:
        words.append(
            "the trace does not tell which barrier a BAR names: all are taken for barrier 0"
        )
    if names & _WITHOUT_ADDRESSES and not header.is_ptx:
        words.append("the trace has no addresses of constants and texels: they are taken to hit")
    return tuple(Assumption(0, each) for each in words)


GENERIC = frozenset({"LD", "ST", "ATOM", "RED"})
"""Opcodes whose addresses are generic."""

_WITHOUT_ADDRESSES = frozenset({"LDC", "TEX", "TEXS", "TLD", "TLDS", "TLD4", "TLD4S", "TXD"})
