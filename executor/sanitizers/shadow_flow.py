"""Where undefined bytes go in a kernel: what each instruction does with them, what may have any.

A register that cannot be undefined has no shadow. Of the others most are computed as a whole, and
a predicate is enough for them; bytes are told apart in what is copied byte by byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum

from warpmill.analyzer.ir.kernel import (
    Address,
    Arguments,
    Element,
    Imm,
    Instruction,
    Kernel,
    Operand,
    Pair,
    Reg,
    Vector,
    registers_in,
)
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind
from warpmill.executor.sanitizers.exact_integers import CHECK


class Kind(Enum):
    """What an instruction does with undefined bytes."""

    NOTHING = "nothing"  # its results are defined
    JOIN = "join"  # its results are undefined where any of its sources is
    ELEMENTS = "elements"  # likewise, element by element
    PRODUCT = "product"  # of matrices
    WARP = "warp"  # likewise, whichever lane's
    MOVE = "move"  # its result has the bytes of its sources
    PICK = "pick"  # likewise, at other places
    LOGIC = "logic"  # a predicate that one source may decide alone
    LANES = "lanes"  # its result has the bytes of other lanes
    LOAD = "load"
    STORE = "store"
    COPY = "copy"  # from memory to memory
    ATOMIC = "atomic"


@dataclass(frozen=True)
class Flow:
    """What an instruction does: ``data`` are operands that results follow from.

    ``used`` have to be defined, as addresses and guards have to.
    """

    kind: Kind
    data: tuple[Operand, ...] = ()
    used: tuple[Operand, ...] = ()


_LANES = {
    "shfl": (0,), "lane_read": (0,), "lane_first": (0,), "lane_write": (0, 2), "lane_send": (0,),
    "dpp": (0, 1), "swizzle": (0,), "permlane": (0, 1), "movmatrix": (0,),
}  # fmt: skip
"""Sources with values, of operations that exchange them; the rest say which lanes."""

_TOGETHER = frozenset({"redux", "vote", "match", "lane_scan"})
_DEFINED = frozenset({"activemask", "elect", "suld", "txq", "suq", "suldp", "createpolicy"})
_LOADS = frozenset({"ld", "ldu", "ldmatrix", "wmma.load"})
_STORES = {"st": (1,), "stmatrix": (1,), "wmma.store": (1,), "fill": (1,)}
_COPIES = {"cp.async": (2, 3), "cp.async.bulk": (2,), "copy": (2,), "group_copy": (2, 3),
           "st.bulk": (1,)}  # fmt: skip
"""Operands that say how much is copied."""

NOT_MODELLED = ("sust", "sured", "cp.reduce.async.bulk")
"""Operations that may leave undefined bytes where that is not kept."""

_PRODUCTS = frozenset({"mma", "mma.sp", "wmma.mma"})
_BITWISE = frozenset({"and", "or", "xor", "lop3"})


def flow_of(kernel: Kernel, instruction: Instruction) -> Flow:
    """What an instruction of a kernel does with undefined bytes."""
    operation, sources = instruction.operation, instruction.sources
    name, op_class = operation.name, operation.op_class
    values = tuple(o for o in sources if not isinstance(o, Address))
    if name == CHECK or kernel.reads_parameter(instruction):
        return Flow(Kind.NOTHING)
    if name in _LOADS:
        is_constant = operation.space is Space.CONST
        return Flow(Kind.NOTHING if is_constant else Kind.LOAD)
    if name in _STORES:
        return Flow(Kind.STORE, _at(instruction.operands, _STORES[name]))
    if name in _COPIES:
        return Flow(Kind.COPY, used=_at(instruction.operands, _COPIES[name]))
    if op_class is OpClass.ATOMIC:
        most = 2 if "cas" in operation.modifiers else 1
        return Flow(Kind.ATOMIC, values[:most])
    if name in _LANES:
        control = tuple(k for k in range(len(values)) if k not in _LANES[name])
        return Flow(Kind.LANES, _at(values, _LANES[name]), _at(values, control))
    if name in _DEFINED or op_class in (OpClass.BARRIER, OpClass.CALL, OpClass.CONTROL):
        return Flow(Kind.NOTHING, used=values)
    if op_class in (OpClass.BRANCH, OpClass.RETURN, OpClass.FENCE, OpClass.PREFETCH):
        return Flow(Kind.NOTHING, used=values if name == "bar.warp" else ())
    if name in _PRODUCTS:
        return Flow(Kind.PRODUCT, values[:3], values[3:])
    if name in _TOGETHER or op_class is OpClass.MMA:
        return Flow(Kind.WARP, values)
    return Flow(_computing(instruction), values)


def _computing(instruction: Instruction) -> Kind:
    operation, sources = instruction.operation, instruction.sources
    name, type_ = operation.name, operation.type
    if name == "mov":
        is_plain = all(isinstance(o, Reg) for o in instruction.operands)
        return Kind.MOVE if is_plain else Kind.PICK
    if name == "selp":
        return Kind.MOVE
    if type_ is None:
        return Kind.JOIN
    if name in ("and", "or") and type_.kind is TypeKind.PREDICATE:
        return Kind.LOGIC
    if name == "cvt":
        return _conversion(instruction)
    if type_.kind is TypeKind.PREDICATE:
        return Kind.JOIN
    if name in _BITWISE or name == "not":
        return Kind.PICK
    if name in ("shl", "shr") and isinstance(sources[1], Imm):
        return Kind.PICK
    if name == "prmt" and isinstance(sources[2], Imm):
        return Kind.PICK
    if name in ("bfe", "bfi") and all(isinstance(o, Imm) for o in sources[-2:]):
        return Kind.PICK if name == "bfi" or type_.kind is not TypeKind.SIGNED else Kind.JOIN
    return Kind.ELEMENTS if type_.lanes > 1 and name not in ("setp", "set") else Kind.JOIN


def _conversion(instruction: Instruction) -> Kind:
    types, words = instruction.operation.types, instruction.operation.modifiers
    if len(types) != 2:
        return Kind.JOIN
    to, source = types
    if to.lanes == 2 and len(instruction.sources) == 2:
        return Kind.PICK
    if not (to.is_integer and source.is_integer) or len(words) != 2 or to.lanes > 1:
        return Kind.JOIN
    return Kind.MOVE if to.bits >= source.bits else Kind.PICK


def _at(operands: tuple[Operand, ...], places: Iterable[int]) -> tuple[Operand, ...]:
    return tuple(operands[k] for k in places if k < len(operands))


def registers_of(operands: Iterable[Operand]) -> Iterator[int]:
    """The registers that operands name, those of addresses too."""
    for operand in operands:
        yield from registers_in(operand)


def targets_of(instruction: Instruction) -> Iterator[Reg | Element]:
    """The registers that an instruction writes, one by one, as operands."""
    todo = list(instruction.destinations)
    while todo:
        match todo.pop(0):
            case (Reg() | Element()) as one:
                yield one
            case Vector(items) | Arguments(items):
                todo[:0] = items
            case Pair(first, second):
                todo[:0] = [first, second]


# What may be undefined, and what is told apart byte by byte.


@dataclass(frozen=True)
class Forms:
    """Registers that have a shadow; ``bytewise`` ones a byte of it for each byte.

    ``unwritten`` may be read before anything is written to them.
    """

    shadowed: frozenset[int]
    bytewise: frozenset[int]
    unwritten: frozenset[int]


def find_forms(kernel: Kernel, count: int, unwritten: Collection[int]) -> Forms:
    """Find the forms of the first ``count`` registers of a kernel."""
    flows = [
        (i, flow_of(kernel, i)) for i in kernel.instructions if min(i.writes, default=0) < count
    ]
    copies = [
        (register.index, value)
        for block in kernel.blocks
        for edge in block.incoming
        for register, value in edge.copies
        if register.index < count
    ]
    own = frozenset(k for k in unwritten if k < count)
    shadowed = _grown(own, flows, copies, _becomes_undefined)
    vectors = {k for k, r in enumerate(kernel.registers[:count]) if r.vector > 1}
    copied = _grown(own | vectors, flows, copies, _becomes_copied) & shadowed
    predicates = {k for k, r in enumerate(kernel.registers) if r.type.kind is TypeKind.PREDICATE}
    candidates = copied - predicates
    wanted = _wanted(candidates, shadowed, flows, copies) | (vectors & shadowed)
    return Forms(shadowed, frozenset(wanted), own & shadowed)


_Flows = list[tuple[Instruction, Flow]]
_Copies = list[tuple[int, Operand]]


def _grown(start: Collection[int], flows: _Flows, copies: _Copies, grows: object) -> frozenset[int]:
    """All registers that ``grows`` adds to those of ``start``."""
    found = set(start)
    before = -1
    while len(found) != before:
        before = len(found)
        for instruction, flow in flows:
            if grows(flow, found):  # type: ignore[operator] # one of those below
                found.update(instruction.writes)
        found.update(to for to, value in copies if found & set(registers_in(value)))
    return frozenset(found)


def _becomes_undefined(flow: Flow, found: Collection[int]) -> bool:
    """Whether an instruction may give what is undefined."""
    if flow.kind in (Kind.LOAD, Kind.ATOMIC) or flow.kind is Kind.LANES:
        return True
    return flow.kind is not Kind.NOTHING and any(r in found for r in registers_of(flow.data))


def _becomes_copied(flow: Flow, found: Collection[int]) -> bool:
    """Whether an instruction's results may be undefined in a part of their bytes."""
    if flow.kind in (Kind.LOAD, Kind.ATOMIC, Kind.LANES, Kind.PICK, Kind.ELEMENTS):
        return True
    return flow.kind is Kind.MOVE and any(r in found for r in registers_of(flow.data))


def _wanted(
    candidates: Collection[int], shadowed: Collection[int], flows: _Flows, copies: _Copies
) -> set[int]:
    """The candidates whose bytes are told apart by what reads them, and what is copied to these."""
    wanted: set[int] = set()
    before = -1
    while len(wanted) != before:
        before = len(wanted)
        for instruction, flow in flows:
            passes_on = flow.kind in (Kind.MOVE, Kind.LANES) and wanted & set(instruction.writes)
            if passes_on or flow.kind in (Kind.STORE, Kind.PICK, Kind.ELEMENTS, Kind.ATOMIC):
                wanted.update(r for r in registers_of(flow.data) if r in candidates)
        for to, value in copies:  # nothing is converted on an edge
            both = {to, *registers_in(value)}.intersection(shadowed)
            if both & wanted:
                wanted |= both
    return wanted
