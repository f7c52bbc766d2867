"""Instructions of a kernel by class and opcode, and the functions that it calls."""

from __future__ import annotations

import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import Annotated

from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.base.metric import INTERNAL, Id, Metric, derived
from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Reg,
    Special,
    Symbol,
    registers_in,
)
from warpmill.analyzer.ir.operation import Knowledge, Operation
from warpmill.analyzer.ir.types import OpClass, Space


@dataclass(frozen=True)
class InstructionMix:
    """Static counts, most frequent first; ``by_nearest_rule`` opcodes are not in the table."""

    instructions: int
    by_class: tuple[tuple[str, int], ...]
    by_opcode: tuple[tuple[str, int], ...]
    by_nearest_rule: int


def instruction_mix(kernel: Kernel) -> InstructionMix:
    """Count a kernel's instructions; edge copies are none."""
    classes = Counter(i.operation.op_class.value for i in kernel.instructions)
    opcodes = Counter(i.operation.opcode for i in kernel.instructions)
    nearest = sum(i.operation.knowledge is Knowledge.NEAREST for i in kernel.instructions)
    return InstructionMix(kernel.instruction_count, _ranked(classes), _ranked(opcodes), nearest)


def _ranked(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


# Which instructions the paper's trace keeps (hybrid estimation, §III-A-1): a view.
#
# The paper keeps arithmetic and memory access operations and the barriers, and leaves out what it
# takes to cost no time: annotations, address calculation (``getelementptr``), conversions, and
# calls of work-item functions. Nothing is taken away here: the view tells which instructions of a
# block it keeps, and of the others why not.
#
# LLVM has one instruction for address calculation, PTX a chain of multiplications, shifts and
# additions. Both are told by their uses: an instruction calculates addresses where its result
# counts bytes and is used only as the address of memory accesses or for further such calculation.
# What is scaled to bytes on the way (the index) is arithmetic, as it is in LLVM.


class Reason(Enum):
    """Reason why an instruction is left out."""

    ANNOTATION = "annotation or machine control"
    ADDRESS = "address calculation"
    CONVERSION = "type conversion"
    MOVE = "move or copy"
    CONTROL_FLOW = "control flow"
    WORK_ITEM = "work-item function"
    PARAMETER = "parameter access"


@dataclass(frozen=True)
class PrunedBlock:
    """The view of one block: the places of kept instructions, and (place, reason) of the others."""

    block: int
    kept: tuple[int, ...]
    left_out: tuple[tuple[int, Reason], ...]


@dataclass(frozen=True)
class Pruned:
    """The view of a kernel; ``blocks`` run in step with the kernel's."""

    blocks: Annotated[tuple[PrunedBlock, ...], INTERNAL]

    @derived("Instructions", "inst")
    def kept(self) -> int:
        """Instructions that are kept."""
        return sum(len(block.kept) for block in self.blocks)

    @derived("Skipped instructions", "inst")
    def left_out(self) -> Mapping[Reason, int]:
        """Instructions that are left out for each reason, in the order of ``Reason``."""
        found = Counter(reason for block in self.blocks for _, reason in block.left_out)
        return {reason: found[reason] for reason in Reason if reason in found}


def pruned(structure: Structure) -> Pruned:
    """The view of a kernel. Blocks that control does not reach have no address calculation."""
    addresses = _address_calculation(structure)
    return Pruned(
        tuple(_block(block.id, block.instructions, addresses) for block in structure.kernel.blocks)
    )


def kept(structure: Structure) -> tuple[frozenset[int], ...]:
    """The places of the kept instructions, block by block."""
    return tuple(frozenset(block.kept) for block in pruned(structure).blocks)


def _block(
    block: int, instructions: tuple[Instruction, ...], addresses: frozenset[tuple[int, int]]
) -> PrunedBlock:
    reasons = [
        Reason.ADDRESS if (block, place) in addresses else _reason(instruction)
        for place, instruction in enumerate(instructions)
    ]
    return PrunedBlock(
        block,
        tuple(place for place, reason in enumerate(reasons) if reason is None),
        tuple((place, reason) for place, reason in enumerate(reasons) if reason is not None),
    )


def _reason(instruction: Instruction) -> Reason | None:
    """Reason why an instruction is left out by itself; None where it is kept."""
    operation = instruction.operation
    if operation.space is Space.PARAM and operation.op_class in (OpClass.LOAD, OpClass.STORE):
        return Reason.PARAMETER
    if operation.op_class is OpClass.MOVE:
        reads_id = any(isinstance(o, Special) for o in instruction.sources)
        return Reason.WORK_ITEM if reads_id else Reason.MOVE
    if keeps_type(operation):
        return None  # an intrinsic, which the paper takes for an operation
    return _BY_NAME.get(operation.name, _BY_CLASS.get(operation.op_class))


_BY_CLASS = {
    OpClass.CONVERT: Reason.CONVERSION,
    OpClass.BRANCH: Reason.CONTROL_FLOW,
    OpClass.RETURN: Reason.CONTROL_FLOW,
    OpClass.CONTROL: Reason.ANNOTATION,
}
_BY_NAME = {
    "cvta": Reason.CONVERSION,
    "trap": Reason.CONTROL_FLOW,
    "alloca": Reason.ADDRESS,
}
"""Reasons for which operations are left out; others that calculate no addresses are kept."""


def _address_calculation(structure: Structure) -> frozenset[tuple[int, int]]:
    """(block, instruction) of those that only make addresses."""
    uses = _Uses(structure)
    other = _spread(uses.other, uses.feeders)
    reaching = _spread(uses.address, uses.feeders)
    return frozenset(
        (definition.block, definition.instruction)
        for definition in structure.ssa.definitions
        if definition.instruction >= 0 and definition.id not in other
        if _calculates(
            structure.kernel.blocks[definition.block].instructions[definition.instruction],
            definition.id in reaching,
        )
    )


def _calculates(instruction: Instruction, is_address: bool) -> bool:
    """Whether an instruction whose result has no other use calculates addresses."""
    if instruction.operation.name == "lea":
        return True  # it may be for nothing at all
    return (
        is_address
        and _is_whole(instruction.operation)
        and (instruction.operation.name in _CALCULATING)
    )


def _is_whole(operation: Operation) -> bool:
    """Whether it is plain arithmetic on one integer."""
    type_ = operation.type
    return (
        type_ is not None
        and type_.is_integer
        and type_.lanes == 1
        and "hi" not in (operation.modifiers)
    )


def _spread(found: Iterable[int], feeders: dict[int, list[int]]) -> set[int]:
    """Definitions and all that they are made from, bytes from bytes."""
    reached = set(found)
    stack = sorted(reached)
    while stack:
        for id_ in feeders[stack.pop()]:
            if id_ not in reached:
                reached.add(id_)
                stack.append(id_)
    return reached


@dataclass
class _Uses:
    """Uses of definitions.

    ``address`` are those used as an address, ``other`` those used for anything else but in bytes;
    ``feeders`` has for a definition those whose bytes go into it.
    """

    structure: Structure
    address: set[int] = field(default_factory=set)
    other: set[int] = field(default_factory=set)
    feeders: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        ssa = self.structure.ssa
        for id_, inputs in ssa.phi_inputs.items():
            for source in inputs:
                for register in registers_in(source.operand):
                    found = ssa.out[source.predecessor].get(register)
                    self.feeders[id_] += [] if found is None else [found]
        for block in self.structure.cfg.reverse_postorder:
            for index in range(len(ssa.before[block])):
                self._instruction(block, index)

    def _instruction(self, block: int, index: int) -> None:
        instruction = self.structure.kernel.blocks[block].instructions[index]
        before = self.structure.ssa.before[block][index]
        written = self.structure.ssa.written[block][index]
        if instruction.guard is not None:
            for register, id_ in written.items():
                self.feeders[id_].append(before[register])
        in_bytes = set(self._in_bytes(block, index, instruction))
        for place, operand in enumerate(instruction.sources):
            ids = [before[r] for r in registers_in(operand)]
            if isinstance(operand, Address):
                self.address.update(ids)
            elif place in in_bytes and written:
                for id_ in written.values():
                    self.feeders[id_] += ids
            else:
                self.other.update(ids)

    def _in_bytes(self, block: int, index: int, instruction: Instruction) -> Iterator[int]:
        """The places of sources that count bytes where the result does."""
        name, sources = instruction.operation.name, instruction.sources
        yield from _IN_BYTES.get(name, ())
        if name == "lea" and sources[2] == Imm(1):
            yield 1
        if (
            name == "cvt"
            and _is_of_integers(instruction.operation)
            and self._points(block, index, sources[0])
        ):
            yield 0

    def _points(self, block: int, index: int, operand: Operand) -> bool:
        """Whether an operand is counted from the address of a variable."""
        if not isinstance(operand, Reg):
            return False
        formula = self.structure.values.of_operand(block, index, operand)
        return AtomKind.ADDRESS in formula.kinds()


def _is_of_integers(conversion: Operation) -> bool:
    """Whether a conversion may be of an address: no float is one."""
    return all(type_.is_integer for type_ in conversion.types)


_CALCULATING = frozenset({"add", "sub", "or", "mul", "mad", "mul24", "mad24", "shl", "mapa"})
"""Operations that calculate addresses where all their uses say so."""

_IN_BYTES = {
    "add": (0, 1),
    "sub": (0, 1),
    "or": (0, 1),
    "mad": (2,),
    "mad24": (2,),
    "lea": (0, 3),
    "mov": (0,),
    "cvta": (0,),
    "mapa": (0,),
    "selp": (0, 1),
}
"""Sources that are in bytes where the result is; factors are not: they are what is scaled."""


# Calls, and what stands for them (hybrid estimation, §III-A-1).
#
# The paper finds three kinds of calls in a kernel's bitcode: work-item functions, the
# synchronisation function, and LLVM's intrinsics. Here a front-end has already turned the calls
# that it knows into instructions, and PTX never had them as calls: the kinds are told by what an
# instruction does, so that both come out alike. A fourth kind are calls that stayed calls.


class CallKind(Enum):
    """Purpose of a call."""

    WORK_ITEM = "work-item function"
    SYNCHRONISATION = "synchronisation"
    INTRINSIC = "intrinsic function"
    FUNCTION = "function"  # one that stayed a call


class SyncScope(Enum):
    """Scope of a synchronisation."""

    THREAD = "thread"
    WARP = "warp"
    CTA = "cta"
    CLUSTER = "cluster"
    GPU = "gpu"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class ClassifiedCall:
    """One place that stands for a call.

    ``name`` is the special register, the opcode or the function; ``function`` what OpenCL calls it,
    for work-item functions that OpenCL has. ``scope`` belongs to synchronisation.
    """

    kind: Annotated[CallKind, Metric("Kind")]
    block: Annotated[int, INTERNAL]
    instruction: Id
    name: Annotated[str, Metric("Name")]
    span: Annotated[Span, INTERNAL]
    function: str | None = None
    scope: Annotated[SyncScope | None, Metric("Scope")] = None


def calls(kernel: Kernel) -> tuple[ClassifiedCall, ...]:
    """List the calls of a kernel in program order."""
    return tuple(
        call
        for block in kernel.blocks
        for index, instruction in enumerate(block.instructions)
        for call in _calls(block.id, index, instruction)
    )


def call_kind(operation: Operation) -> CallKind | None:
    """Kind of call that an operation stands for; None where it is a plain instruction."""
    if operation.op_class is OpClass.CALL:
        return CallKind.FUNCTION
    table = _table()
    if operation.name in table.scopes:
        return CallKind.SYNCHRONISATION
    if operation.name in table.intrinsics or keeps_type(operation):
        return CallKind.INTRINSIC
    return CallKind.INTRINSIC if operation.op_class.value in table.intrinsic_classes else None


def synchronisation_scope(operation: Operation) -> SyncScope | None:
    """The scope of an operation that synchronises; None for others."""
    word = _table().scopes.get(operation.name)
    if word != "named":
        return None if word is None else SyncScope(word)
    named = (_NAMED[m] for m in operation.modifiers if m in _NAMED)
    return next(named, SyncScope.GPU)


_NAMED = {
    "cta": SyncScope.CTA,
    "cluster": SyncScope.CLUSTER,
    "gl": SyncScope.GPU,
    "gpu": SyncScope.GPU,
    "sys": SyncScope.SYSTEM,
}
"""Scopes as opcodes of fences name them."""


def _calls(block: int, index: int, instruction: Instruction) -> Iterator[ClassifiedCall]:
    operation, span = instruction.operation, instruction.span
    for operand in instruction.sources:
        if isinstance(operand, Special):
            name = operand.name
            yield ClassifiedCall(
                CallKind.WORK_ITEM, block, index, name, span, work_item_function(name)
            )
    kind = call_kind(operation)
    if kind is CallKind.FUNCTION:
        yield ClassifiedCall(kind, block, index, _callee(instruction.operands), span)
    elif kind is not None:
        scope = synchronisation_scope(operation)
        yield ClassifiedCall(kind, block, index, operation.opcode, span, None, scope)


def work_item_function(special: str) -> str | None:
    """OpenCL function that reads a special register; None if there is none."""
    name, _, component = special.partition(".")
    function = _table().work_item.get(name)
    if function is None:
        return None
    return f"{function}({'xyz'.index(component)})" if component in _AXES else f"{function}()"


_AXES = frozenset("xyz")


def _callee(operands: tuple[Operand, ...]) -> str:
    """Name the function that is called: one by its symbol, or that it is known at run time only."""
    named = next((o.name for o in operands if isinstance(o, Symbol)), None)
    return "an unknown function" if named is None else named


def keeps_type(operation: Operation) -> bool:
    """Whether it is a conversion within one type: floor, ceil and their like, all intrinsics."""
    types = operation.types
    return operation.name == "cvt" and len(types) == 2 and types[0] == types[1]


@dataclass(frozen=True)
class _Table:
    """The lists of ``calls.toml``; ``scopes`` has the word for each synchronising operation."""

    work_item: dict[str, str]
    scopes: dict[str, str]
    intrinsics: frozenset[str]
    intrinsic_classes: frozenset[str]


@cache
def _table() -> _Table:
    text = files(__package__).joinpath("calls.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    scopes = {n: word for word, names in data["synchronisation"].items() for n in names}
    listed = data["intrinsic"]
    return _Table(
        data["work_item"], scopes, frozenset(listed["operations"]), frozenset(listed["classes"])
    )
