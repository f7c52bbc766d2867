"""OpenCL's functions that go to memory: halves, copies by the group, a second result by pointer."""

from __future__ import annotations

import re

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.accesses import address_of, dotted, dotted_both, memory_type
from warpmill.analyzer.frontends.llvm.constants import float_of
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.types import FloatType, PointerType, Unsupported
from warpmill.analyzer.ir.kernel import Imm, Operand
from warpmill.analyzer.ir.types import Space

_HALVES = re.compile(
    r"_Z\d+v(?:load|store)(?P<aligned>a?)_half(?P<count>\d{0,2})(?:_rt(?P<round>[ezpn]))?.*"
)
_ROUNDING = {"e": "rn", "z": "rz", "p": "rp", "n": "rm", None: "rn"}
_TWO = re.compile(r"(?:_Z\d+|__nv_|__ocml_)(sincos|modf|fract|frexp|remquo|lgamma_r)")


def _place(
    low: Lowering, found: re.Match[str], index: st.Typed, pointer: st.Typed
) -> tuple[Operand, str]:
    """The address of the halves at an index; three aligned ones take the room of four."""
    base, space = low.values.pointer(pointer)
    width = low.module.width(low.layout.leaf(pointer.type))
    count = int(found["count"] or 1)
    step = 2 * (4 if found["aligned"] and count == 3 else count)
    offset = low.builder.resized(low.values.scalar(index), low.layout.leaf(index.type), width)
    opcode = f"lea.b{width}"
    return low.builder.compute(opcode, f"b{width}", base, offset, Imm(step), Imm(0)), dotted(space)


def lower_half_load(low: Lowering, template: st.Template, callee: str) -> bool:
    """``vload_half`` and its like: halves become floats."""
    found = _HALVES.fullmatch(callee)
    if found is None or template.type is None or len(template.operands) != 2:
        return False
    address, space = _place(low, found, *template.operands)
    for k, to in enumerate(low.results(template.type)):
        half = low.builder.compute(f"ld{space}.b16", "b16", address_of(address, 2 * k))
        value = low.builder.compute("mov.b16", "f16", half)
        low.emit(f"cvt.{low.builder.type_of(to)}.f16", to, value)
    return True


def lower_half_store(low: Lowering, template: st.Template, callee: str) -> bool:
    """``vstore_half`` and its like, with the rounding that they name."""
    found = _HALVES.fullmatch(callee)
    if found is None or len(template.operands) != 3:
        return False
    value, index, pointer = template.operands
    parts, leaf = low.values.parts(value), low.layout.leaves(value.type)[0]
    address, space = _place(low, found, index, pointer)
    opcode = f"cvt.{_ROUNDING[found['round']]}.f16.{low.module.spelled(leaf, 'f')}"
    for k, part in enumerate(parts):
        half = low.builder.compute(opcode, "f16", part)
        low.emit(f"st{space}.b16", address_of(address, 2 * k), half)
    return True


def lower_group_copy(low: Lowering, template: st.Template, callee: str) -> bool:
    """``async_work_group_copy`` and its strided form: one operation of all threads of a CTA."""
    to, source, count, *rest = template.operands
    (to_base, to_space), (base, space) = low.values.pointer(to), low.values.pointer(source)
    size = _element_bytes(callee)
    if template.type is None or size is None:
        return False
    stride = [low.values.scalar(rest[0])] if "_strided_" in callee else []
    opcode = f"group_copy{dotted_both(to_space, space)}.b{8 * min(size, 16)}"
    number: Operand = low.values.scalar(count)
    if size > 16:
        leaf = low.layout.leaf(count.type)
        s = low.module.spelled(leaf, "s")
        number = low.builder.compute(f"mul.lo.{s}", f"b{s[1:]}", number, Imm(size // 16))
    low.emit(opcode, address_of(to_base), address_of(base), number, *stride)
    for register in low.results(template.type):
        low.builder.move(register, Imm(0))
    return True


_SIZES = {"c": 1, "h": 1, "a": 1, "s": 2, "t": 2, "i": 4, "j": 4, "l": 8, "m": 8, "x": 8, "y": 8,
          "f": 4, "d": 8, "Dh": 2}  # fmt: skip


def _element_bytes(callee: str) -> int | None:
    """Bytes of what the first pointer of a mangled name points to; three parts are four."""
    found = re.search(r"copyP(?:U3AS\d|V|K)*(?:Dv(\d{1,2})_)?(Dh|[a-z])", callee)
    if found is None or found[2] not in _SIZES:
        return None
    count = int(found[1] or 1)
    return (4 if count == 3 else count) * _SIZES[found[2]]


def lower_to_space(low: Lowering, template: st.Template, callee: str) -> bool:
    """``to_global`` and its like: the pointer, or null where it points elsewhere."""
    name = next((s for s in ("global", "local", "private") if s in callee), "")
    if not name or template.type is None or not isinstance(template.type, PointerType):
        return False
    space = {"global": Space.GLOBAL, "local": Space.SHARED, "private": Space.LOCAL}[name]
    value = template.operands[0]
    (operand,) = low.values.parts(value)
    (to,) = low.results(template.type)
    wide = low.module.width(value.type) if isinstance(value.type, PointerType) else 64
    p = low.builder.compute(f"isspacep.{space.value}", "pred", operand)
    moved = low.builder.compute(f"cvta.to.{space.value}.u{wide}", f"b{wide}", operand)
    narrow = low.builder.type_of(to).bits
    if narrow != wide:
        moved = low.builder.resize(None, moved, narrow, wide, "u")
    low.emit(f"selp.b{narrow}", to, moved, Imm(0), p)
    return True


def lower_two_results(low: Lowering, template: st.Template, callee: str) -> bool:
    """Functions with a second result behind their last pointer, part by part."""
    found = _TWO.match(callee)
    *values, pointer = template.operands
    pointers = [o for o in template.operands if isinstance(o.type, PointerType)]
    if found is None or len(pointers) != (1 if template.type and values else 2):
        return False
    if template.type is None or not low.layout.leaves(template.type):
        return _sincos_of_nvidia(low, template)
    leaves = low.layout.leaves(template.type)
    leaf = leaves[0]
    if not isinstance(leaf, FloatType):
        raise Unsupported(f"`{callee}`")
    base, space = low.values.pointer(pointer)
    results, columns = low.results(template.type), [low.values.parts(v) for v in values]
    for k, to in enumerate(results):
        second, name = _both(low, found[1], leaf, to, [column[k] for column in columns])
        size = low.layout.store_size(leaf) if name == leaf else 4
        type_ = memory_type(low, leaf) if name == leaf else "b32"
        low.emit(f"st{dotted(space)}.{type_}", address_of(base, k * size), second)
    return True


def _sincos_of_nvidia(low: Lowering, template: st.Template) -> bool:
    value, *pointers = template.operands
    leaf = low.layout.leaf(value.type)
    f = low.module.spelled(leaf, "f")
    operand = low.values.scalar(value)
    for name, pointer in zip(("sin", "cos"), pointers, strict=True):
        base, space = low.values.pointer(pointer)
        found = low.builder.compute(f"{name}.approx.{f}", f, operand)
        low.emit(f"st{dotted(space)}.{memory_type(low, leaf)}", address_of(base), found)
    low.module.note_once(
        low.builder.span, "`sincos` is taken as the approximate instructions of PTX"
    )
    return True


def _both(
    low: Lowering, name: str, leaf: FloatType, to: Operand, values: list[Operand]
) -> tuple[Operand, FloatType | None]:
    """Emit both results of one part: give the second, with its type, None for an integer's."""
    f, b = low.module.spelled(leaf, "f"), low.builder
    if name == "sincos":
        low.emit(f"sin.approx.{f}", to, *values)
        low.module.note_once(b.span, "`sincos` is taken as the approximate instructions of PTX")
        return b.compute(f"cos.approx.{f}", f, *values), leaf
    if name == "modf":
        whole = b.compute(f"cvt.rzi.{f}.{f}", f, *values)
        low.emit(f"sub.{f}", to, *values, whole)
        return whole, leaf
    if name == "fract":
        whole = b.compute(f"cvt.rmi.{f}.{f}", f, *values)
        rest = b.compute(f"sub.{f}", f, *values, whole)
        below = {"half": 1 - 2.0**-11, "float": 1 - 2.0**-24, "double": 1 - 2.0**-53}[leaf.name]
        low.emit(f"min.{f}", to, rest, float_of(below, leaf))
        return whole, leaf
    second = {"frexp": "frexp_exp", "remquo": "quotient", "lgamma_r": "lgamma_sign"}[name]
    first = {"frexp": "frexp", "remquo": "remainder", "lgamma_r": "lgamma"}[name]
    low.emit(f"math.{first}.{f}", to, *values)
    return b.compute(f"math.{second}.s32.{f}", "b32", *values), None
