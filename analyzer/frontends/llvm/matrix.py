"""Matrix instructions: NVIDIA's wmma, mma, ldmatrix and stmatrix, AMD's mfma and wmma.

Fragments of 16-bit numbers travel two to a register, as PTX has them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.memory import address_of, dotted
from warpmill.analyzer.frontends.llvm.types import Scalar, Type, Unsupported
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import Operand, Reg, Vector

_WMMA = re.compile(
    r"llvm\.nvvm\.wmma\.(?P<shape>m\w+)\.(?P<what>load|store)\.(?P<which>[abcd])\.(?P<order>row|col)"
    r"(?P<stride>\.stride)?\.(?P<type>\w+?)(?:\.p\d+)?"
)
_MMA = re.compile(
    r"llvm\.nvvm\.(?P<wmma>wmma\.)?(?P<mma>mma\.)?(?P<sp>sp\.(?:ordered\.metadata\.)?)?"
    r"(?P<shape>m\d+n\d+k\d+)\.(?P<rest>[\w.]+)"
)
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)")
_LOAD = re.compile(
    r"llvm\.nvvm\.(?:ld|st)matrix\.(?P<head>sync\.aligned\.\w+\.x\d(?:\.trans)?)\.(?P<type>b\d\S*?)"
    r"(?:\.p\d+)?"
)


def _packed(low: Lowering, value: st.Typed) -> list[Operand]:
    """The registers that a fragment's part comes in."""
    parts, leaves = low.values.parts(value), low.layout.leaves(value.type)
    if len(parts) < 2 or low.module.width(leaves[0]) != 16:
        return list(parts)
    pairs = [parts[k : k + 2] for k in range(0, len(parts), 2)]
    return [low.builder.compute("mov.b32", "b32", Vector(pair)) for pair in pairs]


class _Results:
    """The registers of a result, two numbers of 16 bits in one, and how to take them apart."""

    def __init__(self, low: Lowering, type_: Type) -> None:
        self._low = low
        leaves: Sequence[Scalar] = low.layout.leaves(type_)
        results = low.results(type_)
        self._pairs: list[tuple[Reg, tuple[Reg, ...]]] = []
        if len(results) > 1 and low.module.width(leaves[0]) == 16:
            for k in range(0, len(results), 2):
                self._pairs.append((low.builder.temporary("b32"), results[k : k + 2]))
            self.operand = Vector(tuple(packed for packed, _ in self._pairs))
        else:
            self.operand = Vector(tuple(results))

    def unpack(self) -> None:
        """Assign the numbers to their registers."""
        for packed, pair in self._pairs:
            self._low.emit("mov.b32", Vector(pair), packed)


def lower_wmma(low: Lowering, template: st.Template, callee: str) -> bool:
    """``wmma.load`` and ``wmma.store``."""
    found = _WMMA.fullmatch(callee)
    if found is None or template.type is None:
        return False
    pointer, *rest = template.operands
    base, space = low.values.pointer(pointer)
    opcode = (
        f"wmma.{found['what']}.{found['which']}.sync.aligned.{found['order']}.{found['shape']}"
        f"{dotted(space)}.{found['type']}"
    )
    stride = (low.values.scalar(rest[-1]),) if found["stride"] else ()
    if found["what"] == "load":
        results = _Results(low, template.type)
        low.emit(opcode, results.operand, address_of(base), *stride)
        results.unpack()
        return True
    values = rest[:-1] if found["stride"] else rest
    parts = [part for value in values for part in _packed(low, value)]
    low.emit(opcode, address_of(base), Vector(tuple(parts)), *stride)
    return True


def lower_mma(low: Lowering, template: st.Template, callee: str) -> bool:
    """``mma.sync`` and ``wmma.mma``: the registers are dealt to the three matrices by the shape."""
    found = _MMA.fullmatch(callee)
    if found is None or template.type is None or ".load." in callee or ".block" in callee:
        return False
    parts = [part for value in template.operands for part in _packed(low, value)]
    results = _Results(low, template.type)
    extra = parts[-2:] if found["sp"] else []
    parts = parts[: len(parts) - len(extra)]
    count_c = len(results.operand.elements)
    first, second = _deal(found["shape"], found["rest"], len(parts) - count_c, bool(found["sp"]))
    if first + second + count_c != len(parts):
        raise Unsupported(f"the fragments of `{callee}`")
    groups = (parts[:first], parts[first : first + second], parts[first + second :])
    operands = [Vector(tuple(group)) for group in groups]
    low.emit(_mma_opcode(found, template, low), results.operand, *operands, *extra)
    results.unpack()
    return True


def _deal(shape: str, rest: str, count: int, sparse: bool) -> tuple[int, int]:
    """How many registers the first and the second matrix have."""
    m, n, _ = map(int, _SHAPE.fullmatch(shape).groups())  # type: ignore[union-attr] # it was matched
    if rest.endswith((".f16.f16", ".f32.f32", ".f16.f32", ".f32.f16")) and n != 8:
        m = n  # wmma holds halves twice
    if sparse:
        m //= 2
    first = count * m // (m + n)
    return first, count - first


def _mma_opcode(found: re.Match[str], template: st.Template, low: Lowering) -> str:
    words = found["rest"].split(".")
    types = [w for w in words if re.fullmatch(r"[a-z]+\d+\w*", w)]
    others = [w for w in words if w not in types]
    order = [w for w in others if w in ("row", "col")]
    satfinite = "satfinite" in others
    bitwise = [w for w in others if w in ("xor", "and", "popc")]
    kind = "wmma.mma" if found["wmma"] else "mma.sp" if found["sp"] else "mma"
    if kind == "mma.sp" and "ordered" in found["sp"]:
        kind = "mma.sp::ordered_metadata"
    head = [kind, *bitwise, "sync.aligned"] if kind == "wmma.mma" else [kind, "sync.aligned"]
    head += [*order, found["shape"]] if kind == "wmma.mma" else [found["shape"], *order]
    head += ["satfinite"] if satfinite and kind != "wmma.mma" else []
    tail = ["satfinite"] if satfinite and kind == "wmma.mma" else []
    if kind != "wmma.mma" and bitwise:
        tail = bitwise
        return ".".join([*head, *_four_types(types, template, low), *tail])
    if kind == "wmma.mma" and types in (
        ["f16", "f16"],
        ["f32", "f32"],
        ["f16", "f32"],
        ["f32", "f16"],
    ):
        return ".".join([*head, *types, *tail])
    return ".".join([*head, *_four_types(types, template, low), *tail])


def _four_types(types: list[str], template: st.Template, low: Lowering) -> list[str]:
    """Types of the result, the two factors and the summand, of the few that a name has."""
    assert template.type is not None
    if types and all(t in ("f16", "f32") for t in types) and len(types) == 2:
        return [types[0], "f16", "f16", types[1]]
    if len(types) == 4:
        return types
    leaf = low.layout.leaves(template.type)[0]
    width = low.module.width(leaf)
    total = f"f{width}" if (types and types[0][0] not in "subi") or types[:1] == ["bf16"] else "s32"
    factors = types if len(types) == 2 else types[:1] * 2
    return [total, *factors, total]


def lower_load_matrix(low: Lowering, template: st.Template, callee: str) -> bool:
    """``ldmatrix``."""
    found = _LOAD.fullmatch(callee)
    if found is None or template.type is None:
        return False
    base, _ = low.values.pointer(template.operands[0])
    results = _Results(low, template.type)
    low.emit(f"ldmatrix.{found['head']}.shared.{found['type']}", results.operand, address_of(base))
    results.unpack()
    return True


def lower_store_matrix(low: Lowering, template: st.Template, callee: str) -> bool:
    """``stmatrix``."""
    found = _LOAD.fullmatch(callee)
    if found is None:
        return False
    pointer, *values = template.operands
    base, _ = low.values.pointer(pointer)
    parts = [part for value in values for part in _packed(low, value)]
    opcode = f"stmatrix.{found['head']}.shared.{found['type']}"
    low.emit(opcode, address_of(base), Vector(tuple(parts)))
    return True


def lower_amd_matrix(low: Lowering, template: st.Template, callee: str) -> bool:
    """``mfma``, ``smfmac`` and ``wmma``: one operation a wave; the flags at the end are dropped."""
    assert template.type is not None
    name = callee.removeprefix("llvm.amdgcn.")
    kind, _, rest = name.partition(".")
    shape = re.sub(r"\.v\d+\w+|\.i32$", "", rest)
    leaf = low.layout.leaves(template.type)[0]
    type_ = low.module.spelled(leaf, "f" if "f" in rest.split(".")[0] else "s")
    groups = [
        Vector(tuple(_packed(low, value)))
        for value in template.operands
        if low.values.integer(value) is None or len(low.layout.leaves(value.type)) > 1
    ]
    if len(groups) < 3:
        raise Unsupported(f"the operands of `{callee}`")
    results = _Results(low, template.type)
    word = "" if kind == "mfma" else f".{kind}"
    low.emit(f"mfma{word}.{type_}.{shape.partition('.')[2]}", results.operand, *groups[:4])
    results.unpack()
    return True
