"""Values of a kernel: which instruction makes one, which use it, which are moved to registers.

Only registers that one instruction writes count as values; what several write (loop variables,
results of both sides of a branch) has no maker.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Any

from warpmill.analyzer.analyses.cfg.graph import DomTree
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Kernel,
    NotPredicate,
    Operand,
    Reg,
    Special,
    Symbol,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.operation import Operation
from warpmill.analyzer.ir.types import OpClass, Place, Space, Type

# What one operation becomes in machine code: its line in ``expansion.toml``, looked up.
#
# The table is data, measured by ``tools/measure_expansion.py``; nothing here knows an operation.

OLDEST = 35
"""The oldest capability that was measured: 3.5, written as the other numbers of this table."""


_NARROWEST = 16
"""Bits of the smallest registers; PTX computes on no smaller type, LLVM does."""


@dataclass(frozen=True, slots=True)
class Mix:
    """Machine instructions by unit: ``(("add", 2), ("multiply", 1))``, in the table's order."""

    counts: tuple[tuple[str, int], ...] = ()

    @property
    def total(self) -> int:
        """All of them: the issue slots."""
        return sum(n for _, n in self.counts)

    def __add__(self, other: Mix) -> Mix:
        return _mix({**dict(self.counts), **{u: self.of(u) + n for u, n in other.counts}})

    def of(self, unit: str) -> int:
        """How many go to a unit."""
        return dict(self.counts).get(unit, 0)


FREE = Mix()
"""Mix of an operation that the machine code does not have."""


@dataclass(frozen=True, slots=True)
class OpcodeGroup:
    """A group of machine opcodes: the pipe they share, and the machine keys of their times.

    Compilers put some of them on the pipe ``also`` by turns, from Volta on.
    """

    name: str
    pipe: str
    also: str
    interval: str
    latency: str
    opcodes: frozenset[str]


PtxIsa = tuple[int, int]
"""A version of the PTX ISA: (9, 0), which came with CUDA 13.0."""

NEWEST_ISA: PtxIsa = (99, 0)
"""That of what is not PTX: it has no ptxas of its time."""

Lines = dict[str, tuple[tuple[int, Mix], ...]]


def ptx_isa(version: str) -> PtxIsa:
    """The ISA of a version as PTX has it, of two numbers; ``NEWEST_ISA`` of others, as LLVM's."""
    numbers = version.split(".")
    if len(numbers) != 2 or not all(map(str.isdecimal, numbers)):
        return NEWEST_ISA
    return int(numbers[0]), int(numbers[1])


@dataclass(frozen=True)
class ExpansionTable:
    """The file: units, the words that keys keep, and for each key the mixes by oldest chip.

    ``before`` has the lines that are others for PTX of an older ISA: by that ISA, the oldest first.
    """

    units: dict[str, OpcodeGroup]
    words: frozenset[str]
    minor: frozenset[str]
    aliases: dict[str, str]
    lines: Lines
    before: tuple[tuple[PtxIsa, Lines], ...]


@cache
def expansion_data() -> dict[str, Any]:
    """Read the file as it stands."""
    table = files(__package__).joinpath("expansion.toml")
    return tomllib.loads(table.read_text(encoding="utf-8"))


@cache
def expansion_table() -> ExpansionTable:
    """The table."""
    data = expansion_data()
    units = {name: _unit(name, line) for name, line in data["units"].items()}
    before = sorted((ptx_isa(isa), _lines(own)) for isa, own in data["before"].items())
    keys = data["keys"]
    words, minor = (frozenset(keys[name].split()) for name in ("words", "minor"))
    return ExpansionTable(
        units, words, minor, keys["aliases"], _lines(data["expansions"]), tuple(before)
    )


def _lines(data: dict[str, dict[str, str]]) -> Lines:
    return {
        key: tuple((int(chip.removeprefix("sm_")), _parse(mix)) for chip, mix in line.items())
        for key, line in data.items()
    }


def _unit(name: str, line: dict[str, str]) -> OpcodeGroup:
    opcodes = frozenset(line["opcodes"].split())
    also = line.get("also", "")
    return OpcodeGroup(name, line["pipe"], also, line["interval"], line["latency"], opcodes)


def _parse(text: str) -> Mix:
    if text == "free":
        return FREE
    return Mix(tuple((u, int(n)) for u, n in (part.split() for part in text.split(", "))))


def _mix(counts: dict[str, int]) -> Mix:
    return Mix(tuple(sorted((unit, n) for unit, n in counts.items() if n)))


def mix_of_key(key: str, capability: int, isa: PtxIsa = NEWEST_ISA) -> Mix | None:
    """Mix of a key on a chip: the entry of the newest chip not newer than it.

    None where the table has no such key, or the operation came with a later chip. Chips older than
    ``OLDEST`` are taken for it. ``isa`` is that of the PTX, whose ptxas is taken.
    """
    mix, table = None, expansion_table()
    line = table.lines.get(key, ())
    for first, older in reversed(table.before):
        if isa < first:
            line = older.get(key, line)
    for chip, one in line:
        if chip <= max(capability, OLDEST):
            mix = one
    return mix


def mix_of(instruction: Instruction, capability: int, isa: PtxIsa = NEWEST_ISA) -> Mix | None:
    """Mix of an instruction by itself; None where the table does not know it."""
    key = key_of(instruction.operation, _form(instruction), max(capability, OLDEST))
    return None if key is None else mix_of_key(key, capability, isa)


def machine_mix(operation: Operation) -> Mix:
    """Mix of a machine instruction: one of the unit that has its opcode, else of its class's."""
    words, units = operation.opcode.split("."), _units_of_opcodes()
    for name in _opcode_names(words):
        if name in units:
            return Mix(((units[name], 1),))
    return Mix(((_unit_of_class(operation), 1),))


def _opcode_names(words: list[str]) -> list[str]:
    """Names that the table may have for an opcode, the most telling first: F2I.S32.F64 first."""
    wide = [f"{words[0]}.{w}" for w in words[1:] if w in ("F64", "S64", "U64")]
    return [".".join(words[:3]), ".".join(words[:2]), *wide, words[0]]


@cache
def _units_of_opcodes() -> dict[str, str]:
    return {o: unit.name for unit in expansion_table().units.values() for o in unit.opcodes}


def _unit_of_class(operation: Operation) -> str:
    """The unit of an opcode that no unit has, by its class and the type it computes on."""
    op_class = operation.op_class
    if op_class.is_memory:
        return "memory"
    if op_class.is_texel_access:
        return "texture"
    type_ = operation.type
    if type_ is not None and type_.is_float and op_class.is_arithmetic:
        return {64: "fp64", 32: "fp32"}.get(type_.bits // type_.lanes, "fp16")
    return _UNITS.get(op_class, "add")


_UNITS = {
    OpClass.MMA: "tensor", OpClass.BRANCH: "branch", OpClass.RETURN: "branch",
    OpClass.BARRIER: "arrive", OpClass.FENCE: "barrier", OpClass.CONTROL: "branch",
    OpClass.SHUFFLE: "shuffle", OpClass.SPECIAL: "sfu", OpClass.CONVERT: "convert",
    OpClass.VIDEO: "multiply", OpClass.VOTE: "logic", OpClass.MOVE: "move",
}  # fmt: skip


def _form(instruction: Instruction) -> str:
    """Form by the operands: a constant, a special register, a symbol, a pair."""
    sources = instruction.sources
    if instruction.operation.name == "mov":
        return _move_form(instruction.operands[0], sources[0])
    last = sources[-1] if sources else None
    if last is not None and is_power_of_two(last):
        return "pow2"
    return "const" if isinstance(last, Imm | FloatImm) else ""


def is_power_of_two(operand: Operand) -> bool:
    """Whether an operand is an integer constant that is a power of two."""
    value = operand.value if isinstance(operand, Imm) else 0
    return value > 0 and not value & (value - 1)


def _move_form(to: Operand, source: Operand) -> str:
    match source:
        case Special(name):
            return name.partition(".")[0]
        case Symbol():
            return "symbol"
        case Imm() | FloatImm():
            return "const"
        case Vector():
            return "pack"
        case Reg() if isinstance(to, Vector):
            return "unpack"
    return ""


@lru_cache(maxsize=16384)
def key_of(operation: Operation, form: str, capability: int) -> str | None:
    """The key of the line that holds for an operation in a form; None where there is none."""
    lines = expansion_table().lines
    for key in _keys(operation, form):
        entries = lines.get(key)
        if entries and entries[0][0] <= capability:
            return key
    return None


def _keys(operation: Operation, form: str) -> Iterator[str]:
    """Name the keys that may hold, the most special first."""
    if operation.name == "mov" and form not in ("", "const"):
        yield f"mov.{form}"
    forms = {"pow2": (".pow2", ".const", ""), "const": (".const", "")}.get(form, (f".{form}", ""))
    aliases = expansion_table().aliases
    names = dict.fromkeys((operation.name, aliases.get(operation.name, operation.name)))
    for words in _word_choices(operation):
        for types in _type_choices(operation):
            for name in names:
                stem = ".".join((name, *words, *types))
                yield from (stem + one for one in forms)


def _word_choices(operation: Operation) -> Iterator[tuple[str, ...]]:
    """The words that may count: as written, with aliases, fewer."""
    table = expansion_table()
    taken = operation.name.split(".")
    written = [w.partition("::")[0] for w in operation.modifiers]
    spelt = tuple(w for w in written if w in table.words and w not in taken)
    renamed = tuple(table.aliases.get(w, w) for w in written)
    aliased = tuple(w for w in renamed if w in table.words and w not in taken)
    for dropped in ((), ("ftz",), ("ftz", "rn"), table.minor):
        yield tuple(w for w in spelt if w not in dropped)
        yield tuple(w for w in aliased if w not in dropped)
    yield ()


def _type_choices(operation: Operation) -> Iterator[tuple[str, ...]]:
    types = operation.types if operation.name in ("cvt", "set", "slct") else ()
    chosen = types or (() if operation.type is None else (operation.type,))
    yield tuple(t.name for t in chosen)
    yield tuple(_bits(t) for t in chosen)
    yield (_bits(chosen[0]), *(t.name for t in chosen[1:])) if chosen else ()
    if chosen and chosen[0].bits < _NARROWEST:
        yield (f"b{_NARROWEST}",)
    yield ()


def _bits(type_: Type) -> str:
    return type_.name if type_.is_float and type_.lanes > 1 else f"b{type_.bits}"


_WORDS = frozenset({"l", "wide", "lo", "hi", "rn", "rz", "rm", "rp", "eq", "ne", "sat"})


@dataclass(frozen=True)
class KernelValues:
    """A kernel's instructions by place, and for each register its writers and readers."""

    kernel: Kernel

    @cached_property
    def instructions(self) -> dict[Place, Instruction]:
        """All instructions by place, in order."""
        return {
            (block.id, index): instruction
            for block in self.kernel.blocks
            for index, instruction in enumerate(block.instructions)
        }

    @cached_property
    def _operands(self) -> dict[Place, tuple[tuple[Operand, ...], tuple[Operand, ...]]]:
        """Operands that each instruction writes and reads."""
        return {p: (i.destinations, i.sources) for p, i in self.instructions.items()}

    @cached_property
    def sources(self) -> dict[Place, tuple[Operand, ...]]:
        """The operands that each instruction reads."""
        return {place: instruction.sources for place, instruction in self.instructions.items()}

    @cached_property
    def _written(self) -> dict[int, list[Place]]:
        """Instructions that write each register."""
        found: dict[int, list[Place]] = {}
        for place, (written, _) in self._operands.items():
            for operand in written:
                for register in _registers(operand):
                    found.setdefault(register, []).append(place)
        return found

    @cached_property
    def _writers(self) -> dict[int, Place]:
        """The only writer of each register; copies on edges are no instructions and write too."""
        found = {r: places[0] for r, places in self._written.items() if len(places) == 1}
        for block in self.kernel.blocks:
            for edge in block.incoming:
                for to, _ in edge.copies:
                    found.pop(to.index, None)
        return found

    @cached_property
    def _readers(self) -> dict[int, list[Place]]:
        found: dict[int, list[Place]] = {}
        for place, (_, read) in self._operands.items():
            for operand in read:
                for register in _registers(operand):
                    found.setdefault(register, []).append(place)
            guard = self.instructions[place].guard
            if guard is not None:
                found.setdefault(guard.register.index, []).append(place)
        for block in self.kernel.blocks:
            for edge in block.incoming:
                for _, value in edge.copies:
                    if isinstance(value, Reg):
                        found.setdefault(value.index, []).append((block.id, -1))
        return found

    def is_free_between(self, register: Reg, first: Place, last: Place) -> bool:
        """Whether nothing between two places of a block writes or reads a register."""
        return not any(
            block == first[0] and first[1] < index < last[1]
            for places in (self._written, self._readers)
            for block, index in places.get(register.index, ())
        )

    def maker(self, operand: Operand) -> Place | None:
        """The only instruction that writes an operand's register; None where there is none."""
        if not isinstance(operand, Reg):
            return None
        return self._writers.get(operand.index)

    def result(self, place: Place) -> Reg | None:
        """The register that an instruction alone writes, where it writes just one."""
        destinations, _ = self._operands[place]
        if len(destinations) != 1 or self.instructions[place].guard is not None:
            return None
        (to,) = destinations
        return to if isinstance(to, Reg) and self.maker(to) == place else None

    def uses(self, place: Place) -> tuple[Place, ...]:
        """Readers of an instruction's value; nothing where it is no value."""
        register = self.result(place)
        return () if register is None else tuple(self._readers.get(register.index, ()))

    @cached_property
    def _moved(self) -> dict[int, Operand]:
        """Sources of the moves that lead to a register which nothing else writes."""
        return self._starts(frozenset({"mov"}))

    @cached_property
    def _pointed(self) -> dict[int, Operand]:
        return self._starts(frozenset({"mov", "cvta"}))

    def _starts(self, names: frozenset[str]) -> dict[int, Operand]:
        found: dict[int, Operand] = {}
        for place, instruction in self.instructions.items():
            if instruction.operation.name in names:
                (to, *_), (source, *_) = self._operands[place]
                if isinstance(to, Reg) and self.maker(to) == place:
                    found[to.index] = _start(found, source)
        return found

    def origin(self, operand: Operand) -> Operand:
        """Follow moves from register to register back to where a value comes from."""
        return _start(self._moved, operand)

    def constant(self, operand: Operand) -> bool:
        """Whether an operand is known when the machine code is made: a number, a symbol's place."""
        return isinstance(self.origin(operand), Imm | FloatImm | Symbol)

    def parameter(self, operand: Operand) -> Place | None:
        """The load of the kernel's parameter that an operand is, also as another pointer.

        So are sizes of block and grid, and constants in memory at a fixed place: all are operands
        from the constant bank.
        """
        if not isinstance(operand, Reg):
            return None
        start = _start(self._pointed, operand)
        if isinstance(start, Special):
            return self.maker(operand) if start.name.startswith(("ntid", "nctaid")) else None
        place = self.maker(start)
        is_load = place is not None and self.instructions[place].operation.name == "ld"
        return place if place is not None and is_load and self.in_constant_bank(place) else None

    def in_constant_bank(self, place: Place) -> bool:
        """Whether an instruction loads from a place in constant memory that is fixed."""
        instruction = self.instructions[place]
        if self.kernel.reads_parameter(instruction):
            return True
        if instruction.operation.space is not Space.CONST:
            return False
        address = instruction.address
        return isinstance(address, Address) and self.constant(address.base)

    def is_base(self, place: Place, register: Reg) -> bool:
        """Whether an instruction uses a register as its address and for nothing else."""
        instruction = self.instructions[place]
        address = instruction.address
        if not isinstance(address, Address) or address.base != register:
            return False
        return sum(index == register.index for index in instruction.reads) == 1

    def makers(self, place: Place) -> Iterator[Place]:
        """Producers of an instruction's sources, in order; of predicates also not's."""
        for source in self.sources[place]:
            found = self.maker(source.register if isinstance(source, NotPredicate) else source)
            if found is not None:
                yield found


def _registers(operand: Operand) -> Iterable[int]:
    """The registers that an operand names; most are one."""
    return (operand.index,) if isinstance(operand, Reg) else registers_in(operand)


def _start(starts: dict[int, Operand], operand: Operand) -> Operand:
    """Follow registers to their starts; a ring of moves ends at one that starts from itself."""
    while isinstance(operand, Reg):
        before = starts.get(operand.index)
        if before is None or before == operand:
            break
        operand = before
    return operand


@lru_cache(maxsize=4096)
def signature(operation: Operation) -> str:
    """Name what an operation computes, as rules of folding do.

    Such as ``mul.wide.b32``, ``cvt.s64.s32``, ``ld.shared``.
    """
    if operation.name == "cvt":
        return ".".join(("cvt", *(t.name for t in operation.types)))
    if operation.op_class.is_memory:
        return f"{operation.name}.{'' if operation.space is None else operation.space.value}"
    words = [word for word in operation.modifiers if word in _WORDS]
    type_ = operation.type
    of = "" if type_ is None else f".b{type_.bits}" if type_.is_integer else f".{type_.name}"
    return ".".join((operation.name, *words)) + of


# Operands that have to be moved to registers first: an arithmetic instruction takes one operand
# from elsewhere, an access to memory takes none.

_ARITHMETIC = frozenset(
    {"add", "sub", "mul", "mad", "fma", "setp", "min", "max", "and", "or", "xor"}
)
_TAKEN_IN = frozenset({"add", "sub", "mul"})
"""Operations whose operands their taker has when they vanish in it."""


_WRITES = frozenset({"st", "atom", "red"})
_MOVE = Mix((("move", 1),))


def moved_operands(
    values: KernelValues,
    gone: Collection[Place],
    dominators: DomTree,
    pointer: Mix,
    *,
    shifts: bool,
) -> dict[Place, Mix]:
    """The moves before each instruction that has operands it cannot take.

    What was moved serves for all that follow: in the blocks that the first one dominates.
    ``pointer`` is what it takes to have a pointer from the constant bank in registers. Chips that
    shift where later ones multiply (``shifts``) have powers of two in the instruction.
    """
    moved: dict[Place, Mix] = {}
    known: dict[Place | Operand, list[int]] = {}
    for place, instruction in values.instructions.items():
        if place in gone:
            continue
        free = 0
        if instruction.operation.name in _ARITHMETIC:
            wanted, free = [(one, _MOVE) for one in _fixed(values, gone, place, shifts)], 1
        elif instruction.operation.op_class.is_memory:
            wanted = list(_accessed(values, place, pointer))
        else:
            continue
        fresh = [w for w in wanted if not _is_known(known, w[0], place[0], dominators)][free:]
        for one, mix in fresh:
            moved[place] = moved.get(place, FREE) + mix
            known.setdefault(one, []).append(place[0])
    return moved


def _accessed(
    values: KernelValues, place: Place, pointer: Mix
) -> Iterator[tuple[Place | Operand, Mix]]:
    """Operands of an access that are no registers, with the cost of having them in some.

    That is a pointer and what is written; zero is a register. Where all lanes do an atomic
    operation at one place, what they write is added up in registers anyhow.
    """
    instruction = values.instructions[place]
    operation = instruction.operation
    is_global = operation.space in (Space.GLOBAL, Space.GENERIC)
    address = instruction.address
    base = None
    if is_global and isinstance(address, Address):
        base = values.parameter(address.base) or values.origin(address.base)
        if isinstance(base, tuple | Symbol):
            yield base, pointer
    is_one_place = operation.op_class is OpClass.ATOMIC and isinstance(base, tuple | Symbol)
    if operation.name not in _WRITES or is_one_place:
        return
    words = 1 if operation.type is None else -(-operation.type.bits // 32)
    for source in values.sources[place]:
        for element in source.elements if isinstance(source, Vector) else (source,):
            found = values.parameter(element) or values.origin(element)
            if isinstance(found, tuple) or _is_number(found):
                yield found, Mix((("move", words),))


def _is_number(operand: Operand) -> bool:
    """Whether it is a number other than zero."""
    match operand:
        case Imm(value):
            return value != 0
        case FloatImm(bits):
            return bits != 0
    return False


def _fixed(
    values: KernelValues, gone: Collection[Place], place: Place, shifts: bool
) -> list[Place | Operand]:
    """The operands that are no registers, those of what vanished in it among them.

    Those from the constant bank, which stay operands the longest, come first.
    """
    parameters: list[Place | Operand] = []
    numbers: list[Place | Operand] = []
    for source in values.sources[place]:
        maker = values.maker(source)
        if maker is not None and maker in gone and _is_taken_in(values, maker):
            inner = _fixed(values, gone, maker, shifts)
            parameters += (one for one in inner if isinstance(one, tuple))
            numbers += (
                one
                for one in inner
                if not isinstance(one, tuple) and not (shifts and is_power_of_two(one))
            )
        elif (parameter := values.parameter(source)) is not None:
            parameters.append(parameter)
        elif values.constant(source):
            numbers.append(values.origin(source))
    return parameters + numbers


def _is_taken_in(values: KernelValues, place: Place) -> bool:
    return values.instructions[place].operation.name in _TAKEN_IN


def _is_known(
    known: dict[Place | Operand, list[int]], one: Place | Operand, block: int, dominators: DomTree
) -> bool:
    return any(at == block or dominators.dominates(at, block) for at in known.get(one, ()))
