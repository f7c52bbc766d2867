"""Exchanges and comparisons whose kind is a number in the call; AMD's dot products of two."""

from __future__ import annotations

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.constants import bits_as
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.target import data_table
from warpmill.analyzer.frontends.llvm.types import FloatType
from warpmill.analyzer.ir.kernel import Imm, Operand, Pair

_TABLE = data_table("instructions.toml")
# LLVM's numbers of the predicates
_FLOAT = {1: "oeq", 2: "ogt", 3: "oge", 4: "olt", 5: "ole", 6: "one", 7: "ord", 8: "uno", 9: "ueq",
          10: "ugt", 11: "uge", 12: "ult", 13: "ule", 14: "une"}  # fmt: skip
_INTEGER = {32: "eq", 33: "ne", 34: "ugt", 35: "uge", 36: "ult", 37: "ule", 38: "sgt", 39: "sge",
            40: "slt", 41: "sle"}  # fmt: skip


_SHUFFLES = ("idx", "up", "down", "bfly")  # by NVVM's numbers


def lower_numbered_shuffle(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``nvvm.shfl.sync.i32``: which exchange it is, the second argument says."""
    members, kind, *rest = template.operands
    number = low.values.integer(kind)
    if number is None or not 0 <= number < len(_SHUFFLES) or template.type is None:
        return False
    value, holds = low.results(template.type)
    sources = [low.values.scalar(o) for o in (*rest, members)]
    low.emit(f"shfl.sync.{_SHUFFLES[number]}.b32", Pair(value, holds), *sources)
    return True


_VOTES = ("all", "any", "uni", "ballot")  # by NVVM's numbers


def lower_numbered_vote(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``nvvm.vote.sync``: a truth value, or for a ballot the lanes' bits, and the other is 0."""
    members, kind, holds = template.operands
    number = low.values.integer(kind)
    if number is None or not 0 <= number < len(_VOTES) or template.type is None:
        return False
    bits, truth = low.results(template.type)
    sources = [low.values.scalar(o) for o in (holds, members)]
    if _VOTES[number] == "ballot":
        low.emit("vote.sync.ballot.b32", bits, *sources)
        low.emit("mov.pred", truth, Imm(0))
    else:
        low.emit(f"vote.sync.{_VOTES[number]}.pred", truth, *sources)
        low.emit("mov.b32", bits, Imm(0))
    return True


def lower_wave_compare(low: Lowering, template: st.Template, callee: str) -> bool:
    """``amdgcn.icmp`` and ``fcmp``: a comparison, and the lanes for which it holds as bits."""
    left, right, code = template.operands
    number = low.values.integer(code)
    kind = "icmp" if ".icmp." in callee else "fcmp"
    name = (_INTEGER if kind == "icmp" else _FLOAT).get(-1 if number is None else number)
    if name is None or template.type is None:
        return False
    leaf, result = low.layout.leaf(left.type), low.layout.leaf(template.type)
    opcode = _TABLE[kind][name].format(**low.module.spellings(leaf))
    (to,) = low.results(template.type)
    a, b = low.values.scalar(left), low.values.scalar(right)
    if low.module.width(leaf) == 1:
        holds = low.builder.compute("xor.pred", "pred", a, b)
    else:
        holds = low.builder.compute(opcode, "pred", a, b)
    low.emit(f"vote.sync.ballot.b{low.module.width(result)}", to, holds, Imm(-1))
    return True


def lower_amd_dot(low: Lowering, template: st.Template, callee: str) -> bool:
    """``fdot2``, ``sdot2``, ``udot2``: two products added to a third value, in its type."""
    left, right, third, *_ = template.operands
    assert template.type is not None
    (to,) = low.results(template.type)
    total: Operand = low.values.scalar(third)
    leaf, wide = low.layout.leaves(left.type)[0], low.layout.leaf(template.type)
    is_float = isinstance(wide, FloatType)
    letter = "f" if is_float else "s" if ".sdot" in callee else "u"
    if callee.endswith(".bf16"):
        leaf = FloatType("bfloat")  # older declarations give them as integers
    narrow, type_ = low.module.spelled(leaf, letter), low.module.spelled(wide, letter)
    register = type_ if is_float else f"b{low.module.width(wide)}"
    width = low.layout.scalar_bits(leaf)
    factors = [[bits_as(p, leaf, width) for p in low.values.parts(o)] for o in (left, right)]
    pairs = list(zip(*factors, strict=True))
    for number, pair in enumerate(pairs):
        a, b = (
            p if narrow == type_ else low.builder.compute(f"cvt.{type_}.{narrow}", register, p)
            for p in pair
        )
        into = to if number == len(pairs) - 1 else low.builder.temporary(register)
        low.emit(f"fma.rn.{type_}" if is_float else f"mad.lo.{type_}", into, a, b, total)
        total = into
    return True
