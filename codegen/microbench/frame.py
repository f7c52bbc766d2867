"""Common parts of micro-benchmarks: operations, statements, the timed loop, a warp's record."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    Guard,
    Imm,
    Instruction,
    Kernel,
    Module,
    Operand,
    Parameter,
    Reg,
    Special,
    Symbol,
    Variable,
    Vector,
)
from warpmill.analyzer.ir.ptx_printer import NOUNROLL, print_ptx
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.codegen.emission.render import render
from warpmill.codegen.synthesis.writing import NOWHERE, KernelRegisters, imm, write
from warpmill.codegen.targets import ptx_version

RECORD_BYTES = 16
"""A warp's record: the cycles that it took by its clock, and what its registers came to."""

WARP = 32
"""Lanes of a warp of the chips that PTX is for."""

LOCATOR = "locate"

_FIRST = (("records", "u64"), ("memory", "u64"), ("turns", "u32"))

BEGIN = """
ld.param.u64 qr [&records]; ld.param.u64 qm [&memory]; ld.param.u32 rt [&turns];
mov.u32 rx %tid.x; mov.u32 ry %ctaid.x; mov.u32 rz %ntid.x;
mad.lo.u32 rw ry rz rx; shr.u32 rv rw 5; mul.wide.u32 qw rv 16; add.s64 qr qr qw; and.b32 rl rx 31
"""
"""Prologue of every kernel.

Behind it are known: qr, the warp's record; qm, the memory; rt, the turns; rx, ry, rz, thread, CTA
and threads of a CTA; rw, the thread in the grid, rv its warp; rl, the lane.
"""

START, STOP = "mov.u64 qs %clock64", "mov.u64 qe %clock64"
_TURN = "sub.u32 rt rt 1; setp.ne.u32 pt rt 0"
_END = """
sub.s64 qe qe qs; cvt.u64.u32 qo ro; setp.eq.u32 pl rl 0; @pl st.global.v2.u64 [qr] {qe qo}; ret
"""


@dataclass(frozen=True)
class Microbench:
    """A micro-benchmark: PTX text of one kernel, called ``kernel``, and what it is launched with.

    Its parameters are records, memory and turns, then those of ``numbers`` (u32 each). ``links``
    are the operations that a turn of its loop makes one warp do. ``data``: what it executes or
    where it accesses memory depends on what memory holds. ``table`` is a variable in constant
    memory that the chain stands in; another kernel, LOCATOR, tells where the code finds it.
    ``clocked``: it keeps records.
    """

    name: str
    text: str
    kernel: str
    links: int
    numbers: tuple[str, ...] = ()
    data: bool = False
    table: str | None = None
    clocked: bool = True


@dataclass(frozen=True)
class MicrobenchBody:
    """A kernel as its parts: what comes before the clock is read, the loop, what comes after.

    The loop may be of several blocks, and ``exits`` are blocks that lead on to what comes after. A
    jump names the loop's blocks from 0, and behind these the exits. ``value`` puts into ro what
    the record keeps. ``scope`` has the registers that the parts named.
    """

    scope: NamedRegisters
    before: Sequence[Instruction]
    loop: Sequence[Sequence[Instruction]]
    value: Sequence[Instruction]
    exits: Sequence[Sequence[Instruction]] = ()
    variables: Sequence[Variable] = ()


def microbench(
    name: str,
    about: str,
    body: MicrobenchBody,
    chip: str,
    links: int,
    *,
    numbers: tuple[str, ...] = (),
    data: bool = False,
    table: str | None = None,
) -> Microbench:
    """Text of a micro-benchmark's kernel."""
    held, scope = body.variables, body.scope
    shared = [v for v in held if v.space is Space.SHARED]
    kernels = (_kernel(name, scope, body, numbers, shared), *([_locator(table)] if table else ()))
    version = ptx_version(Module("", chip, "", 64, WARP, ()), chip)
    constants = tuple(v for v in held if v.space is not Space.SHARED)
    module = Module(name, chip, version, 64, WARP, kernels, variables=constants)
    note = (f"{name}: {about}", "A micro-benchmark that warpmill calibrates machines with.")
    text = render("ptx/clone.ptx.j2", {"note": note, "module": print_ptx(module)})
    return Microbench(name, text, name, links, numbers, data, table)


def _kernel(
    name: str,
    scope: NamedRegisters,
    body: MicrobenchBody,
    numbers: tuple[str, ...],
    shared: Sequence[Variable],
) -> Kernel:
    blocks = tuple(_blocks(scope, body))
    return Kernel(
        name,
        tuple(parameters(numbers)),
        tuple(scope.registers.declared),
        blocks,
        NOWHERE,
        tuple(shared),
        attributes=("visible",),
    )


def _blocks(scope: NamedRegisters, body: MicrobenchBody) -> list[Block]:
    """The beginning, the loop, what comes after, and the exits behind that."""
    after = len(body.loop) + 1
    parts: list[tuple[str, list[Instruction]]] = [
        ("$BEGIN", [*scope.written(BEGIN), *body.before, scope.write(START)])
    ]
    for number, part in enumerate(body.loop):
        parts.append((f"$LOOP{number}", [_placed(one, after) for one in part]))
    parts[-1][1].extend([*scope.written(_TURN), scope.write("@pt bra", (1,))])
    parts.append(("$AFTER", [scope.write(STOP), *body.value, *scope.written(_END)]))
    for number, part in enumerate(body.exits):
        parts.append((f"$EXIT{number}", [*part, scope.write("bra.uni", (after,))]))
    return [
        Block(
            number,
            label,
            tuple(made),
            number + 1 if number < after else None,
            attributes=(NOUNROLL,) if number == 1 else (),
        )
        for number, (label, made) in enumerate(parts)
    ]


def _locator(table: str) -> Kernel:
    """Make the kernel that tells where its code finds a variable: the first word of the records."""
    scope = NamedRegisters()
    text = f"ld.param.u64 qr [&records]; mov.u64 qo &{table}; st.global.u64 [qr] qo; ret"
    block = Block(0, "$BEGIN", tuple(scope.written(text)), None)
    records = tuple(parameters(()))[:1]
    registers = tuple(scope.registers.declared)
    return Kernel(LOCATOR, records, registers, (block,), NOWHERE, attributes=("visible",))


def _placed(instruction: Instruction, after: int) -> Instruction:
    """Instruction with its target moved: its own block in the loop, or an exit past ``after``."""
    if not instruction.targets:
        return instruction
    targets = tuple(t + 1 if t + 1 < after else t + 2 for t in instruction.targets)
    return replace(instruction, targets=targets)


def parameters(numbers: tuple[str, ...]) -> Iterable[Parameter]:
    """The parameters that every kernel has, then numbers."""
    for name, type_ in (*_FIRST, *((one, "u32") for one in numbers)):
        yield Parameter(name, TYPES[type_], TYPES[type_].size_bytes, TYPES[type_].size_bytes)


def variable(name: str, space: Space, size_bytes: int) -> Variable:
    """Make an array of bytes, aligned for any type and any cache; hosts find those of modules."""
    words = () if space is Space.SHARED else ("visible",)
    return Variable(name, space, TYPES["b8"], size_bytes, 256, (size_bytes,), attributes=words)


# A short way to write instructions: ``add.u32 r0 r0 rc`` with registers that names call up.
#
# The first letter of a register's name is its type (``TYPES_OF``), so nothing is declared by hand.
# A name that ends in a digit belongs to a chain, others are shared: ``copied`` gives a chain of
# its own to each copy.

TYPES_OF = {"r": "b32", "h": "b16", "f": "f32", "d": "f64", "q": "b64", "p": "pred"}
"""Types of registers by the first letter of their names."""

_WORD = re.compile(r"\{[^}]*\}|\[[^]]*\]|\S+")
_OWN = re.compile(r"\b([rhfdqp])(\d+)\b")
_REGISTER = re.compile(r"[rhfdqp](\d+|[a-z])")


@dataclass
class NamedRegisters:
    """The registers of a kernel by the names that statements have for them."""

    registers: KernelRegisters = field(default_factory=KernelRegisters)
    known: dict[str, Reg] = field(default_factory=dict)

    def register(self, name: str) -> Reg:
        """A register; it is declared where it is first named."""
        if _REGISTER.fullmatch(name) is None:
            raise ValueError(f"`{name}` is no name of a register")
        if name not in self.known:
            self.known[name] = self.registers.new(TYPES_OF[name[0]])
        return self.known[name]

    def write(self, text: str, targets: tuple[int, ...] = ()) -> Instruction:
        """The instruction of a statement; ``targets`` are the blocks that it jumps to.

        Operands are registers, whole numbers, ``%tid.x``, ``&name`` (an address), ``[q0]``,
        ``{f0 f1}``; ``@p0`` or ``@!p0`` before the opcode guards.
        """
        words = _WORD.findall(text)
        guard = None
        if words[0].startswith("@"):
            name = words.pop(0)[1:]
            guard = Guard(self.register(name.lstrip("!")), name.startswith("!"))
        return write(words[0], *map(self._operand, words[1:]), guard=guard, targets=targets)

    def written(self, text: str) -> list[Instruction]:
        """The instructions of statements with semicolons between them."""
        return [self.write(one) for one in text.split(";") if one.strip()]

    def _operand(self, word: str) -> Operand:
        if word.startswith("["):
            return self._address(word[1:-1])
        if word.startswith("{"):
            return Vector(tuple(self._operand(part) for part in word[1:-1].split()))
        if word.startswith("%"):
            return Special(word[1:])
        if word.startswith("&"):
            return Symbol(word[1:])
        if word.lstrip("-").isdigit():
            return Imm(int(word)) if word.startswith("-") else imm(int(word), 64)
        return self.register(word)

    def _address(self, text: str) -> Address:
        base, _, offset = text.partition("+")
        bytes_ = int(offset or 0)
        if base.startswith("&"):
            return Address(Symbol(base[1:]), bytes_)
        return Address(self.register(base), bytes_)


def names_in(text: str) -> tuple[str, ...]:
    """List the registers that statements name, each once, in order."""
    operands = " ".join(operands for one in text.split(";") for operands in _parted(one)[::2])
    words = re.findall(r"[a-z]\w*", operands)
    return tuple(dict.fromkeys(word for word in words if _REGISTER.fullmatch(word)))


def copied(text: str, copies: int) -> list[str]:
    """The statements of so many chains, a statement of each chain after the other.

    Chains have the registers of the first one, counted on; what they share stays.
    """
    width = 1 + max((int(name[1:]) for name in own_of(names_in(text))), default=0)
    statements = [one.strip() for one in text.split(";") if one.strip()]
    return [_renamed(one, copy * width) for one in statements for copy in range(copies)]


def _renamed(statement: str, by: int) -> str:
    """Count a statement's own registers on; the opcode is not looked at."""
    guard, opcode, operands = _parted(statement)
    guard, operands = (
        _OWN.sub(lambda m: f"{m[1]}{int(m[2]) + by}", part) for part in (guard, operands)
    )
    return " ".join(part for part in (guard, opcode, operands) if part)


def _parted(statement: str) -> tuple[str, str, str]:
    """A statement's guard, opcode and operands."""
    text = statement.strip()
    guard, _, rest = text.partition(" ") if text.startswith("@") else ("", "", text)
    opcode, _, operands = rest.partition(" ")
    return guard, opcode, operands


def own_of(names: Iterable[str]) -> tuple[str, ...]:
    """List the registers that belong to chains."""
    return tuple(name for name in names if name[-1].isdigit())


# The operations that are measured, as ``operations.toml`` lists them.


@dataclass(frozen=True)
class MeasuredOperation:
    """A line of the table; its head says what the fields mean. Absent keys are None."""

    name: str
    code: str
    links: int = 1
    latency: str | None = None
    interval: str | None = None
    minus: str | None = None
    pad: str = ""
    results: int = 1
    begin: str = ""
    least: int = 30

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements of a link."""
        return tuple(one.strip() for one in self.code.split(";"))

    @property
    def opcodes(self) -> tuple[str, ...]:
        """The opcodes of a link, each once."""
        words = (one.split() for one in self.statements)
        return tuple(dict.fromkeys(w[1] if w[0].startswith("@") else w[0] for w in words))

    @property
    def keys(self) -> tuple[str, ...]:
        """The machine keys that its chains give."""
        return tuple(key for key in (self.latency, self.interval) if key is not None)

    @property
    def pads(self) -> tuple[str, ...]:
        """The lines that lengthen the chain, one for each statement; none where that is no use."""
        return tuple(self.pad.split())


@cache
def measured_operations() -> dict[str, MeasuredOperation]:
    """Read the table: every line by its name, in the order of the file."""
    text = (
        files("warpmill.codegen.microbench").joinpath("operations.toml").read_text(encoding="utf-8")
    )
    lines = tomllib.loads(text)["operations"]
    return {name: MeasuredOperation(name, **line) for name, line in lines.items()}
