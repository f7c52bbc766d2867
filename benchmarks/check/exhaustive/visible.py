"""Instructions that are more than a computation, as steps for the checker of all schedules."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    Operand,
    Pair,
    Reg,
    Sink,
    Vector,
)
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind
from warpmill.benchmarks.check.exhaustive.rules import (
    NotModelledError,
)
from warpmill.benchmarks.check.exhaustive.steps import (
    Access,
    Meeting,
    Step,
)

if TYPE_CHECKING:
    from warpmill.benchmarks.check.exhaustive.program import Translation

_COMMUTE = frozenset({"add", "min", "max", "and", "or", "xor"})
ATOMICS = _COMMUTE | {"inc", "dec", "exch", "cas"}
"""What atomics do."""

_SCOPES = frozenset({"cta", "cluster", "gpu", "sys"})
_ORDERS = ("relaxed", "acquire", "release", "acq_rel")
_SPACES = frozenset({"global", "shared", "shared::cta", "local", "const", "param", "v2", "v4"})
_CACHES = frozenset({"ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "weak", "volatile"})
_WORDS: dict[str, frozenset[str]] = {
    "ld": _SPACES | _CACHES | _SCOPES | set(_ORDERS),
    "st": _SPACES | _CACHES | _SCOPES | set(_ORDERS),
    "atom": _SPACES | _SCOPES | set(_ORDERS) | ATOMICS | {"noftz"},
    "bar": frozenset({"sync", "arrive", "red", "aligned", "cta", "popc", "and", "or"}),
    "shfl": frozenset({"sync", "up", "down", "bfly", "idx"}),
    "vote": frozenset({"sync", "all", "any", "uni", "ballot"}),
    "match": frozenset({"sync", "all", "any"}),
    "redux": frozenset({"sync", "add", "min", "max", "and", "or", "xor"}),
    "bar.warp": frozenset({"warp", "sync"}),
    "mma": frozenset({"sync", "aligned", "m16n8k16", "row", "col"}),
    "ldmatrix": frozenset(
        {"sync", "aligned", "m8n8", "x1", "x2", "x4", "trans", "shared", "shared::cta"}
    ),
    "membar": frozenset({"cta", "gl", "sys"}),
    "fence": _SCOPES | {"sc", "acq_rel"},
    "fence.proxy": frozenset({"proxy", "async", "shared::cta", "global"}),
    "mbarrier.init": frozenset({"init", "shared", "shared::cta"}),
    "mbarrier.arrive": frozenset(
        {"arrive", "expect_tx", "shared", "shared::cta", "release", "cta"}
    ),
    "mbarrier.expect_tx": frozenset({"expect_tx", "shared", "shared::cta", "relaxed", "cta"}),
    "mbarrier.test_wait": frozenset(
        {"test_wait", "parity", "shared", "shared::cta", "acquire", "cta"}
    ),
    "mbarrier.try_wait": frozenset(
        {"try_wait", "parity", "shared", "shared::cta", "acquire", "cta"}
    ),
    "cp.async.mbarrier.arrive": frozenset(
        {"async", "mbarrier", "arrive", "noinc", "shared", "shared::cta"}
    ),
    "cp.async.bulk": frozenset(
        {
            "async",
            "bulk",
            "shared::cluster",
            "shared::cta",
            "global",
            "bulk_group",
            "mbarrier::complete_tx::bytes",
        }
    ),
    "cp.async.bulk.commit_group": frozenset({"async", "bulk", "commit_group"}),
    "cp.async.bulk.wait_group": frozenset({"async", "bulk", "wait_group", "read"}),
    "cp.async": frozenset({"async", "ca", "cg", "shared", "shared::cta", "global"}),
    "cp.async.commit_group": frozenset({"async", "commit_group"}),
    "cp.async.wait_group": frozenset({"async", "wait_group"}),
    "cp.async.wait_all": frozenset({"async", "wait_all"}),
    "bra": frozenset({"uni"}),
    "ret": frozenset({"uni"}),
}
"""Words of operations that are known, beside types and hints for caches."""
_SAME_WORDS = {"ldu": "ld", "red": "atom", "stmatrix": "ldmatrix"}


def known_words(instruction: Instruction) -> frozenset[str]:
    """Words that an instruction may have beside its types. NotModelledError for some others."""
    operation = instruction.operation
    name = operation.name
    if operation.op_class is OpClass.BARRIER and name.startswith(("bar", "barrier")):
        name = "bar" if name != "bar.warp" else name
    if "mbarrier_init" in operation.modifiers:
        return frozenset({"mbarrier_init", "release", "cluster"})
    if name == "cp.async.mbarrier.arrive" and "noinc" not in operation.modifiers:
        raise NotModelledError(operation.opcode)
    hints = {w for w in operation.modifiers if w.startswith(("L1::", "L2::"))}
    if operation.op_class is OpClass.PREFETCH or name == "nanosleep":
        return frozenset(operation.modifiers)
    return _WORDS.get(_SAME_WORDS.get(name, name), frozenset()) | hints - {"L2::cache_hint"}


# What makes a step of an instruction that is more than a computation.


def access_of(self: Translation, instruction: Instruction, kind: str) -> Access:
    """An access by the instruction's words, with its destinations."""
    operation = instruction.operation
    address = instruction.address
    if not isinstance(address, Address) or operation.space is None or operation.is_remote:
        raise NotModelledError(operation.opcode)
    words = set(operation.modifiers)
    if words & {"L2::cache_hint", "mmio", "unified"}:
        raise NotModelledError(operation.opcode)
    base, offset = _address(self, address)
    size = 0 if operation.type is None else operation.type.size_bytes
    is_strong = bool(words & {"volatile", "relaxed", "acquire", "release"}) or kind == "atom"
    order = next((w for w in operation.modifiers if w in _ORDERS), "")
    return Access(
        kind=kind,
        opcode=operation.opcode,
        line=instruction.span.line,
        space=operation.space,
        base=base,
        offset=offset,
        size=size,
        count=operation.vector,
        dests=_destinations(instruction),
        sign=_sign(self, instruction),
        is_strong=is_strong,
        is_wide=is_strong and not words & {"cta", "cluster"},
        acquires=order in ("acquire", "acq_rel"),
        releases=order in ("release", "acq_rel"),
        is_read_only="nc" in words,
        type=operation.type,
        words=operation.modifiers,
    )


def _address(self: Translation, address: Address) -> tuple[int | None, int]:
    if isinstance(address.base, Reg):
        return address.base.index, address.offset
    return None, self.constant(address.base, None) + address.offset


def _destinations(instruction: Instruction) -> tuple[int | None, ...]:
    found: list[int | None] = []
    for operand in instruction.destinations:
        for element in operand.elements if isinstance(operand, Vector) else _pair(operand):
            if not isinstance(element, Reg | Sink):
                raise NotModelledError(instruction.operation.opcode)
            found.append(element.index if isinstance(element, Reg) else None)
    return tuple(found)


def _pair(operand: Operand) -> tuple[Operand, ...]:
    return (operand.first, operand.second) if isinstance(operand, Pair) else (operand,)


def _sign(self: Translation, instruction: Instruction) -> tuple[int, int] | None:
    type_ = instruction.operation.type
    registers = [d for d in _destinations(instruction) if d is not None]
    if type_ is None or type_.kind is not TypeKind.SIGNED or not registers:
        return None
    width = self.bits(Reg(registers[0]))
    return (1 << type_.bits - 1, (1 << width) - 1) if width > type_.bits else None


def _load(self: Translation, instruction: Instruction) -> Step:
    access = access_of(self, instruction, "ld")
    return Step("access", None, access)


def _store(self: Translation, instruction: Instruction) -> Step:
    access = access_of(self, instruction, "st")
    value = instruction.sources[-1]
    access.sources = self.sources([(value, instruction.operation.type)])
    return Step("access", None, access)


def _atomic(self: Translation, instruction: Instruction) -> Step:
    access = access_of(self, instruction, "atom")
    operation, type_ = instruction.operation, instruction.operation.type
    name = next((w for w in operation.modifiers if w in ATOMICS), None)
    if name is None or type_ is None or type_.lanes > 1 or operation.vector > 1:
        raise NotModelledError(operation.opcode)
    if type_.is_float and (name not in ("add", "exch") or type_.name == "bf16"):
        raise NotModelledError(operation.opcode)
    operands = [o for o in instruction.sources if not isinstance(o, Address)]
    access.sources = self.sources([(o, type_) for o in operands])
    access.atomic = name
    is_used = any(d in self.read_somewhere for d in access.dests)
    if not is_used and not (type_.is_float and name == "add"):
        access.key = (name, type_.name)
    return Step("access", None, access)


def _copy(self: Translation, instruction: Instruction) -> Step:
    """``cp.async``: what is read, and the bytes that are not."""
    size, words = instruction.bytes_operand, instruction.operation.modifiers
    target, origin = instruction.operands[:2]
    if not isinstance(size, Imm) or "L2::cache_hint" in words:
        raise NotModelledError(instruction.operation.opcode)
    assert isinstance(target, Address)
    assert isinstance(origin, Address)
    line, opcode = instruction.span.line, instruction.operation.opcode
    parts = []
    for address, space in ((target, Space.SHARED), (origin, Space.GLOBAL)):
        base, offset = _address(self, address)
        parts.append(Access("cp", opcode, line, space, base, offset, size.value))
    limit = instruction.read_limit
    if isinstance(limit, Reg) and self.bits(limit) == 1:
        raise NotModelledError(f"{opcode} with a predicate")
    parts[0].origin = parts[1]
    parts[0].sources = self.sources([(limit or size, None)])
    return Step("access", None, parts[0])


def _matrix_move(self: Translation, instruction: Instruction) -> Step:
    """``ldmatrix`` and ``stmatrix``: lanes exchange addresses, and access elements of their own."""
    operation, words = instruction.operation, instruction.operation.modifiers
    if operation.space is not Space.SHARED or "m8n8" not in words or "b16" not in words:
        raise NotModelledError(operation.opcode)
    access = access_of(self, instruction, operation.name)
    access.size, access.sign = 2, None
    access.count = 2 * int(next(w for w in words if w in ("x1", "x2", "x4"))[1:])
    if operation.name == "stmatrix":
        access.sources = self.sources([(instruction.sources[-1], None)])
    return Step("access", None, access)


def _barrier(self: Translation, instruction: Instruction) -> Step:
    operation = instruction.operation
    reduces = ".red" in operation.name
    kind = "bar.red" if reduces else "bar.arrive" if "arrive" in operation.name else "bar"
    dests = _destinations(instruction) if reduces else ()
    operands = list(instruction.sources)
    if reduces and len(operands) == 2:
        operands.insert(1, Imm(0))
    elif len(operands) == 1:
        operands.append(Imm(0))
    if len(operands) == 0:
        raise NotModelledError(operation.opcode)
    given = self.sources([(o, None) for o in operands])
    line = instruction.span.line
    data = Meeting(kind, operation.opcode, line, given, dests, operation.modifiers)
    return Step("meet", None, data)


def _lanes(self: Translation, instruction: Instruction) -> Step:
    """What lanes of a warp do together; the mask is its last source."""
    operation = instruction.operation
    if "sync" not in operation.modifiers:
        raise NotModelledError(operation.opcode)
    given = self.sources([(o, None) for o in instruction.sources])
    data = Meeting(
        operation.name,
        operation.opcode,
        instruction.span.line,
        given,
        _destinations(instruction),
        operation.modifiers,
        operation.type,
    )
    return Step("meet", None, data)


def _fence(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001 - one form for all
    words = instruction.operation.modifiers
    if "mbarrier_init" in words:
        return Step("proxy", None, ("objects",))
    is_sc = instruction.operation.name == "membar" or "sc" in words
    return Step("fence", None, (not {"cta", "cluster"} & set(words), is_sc))


def _commit(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("commit", None, "bulk" if "bulk" in instruction.operation.modifiers else "cp")


def _wait(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    words = instruction.operation.modifiers
    left = instruction.operands[0] if instruction.operands else None
    kind = "bulk" if "bulk" in words else "cp"
    number = left.value if isinstance(left, Imm) else None
    return Step("wait", None, (kind, number, "read" in words))


def _proxy_fence(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    words = instruction.operation.modifiers
    spaces = tuple(w for w in ("shared", "global") if w in words or f"{w}::cta" in words)
    return Step("proxy", None, spaces or ("shared", "global"))


def _plain_access(self: Translation, instruction: Instruction, kind: str, place: int) -> Access:
    """An access at one of the operands that is an address."""
    address = instruction.operands[place]
    if not isinstance(address, Address):
        raise NotModelledError(instruction.operation.opcode)
    base, offset = _address(self, address)
    operation = instruction.operation
    space = Space.SHARED if operation.space is None else operation.space
    line = instruction.span.line
    return Access(kind, operation.opcode, line, space, base, offset, 8, words=operation.modifiers)


def _object(self: Translation, instruction: Instruction) -> Step:
    """An operation on a barrier object in shared memory."""
    operation = instruction.operation
    if operation.space is not Space.SHARED:
        raise NotModelledError(operation.opcode)
    places = [k for k, o in enumerate(instruction.operands) if isinstance(o, Address)]
    access = _plain_access(self, instruction, _OBJECTS[operation.name], places[0])
    rest = instruction.operands[places[0] + 1 :]
    dests = instruction.operands[: places[0]]
    if len(rest) > 1 or len(dests) > 1 or not all(isinstance(d, Reg | Sink) for d in dests):
        raise NotModelledError(operation.opcode)
    access.dests = tuple(d.index if isinstance(d, Reg) else None for d in dests) or (None,)
    if rest:
        access.sources = self.sources([(rest[0], None)])
    return Step("access" if access.kind == "make" else "object", None, access)


_OBJECTS = {
    "mbarrier.init": "make",
    "mbarrier.arrive": "arrive",
    "mbarrier.expect_tx": "expect",
    "mbarrier.test_wait": "wait",
    "mbarrier.try_wait": "wait",
    "cp.async.mbarrier.arrive": "arrive of copies",
}


def _bulk_copy(self: Translation, instruction: Instruction) -> Step:
    """A bulk copy to shared memory and a barrier object, or to global memory in a group."""
    words, operands = instruction.operation.modifiers, instruction.operands
    access = _plain_access(self, instruction, "bulk", 0)
    access.size = 1
    origin = _plain_access(self, instruction, "bulk", 1)
    origin.size = 1
    access.origin = origin
    access.space, origin.space = instruction.operation.spaces[:2]
    if "bulk_group" in words:
        is_known = access.space is Space.GLOBAL and len(operands) == 3
    else:
        is_known = "mbarrier::complete_tx::bytes" in words and len(operands) == 4
        is_known = is_known and (access.space, origin.space) == (Space.SHARED, Space.GLOBAL)
        access.object = _plain_access(self, instruction, "object", 3) if is_known else None
    if not is_known:
        raise NotModelledError(instruction.operation.opcode)
    access.sources = self.sources([(operands[2], None)])
    return Step("object", None, access)


def _exit(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("exit", None)


def _branch(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("jump", None, instruction.targets[0])


def _trap(self: Translation, instruction: Instruction) -> Step:  # noqa: ARG001
    return Step("trap", None)


def _nothing(self: Translation, instruction: Instruction) -> Step | None:  # noqa: ARG001
    return None


STEPS: dict[str, Callable[[Translation, Instruction], Step | None]] = {
    "ld": _load,
    "ldu": _load,
    "st": _store,
    "atom": _atomic,
    "red": _atomic,
    "cp.async": _copy,
    "cp.async.commit_group": _commit,
    "cp.async.wait_group": _wait,
    "cp.async.wait_all": _wait,
    "ldmatrix": _matrix_move,
    "stmatrix": _matrix_move,
    "mma": _lanes,
    "shfl": _lanes,
    "vote": _lanes,
    "match": _lanes,
    "redux": _lanes,
    "bar.warp": _lanes,
    **dict.fromkeys(_OBJECTS, _object),
    "cp.async.bulk": _bulk_copy,
    "cp.async.bulk.commit_group": _commit,
    "cp.async.bulk.wait_group": _wait,
    "fence.proxy": _proxy_fence,
    "membar": _fence,
    "fence": _fence,
    "bra": _branch,
    "ret": _exit,
    "exit": _exit,
    "trap": _trap,
    "prefetch": _nothing,
    "prefetchu": _nothing,
    "nanosleep": _nothing,
    **dict.fromkeys(
        (
            "bar", "bar.arrive", "bar.cta.arrive", "bar.red", "bar.cta.red",
            "barrier", "barrier.arrive", "barrier.cta.arrive", "barrier.red", "barrier.cta.red",
        ),
        _barrier,
    ),
}  # fmt: skip
