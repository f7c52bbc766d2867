"""Instructions that fold into others: the rules of ``expansion.toml`` on a kernel's values.

A rule names what is folded, into what, and what the user then is. The rest is structure: constants
in addresses, constants in registers, shifts in addresses of shared memory, predicates.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, reduce
from heapq import merge

from warpmill.analyzer.analyses.cfg.graph import DomTree
from warpmill.analyzer.ir.kernel import (
    Address,
    FloatImm,
    Imm,
    Instruction,
    Operand,
    Reg,
    Special,
    Vector,
)
from warpmill.analyzer.ir.operation import Operation, decode
from warpmill.analyzer.ir.types import OpClass, Place, Space
from warpmill.simulator.assembler.values import (
    FREE,
    NEWEST_ISA,
    OLDEST,
    KernelValues,
    Mix,
    PtxIsa,
    expansion_data,
    is_power_of_two,
    key_of,
    mix_of,
    mix_of_key,
    moved_operands,
    signature,
)

_LOGIC_INPUTS = 3
_LARGEST_SCALE = 4
"""The largest shift that an address of shared memory can have: by 16 bytes."""


@dataclass
class Folding:
    """The folding of one kernel for one chip: what is gone, and what its takers are."""

    values: KernelValues
    capability: int
    dominators: DomTree
    isa: PtxIsa = NEWEST_ISA
    gone: set[Place] = field(default_factory=set)
    taken: dict[Place, Mix | None] = field(default_factory=dict)
    moves: dict[Place, Mix] = field(default_factory=dict)

    def run(self) -> None:
        """Apply all rules."""
        self._signatures = {p: signature(i.operation) for p, i in self.values.instructions.items()}
        self._accessed: dict[Place, frozenset[Space | None] | None] = {}
        self._moved: set[Place] = set()
        self.taken |= atomics_at_one_place(self.values, self.capability)
        self._fold_moves()
        self._fold_offsets()
        self._narrowed = narrowed(self.values, self._accessed)
        self._signatures |= self._narrowed
        self._places: dict[str, list[Place]] = defaultdict(list)
        for place, name in self._signatures.items():
            self._places[name].append(place)
        self._fold_indices()
        self._fold_scales()
        self._fold_logic()
        for rule in fold_rules(self.capability):
            self._apply(rule)
        self._fold_predicates()
        pointer = mix_of_key("pointer", self.capability) or FREE
        scaled = mix_of_key("mul.wide.b32+add.b64.pow2", self.capability) or FREE
        shifts = not scaled.of("multiply")
        self.moves = moved_operands(self.values, self.gone, self.dominators, pointer, shifts=shifts)

    def mix(self, place: Place) -> Mix | None:
        """Machine instructions of an instruction; None where the table does not know it."""
        if place in self.gone:
            return FREE
        found = self.taken.get(place)
        if found is None:
            found = self._alone(place)
        moves = self.moves.get(place)
        return found if found is None or moves is None else found + moves

    def _alone(self, place: Place) -> Mix | None:
        """Machine instructions of an instruction that takes part in no folding."""
        key = self._narrowed.get(place)
        if key is None:
            return mix_of(self.values.instructions[place], self.capability, self.isa)
        return self._of_key(key, self.values.origin(self.values.sources[place][-1]))

    def _apply(self, rule: FoldingRule) -> None:
        for place in merge(*(self._places.get(name, ()) for name in rule.of)):
            if place in self.gone or place in self.taken:
                continue
            users = self.values.uses(place)
            if not users or place in users or (len(users) > 1 and not rule.every):
                continue
            if all(self._takes(rule, user) for user in users) and self._fits(rule, place, users):
                self._take(rule, place, users)

    def _takes(self, rule: FoldingRule, user: Place) -> bool:
        if self._signatures.get(user) not in rule.into or user in self.gone:
            return False
        return not rule.becomes or user not in self.taken

    def _fits(self, rule: FoldingRule, place: Place, users: tuple[Place, ...]) -> bool:
        """Whether the operands' constants allow it."""
        constant, sources = self.values.constant, self.values.sources
        if rule.constant and not constant(sources[place][-1]):
            return False
        most = max(sum(map(constant, sources[user])) for user in users)
        return sum(map(constant, sources[place])) + most <= rule.constants

    def _take(self, rule: FoldingRule, place: Place, users: tuple[Place, ...]) -> None:
        self.gone.add(place)
        if rule.becomes:
            last = self.values.origin(self.values.sources[place][-1])
            mix = self._of_key(rule.becomes, last)
            self.taken |= dict.fromkeys(users, mix)

    def _of_key(self, key: str, last: Operand) -> Mix | None:
        """The line of a key for an operand that may be a constant."""
        forms = ("",) if isinstance(last, Reg) else (".const", "")
        if is_power_of_two(last):
            forms = (".pow2", *forms)
        found = (mix_of_key(key + form, self.capability, self.isa) for form in forms)
        return next((mix for mix in found if mix is not None), None)

    def _fold_moves(self) -> None:
        """Fold constants into operands; a register that several instructions write takes moves."""
        words_of_zero: Counter[int] = Counter()
        for place, instruction in self.values.instructions.items():
            if instruction.operation.name == "ld" and self.values.in_constant_bank(place):
                self.gone.add(place)
            if instruction.operation.name != "mov" or not self._moves_one(place):
                continue
            if self.values.result(place) is not None or self._coalesces(place):
                self.gone.add(place)
                continue
            moves = _words(instruction)
            if _is_zero(self.values.sources[place][0]) and self._clears_pairs:
                before = words_of_zero[place[0]]
                words_of_zero[place[0]] += moves
                moves = (before + moves + 1) // 2 - (before + 1) // 2
            self.taken[place] = Mix((("move", moves),)) if moves else FREE

    def _moves_one(self, place: Place) -> bool:
        """Whether a move goes from one register or constant to one register."""
        to, source = self.values.instructions[place].operands[0], self.values.sources[place][0]
        return not isinstance(to, Vector) and not isinstance(source, Vector | Special)

    def _coalesces(self, place: Place) -> bool:
        """Whether the value that is moved is made in the register that it is moved to.

        Its instruction stands in the same block, and nothing in between needs the register.
        """
        to, source = self.values.instructions[place].operands[0], self.values.sources[place][0]
        maker = self.values.maker(source)
        if maker is None or maker[0] != place[0] or not isinstance(to, Reg):
            return False
        is_value = self.values.result(maker) is not None and maker not in self._moved
        if not is_value or self.values.instructions[place].guard is not None:
            return False
        free = maker[1] < place[1] and self.values.is_free_between(to, maker, place)
        if free:
            self._moved.add(maker)
        return free

    @property
    def _clears_pairs(self) -> bool:
        """Whether one instruction puts zero in two registers."""
        return mix_of_key("mov.zero.b64", self.capability) == Mix((("move", 1),))

    def _fold_offsets(self) -> None:
        """Fold constants that are added to an address into the access."""
        for place in reversed(self.values.instructions):
            if self._adds_constant(place):
                self._accessed[place] = self._spaces(place)
                if self._accessed[place] is not None:
                    self.gone.add(place)

    def _adds_constant(self, place: Place) -> bool:
        instruction, sources = self.values.instructions[place], self.values.sources[place]
        if instruction.operation.name == "lea":
            return not isinstance(sources[1], Reg)
        is_sum = instruction.operation.name in ("add", "sub") and _is_index(instruction)
        return is_sum and any(map(self.values.constant, sources))

    def _spaces(self, place: Place) -> frozenset[Space | None] | None:
        """The memory that a value is the address of; None where it is used for anything else.

        Offsets that were folded lead to the accesses that took them.
        """
        register, users = self.values.result(place), self.values.uses(place)
        if register is None or not users:
            return None
        found: set[Space | None] = set()
        for user in users:
            if user in self.values.instructions and self.values.is_base(user, register):
                found.add(self.values.instructions[user].operation.space)
            elif (spaces := self._accessed.get(user)) is not None:
                found |= spaces
            else:
                return None
        return frozenset(found)

    def _fold_indices(self) -> None:
        """Addresses as LLVM computes them their lines, which take widening the index in."""
        for place, instruction in self.values.instructions.items():
            if instruction.operation.name != "lea" or place in self.gone:
                continue
            if not is_lea(self.values, place):
                self.taken[place] = mix_of_key("add.b64.const", self.capability)
                continue
            keys = lea_keys(self.values, place, self._spaces(place))
            mixes = [mix_of_key(key, self.capability) for key in keys]
            self.taken[place] = reduce(Mix.__add__, (m for m in mixes if m is not None), FREE)
            conversion = widened(self.values, self.values.sources[place][1])
            if conversion is not None:
                self.gone.add(conversion)

    def _fold_scales(self) -> None:
        """Fold shifts by 2 to 4 into an address of shared memory, where chips can do that."""
        scaled = mix_of_key("shl.b32+ld.shared", self.capability)
        if scaled is None or scaled.total > 1:
            return
        for place, instruction in self.values.instructions.items():
            if instruction.operation.name != "shl" or not _is_index(instruction):
                continue
            by = self.values.sources[place][1]
            fits = isinstance(by, Imm) and 1 < by.value <= _LARGEST_SCALE
            if fits and self._spaces(place) == frozenset({Space.SHARED}):
                self.gone.add(place)

    def _fold_logic(self) -> None:
        """Fold all logic of up to three values into one instruction; negations come for free."""
        for place in merge(*(self._places[f"not.b{bits}"] for bits in (16, 32, 64))):
            width = self._signatures[place].removeprefix("not.")
            users = self.values.uses(place)
            if users and all(self._signatures.get(u) in _logic(width) for u in users):
                self.gone.add(place)
        for width in ("b32", "b64"):
            pair = mix_of_key(f"and.{width}+or.{width}", self.capability)
            alone = mix_of_key(f"and.{width}", self.capability)
            if pair is not None and pair == alone:
                self._join_logic(width, pair)

    def _join_logic(self, width: str, mix: Mix) -> None:
        inputs: dict[Place, frozenset[Operand]] = {}
        for place in merge(*(self._places[name] for name in _logic(width))):
            leaves = frozenset(map(self._negated, self.values.sources[place]))
            for leaf in sorted(leaves, key=repr):
                maker = self.values.maker(leaf)
                if maker not in inputs or set(self.values.uses(maker)) - self.gone != {place}:
                    continue
                joined = (leaves - {leaf}) | inputs[maker]
                if len(joined) <= _LOGIC_INPUTS:
                    self.gone.add(maker)
                    self.taken[place] = mix
                    leaves = joined
            inputs[place] = leaves

    def _negated(self, operand: Operand) -> Operand:
        """Source of a negation that is gone, else the operand."""
        maker = self.values.maker(operand)
        is_gone = maker in self.gone and self._signatures[maker].startswith("not.")
        return self.values.sources[maker][0] if maker is not None and is_gone else operand

    def _fold_predicates(self) -> None:
        """Fold one connection of a comparison's result with another predicate into it."""
        if (found := mix_of_key("setp.b32+and.pred", self.capability)) is None or found.total > 1:
            return
        full: set[Place] = set()
        for place in merge(*(self._places[f"{name}.pred"] for name in ("and", "or", "xor"))):
            for maker in self.values.makers(place):
                is_comparison = self.values.instructions[maker].operation.name == "setp"
                if is_comparison and maker not in full:
                    self.gone.add(place)
                    full.add(maker)
                    break


def _logic(width: str) -> tuple[str, ...]:
    return (f"and.{width}", f"or.{width}", f"xor.{width}")


def _is_index(instruction: Instruction) -> bool:
    type_ = instruction.operation.type
    return type_ is not None and type_.is_integer and type_.bits in (32, 64)


def _words(instruction: Instruction) -> int:
    type_ = instruction.operation.type
    return 1 if type_ is None else -(-type_.bits // 32)


def _is_zero(operand: Operand) -> bool:
    match operand:
        case Imm(value):
            return value == 0
        case FloatImm(bits):
            return bits == 0
    return False


# The rules of ``[[folds]]`` in ``expansion.toml``: what a compiler makes of two operations.

_ANY_NUMBER = 99
_NEWEST = 9999


@dataclass(frozen=True, slots=True)
class FoldingRule:
    """One line of ``[[folds]]``: instructions ``of`` one signature vanish in those of another.

    Where ``every`` is set all users of the value have to take it, else it has a single user.
    ``becomes`` is the key of what the taker then is, empty where it stays what it is. With
    ``constant`` the last operand of what vanishes is a constant; ``constants`` is how many
    constant operands the two may have together. Chips from ``since`` to ``until`` do it.
    """

    of: tuple[str, ...]
    into: frozenset[str]
    every: bool
    becomes: str
    constant: bool
    constants: int
    since: int
    until: int


@cache
def fold_rules(capability: int) -> tuple[FoldingRule, ...]:
    """The rules of a chip (86 is 8.6), in the order in which they are applied."""
    chip = max(capability, OLDEST)
    return tuple(rule for rule in _rules() if rule.since <= chip <= rule.until)


@cache
def _rules() -> tuple[FoldingRule, ...]:
    return tuple(
        FoldingRule(
            of=tuple(line["of"].split()),
            into=frozenset(line["into"].split()),
            every=line.get("uses") == "all",
            becomes=line.get("becomes", ""),
            constant=line.get("constant", False),
            constants=line.get("constants", _ANY_NUMBER),
            since=line.get("since", 0),
            until=line.get("until", _NEWEST),
        )
        for line in expansion_data()["folds"]
    )


# Atomic operations that all threads do at one place: a warp adds its lanes up and does one.
#
# The lines ``….uniform`` of ``expansion.toml`` are of that; with ``….uniform.const`` each lane
# adds the same number, which takes no more than counting them.


def atomics_at_one_place(values: KernelValues, capability: int) -> dict[Place, Mix]:
    """Expansion of atomic operations whose address is a parameter or a symbol.

    One whose result nobody reads is a reduction. In a block the lanes are counted once for all
    operations that add the same number at the same place.
    """
    found: dict[Place, Mix] = {}
    counted: set[tuple[int, Operand | Place, tuple[Operand, ...]]] = set()
    for place, instruction in values.instructions.items():
        base = _base(values, instruction)
        if base is None:
            continue
        numbers = tuple(values.origin(source) for source in values.sources[place][1:])
        form = "uniform"
        if all(isinstance(number, Imm | FloatImm) for number in numbers):
            form = "" if (place[0], base, numbers) in counted else "uniform.const"
            counted.add((place[0], base, numbers))
        key = key_of(_operation(values, place), form, max(capability, OLDEST))
        mix = None if key is None else mix_of_key(key, capability)
        if mix is not None:
            found[place] = mix
    return found


def _base(values: KernelValues, instruction: Instruction) -> Operand | Place | None:
    """The place that all threads access, None where it is not one."""
    address = instruction.address
    if instruction.operation.op_class is not OpClass.ATOMIC or not isinstance(address, Address):
        return None
    if values.constant(address.base):
        return values.origin(address.base)
    return values.parameter(address.base)


def _operation(values: KernelValues, place: Place) -> Operation:
    operation = values.instructions[place].operation
    is_unread = operation.name == "atom" and values.result(place) is not None
    if is_unread and not values.uses(place):
        return decode("red" + operation.opcode.removeprefix("atom"))
    return operation


# Addresses: what ``lea`` becomes, and the arithmetic of shared memory's, which has 32 bits.
#
# ``lea`` is LLVM's ``getelementptr``. PTX writes a conversion, a multiplication and an addition;
# the lines of ``expansion.toml`` for those together are used.

_WIDENED = frozenset({"cvt.s64.s32", "cvt.u64.u32", "cvt.s64.u32", "cvt.u64.s32"})


def lea_keys(
    values: KernelValues, place: Place, spaces: frozenset[Space | None] | None
) -> list[str]:
    """The keys whose lines together are a ``lea`` with an index in a register.

    ``spaces`` is the memory that it is the address of, None where it is used for anything else.
    Shared memory has addresses of 32 bits.
    """
    _, index, scale, offset = values.sources[place]
    type_ = values.instructions[place].operation.type
    is_short = spaces == frozenset({Space.SHARED}) or (type_ is not None and type_.bits == 32)
    if is_short:
        found = [_key("add.b32", "shl.b32+add.b32", "mul.lo.b32+add.b32.const", scale)]
    elif widened(values, index) is not None:
        wide = "mul.wide.b32+add.b64"
        found = [_key("cvt.b64.b32+add.b64", f"{wide}.pow2", f"{wide}.const", scale)]
    else:
        found = [_key("add.b64", "shl.b64+add.b64", "mul.lo.b64+add.b64.const", scale)]
    if spaces is None and offset != Imm(0):
        found.append("add.b32" if is_short else "add.b64.const")
    return found


def widened(values: KernelValues, index: Operand) -> Place | None:
    """The conversion from 32 to 64 bits that an index is, where only ``lea`` use it."""
    place = values.maker(index) if isinstance(index, Reg) else None
    if place is None or signature(values.instructions[place].operation) not in _WIDENED:
        return None
    users = values.uses(place)
    only = all(u in values.instructions and is_lea(values, u) for u in users)
    return place if users and only else None


def is_lea(values: KernelValues, place: Place) -> bool:
    """Whether an instruction is a ``lea`` with an index in a register."""
    instruction = values.instructions[place]
    return instruction.operation.name == "lea" and isinstance(values.sources[place][1], Reg)


_SHARED: frozenset[Space | None] = frozenset({Space.SHARED})
_NARROW = {
    "add.b64": "add.b32",
    "shl.b64": "shl.b32",
    "mul.lo.b64": "mul.lo.b32",
    "mul.wide.b32": "mul.lo.b32",
    **dict.fromkeys(_WIDENED, "cvt.u32.u64"),
}
"""Operations of 64 bits and their equivalents in 32; a conversion from 32 bits is none."""


def narrowed(
    values: KernelValues, accessed: Mapping[Place, frozenset[Space | None] | None]
) -> dict[Place, str]:
    """The signature of each 64-bit operation that computes an address of shared memory alone.

    Compilers compute those in 32 bits. ``accessed`` has the offsets that are parts of accesses.
    """
    found: dict[Place, str] = {}

    def is_shared(user: Place, register: Reg) -> bool:
        if user in found or accessed.get(user) == _SHARED:
            return True
        if user not in values.instructions or not values.is_base(user, register):
            return False
        return values.instructions[user].operation.space is Space.SHARED

    for place in reversed(values.instructions):
        narrow = _NARROW.get(signature(values.instructions[place].operation))
        register = values.result(place) if narrow is not None else None
        if narrow is None or register is None or accessed.get(place) is not None:
            continue
        users = values.uses(place)
        if users and all(is_shared(user, register) for user in users):
            is_shift = narrow == "mul.lo.b32" and is_power_of_two(values.sources[place][-1])
            found[place] = "shl.b32" if is_shift else narrow
    return found


def _key(alone: str, shifted: str, multiplied: str, scale: Operand) -> str:
    if scale == Imm(1):
        return alone
    return shifted if is_power_of_two(scale) else multiplied
