"""OpenCL's functions whose name says more than a template can, and SPIR-V's built-ins as theirs.

Conversions, dot products and reductions; copies and second results, which go to memory; geometry
and shuffles, which take whole vectors.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.call_table import joined
from warpmill.analyzer.frontends.llvm.context import float_of, is_predicate
from warpmill.analyzer.frontends.llvm.memory import address_of, dotted, dotted_both, memory_type
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    PointerType,
    Scalar,
    Unsupported,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering, OperandValues
from warpmill.analyzer.ir.kernel import Imm, Operand, Reg
from warpmill.analyzer.ir.types import Space

_TABLE = joined()
_CONVERT = re.compile(
    r"_Z\d+convert_(u?)(?:char|short|int|long|float|double|half)\d*(_sat)?(?:_rt([ezpn]))?"
    r"((?:Dv\d+_)?(?:Dh|[a-z]))"
)
_ROUND = {"e": "n", "z": "z", "p": "p", "n": "m"}
_UNSIGNED = frozenset("htjm")


def lower_convert(low: Lowering, template: st.Template, callee: str) -> bool:
    """``convert_T``, with rounding and saturation as its name says."""
    found = _CONVERT.fullmatch(callee)
    if found is None or len(template.operands) != 1:
        return False
    _convert(low, template, found)
    return True


def lower_reduction(low: Lowering, template: st.Template, callee: str) -> bool:
    """``llvm.vector.reduce.*``; those of floats may have a start."""
    opcode = _TABLE["reductions"].get(callee.rpartition(".")[0])
    if opcode is None:
        return False
    _reduce(low, template, opcode)
    return True


def _reduce(low: Lowering, template: st.Template, opcode: str) -> None:
    """``llvm.vector.reduce.*`` as a chain of operations."""
    *start, vector = template.operands
    leaf = low.layout.leaves(vector.type)[0]
    (to,) = low.results(leaf)
    starts = tuple(low.values.scalar(s) for s in start)
    total, *parts = starts + low.values.parts(vector)
    if is_predicate(leaf):
        opcode = opcode.split(".", maxsplit=1)[0] + ".pred"
    opcode = opcode.format(**low.module.spellings(leaf))
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        result = to if last else low.builder.temporary(low.builder.type_of(to))
        low.emit(opcode, result, total, part)
        total = result
    if not parts:
        low.builder.move(to, total)


def _convert(low: Lowering, template: st.Template, found: re.Match[str]) -> None:
    (value,) = template.operands
    assert template.type is not None
    unsigned, saturate, rounding, source = found.groups()
    tos, froms = low.layout.leaves(template.type), low.layout.leaves(value.type)
    letters = "u" if unsigned else "s", "u" if source[-1] in _UNSIGNED else "s"
    results, parts = low.results(template.type), low.values.parts(value)
    for to, part, t, f in zip(results, parts, tos, froms, strict=True):
        t_name, f_name = _name(low, t, letters[0]), _name(low, f, letters[1])
        sat = ".sat" if saturate and not isinstance(t, FloatType) else ""
        if t_name == f_name:
            low.builder.move(to, part)
        else:
            low.emit(f"cvt{_rounding(t, f, rounding)}{sat}.{t_name}.{f_name}", to, part)


def _name(low: Lowering, scalar: Scalar, letter: str) -> str:
    return low.module.spelled(scalar, "f" if isinstance(scalar, FloatType) else letter)


def _rounding(to: Scalar, source: Scalar, asked: str | None) -> str:
    """Where a conversion can lose bits it names a rounding: to integers towards zero."""
    if not isinstance(to, FloatType):
        kept = _ROUND[asked or "z"]
        return f".r{kept}i" if isinstance(source, FloatType) else ""
    widens = isinstance(source, FloatType) and (source.name, to.name) in _WIDENING
    return "" if widens else f".r{_ROUND[asked or 'e']}"


_WIDENING = frozenset({("half", "float"), ("half", "double"), ("float", "double")})


def lower_dot(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``dot``."""
    left, right = template.operands
    assert template.type is not None
    (to,) = low.results(template.type)
    f = low.builder.type_of(to).name
    pairs = list(zip(low.values.parts(left), low.values.parts(right), strict=True))
    total: Operand | None = None
    for number, (a, b) in enumerate(pairs):
        result = to if number == len(pairs) - 1 else low.builder.temporary(f)
        if total is None:
            low.emit(f"mul.{f}", result, a, b)
        else:
            low.emit(f"fma.rn.{f}", result, a, b, total)
        total = result
    return True


# OpenCL's functions that go to memory: halves, copies by the group, a second result by pointer.

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


# OpenCL's functions on whole vectors: geometry, any and all, shuffles.


def _type(low: Lowering, value: st.Typed) -> str:
    return low.module.spelled(low.layout.leaves(value.type)[0], "f")


def _products(low: Lowering, f: str, left: Sequence[Operand], right: Sequence[Operand]) -> Reg:
    """The sum of the products of two vectors' parts."""
    total: Reg | None = None
    for a, b in zip(left, right, strict=True):
        if total is None:
            total = low.builder.compute(f"mul.{f}", f, a, b)
        else:
            total = low.builder.compute(f"fma.rn.{f}", f, a, b, total)
    assert total is not None
    return total


def _root(callee: str) -> str:
    return "sqrt.approx" if "fast_" in callee else "sqrt.rn"


def lower_length(low: Lowering, template: st.Template, callee: str) -> bool:
    """``length``, ``fast_length``."""
    (vector,) = template.operands
    f, parts = _type(low, vector), low.values.parts(vector)
    (to,) = low.results(low.layout.leaves(vector.type)[0])
    low.emit(f"{_root(callee)}.{f}", to, _products(low, f, parts, parts))
    return True


def lower_distance(low: Lowering, template: st.Template, callee: str) -> bool:
    """``distance``, ``fast_distance``."""
    left, right = template.operands
    f = _type(low, left)
    pairs = zip(low.values.parts(left), low.values.parts(right), strict=True)
    parts = [low.builder.compute(f"sub.{f}", f, a, b) for a, b in pairs]
    (to,) = low.results(low.layout.leaves(left.type)[0])
    low.emit(f"{_root(callee)}.{f}", to, _products(low, f, parts, parts))
    return True


def lower_normalize(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``normalize``, ``fast_normalize``: by the reciprocal of the length."""
    (vector,) = template.operands
    f, parts = _type(low, vector), low.values.parts(vector)
    squares = _products(low, f, parts, parts)
    factor = low.builder.compute(f"rsqrt.approx.{f}", f, squares)
    for to, part in zip(low.results(vector.type), parts, strict=True):
        low.emit(f"mul.{f}", to, part, factor)
    return True


def lower_cross(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``cross``; of four parts the last is 0."""
    left, right = template.operands
    f = _type(low, left)
    a, b = low.values.parts(left), low.values.parts(right)
    results = low.results(left.type)
    for to, (i, j) in zip(results, ((1, 2), (2, 0), (0, 1)), strict=False):
        product = low.builder.compute(f"mul.{f}", f, a[j], b[i])
        negative = low.builder.compute(f"neg.{f}", f, product)
        low.emit(f"fma.rn.{f}", to, a[i], b[j], negative)
    if len(results) == 4:
        zero = low.builder.compute(f"sub.{f}", f, a[3], a[3])
        low.builder.move(results[3], zero)
    return True


def lower_any_all(low: Lowering, template: st.Template, callee: str) -> bool:
    """``any`` and ``all``: whether the highest bits of some, or of all parts are set."""
    (value,) = template.operands
    if template.type is None:
        return False
    leaf = low.layout.leaves(value.type)[0]
    width = low.module.width(leaf)
    first, *others = low.values.parts(value)
    opcode = f"{'or' if callee.startswith('_Z3any') else 'and'}.b{width}"
    total: Operand = first
    for part in others:
        total = low.builder.compute(opcode, f"b{width}", total, part)
    p = low.builder.compute(f"setp.lt.s{width}", "pred", total, Imm(0))
    (to,) = low.results(template.type)
    low.emit(f"selp.{low.builder.type_of(to)}", to, Imm(1), Imm(0), p)
    return True


def lower_shuffle_builtin(low: Lowering, template: st.Template, callee: str) -> bool:
    """``shuffle`` and ``shuffle2``, whose mask may be computed: a chain of selections."""
    *vectors, mask = template.operands
    if template.type is None:
        return False
    parts = [part for vector in vectors for part in low.values.parts(vector)]
    indices, leaf = low.values.parts(mask), low.layout.leaves(mask.type)[0]
    width = low.module.width(leaf)
    for to, index in zip(low.results(template.type), indices, strict=True):
        if isinstance(index, Imm):
            low.builder.move(to, parts[index.value % len(parts)])
            continue
        if len(parts) & (len(parts) - 1):
            raise Unsupported(f"`{callee}` of {len(parts)} parts")
        mask_ = Imm(len(parts) - 1)
        chosen = low.builder.compute(f"and.b{width}", f"b{width}", index, mask_)
        value: Operand = parts[0]
        for k, part in enumerate(parts[1:], 1):
            here = low.builder.compute(f"setp.eq.b{width}", "pred", chosen, Imm(k))
            last = k == len(parts) - 1
            into = to if last else low.builder.temporary(low.builder.type_of(to))
            low.emit(f"selp.{low.builder.type_of(to)}", into, part, value, here)
            value = into
    return True


# SPIR-V's built-in variables and functions as those of OpenCL that say the same.

_PREFIX = "__spirv_"
_NAME = re.compile(rf"{_PREFIX}(?:BuiltIn)?(\w+?)(?:_([xyz]))?")
_FUNCTION = re.compile(rf"_Z(\d{{1,4}})({_PREFIX}\w+)|({_PREFIX}\w+)")
_INTRINSIC = re.compile(r"llvm\.spv\.([a-z.]+)(?:\.i\d+)?")
_GROUPS = {2: "work", 3: "sub"}  # scopes: Workgroup, Subgroup
_HOW = ("reduce", "scan_inclusive", "scan_exclusive")


def builtin_of(name: str) -> tuple[str, str] | None:
    """OpenCL's function for a built-in by its name, and its axis where the name says one."""
    found = _NAME.fullmatch(name)
    function = None if found is None else _table("builtins").get(found[1])
    return None if found is None or function is None else (function, found[2] or "")


def intrinsic_of(callee: str) -> str | None:
    """OpenCL's function for an intrinsic of LLVM's SPIR-V target; None for others."""
    found = _INTRINSIC.fullmatch(callee)
    return None if found is None else _table("intrinsics").get(found[1])


def as_opencl(
    template: st.Template, callee: str, values: OperandValues
) -> tuple[st.Template, str] | None:
    """A call of a SPIR-V function as one of OpenCL's: with its arguments, by its mangled name.

    None where there is no such function, or the scope or operation is not known.
    """
    found = _FUNCTION.fullmatch(callee)
    if found is None:
        return None
    name, signature = found[3] or found[2][: int(found[1])], (found[2] or "")[int(found[1] or 0) :]
    name = name.removeprefix(_PREFIX)
    if name.startswith("ocl_"):
        return template, _mangled(re.sub("^[su]_", "", name[4:]), signature)
    line = _table("functions").get(name)
    if line is None:
        return None
    function, letter, *places = line.split()
    words = {}
    if "{group}" in function:
        words["group"] = _GROUPS.get(_constant(values, template, 0), "")
    if "{how}" in function:
        words["how"] = dict(enumerate(_HOW)).get(_constant(values, template, 1), "")
    if not all(words.values()) or any(int(p) >= len(template.operands) for p in places):
        return None
    operands = tuple(template.operands[int(place)] for place in places)
    return replace(template, operands=operands), _mangled(function.format(**words), letter)


def _table(name: str) -> dict[str, str]:
    table: dict[str, str] = data_table("calls_spirv.toml")[name]
    return table


def _mangled(name: str, signature: str) -> str:
    return f"_Z{len(name)}{name}{signature}"


def _constant(values: OperandValues, template: st.Template, place: int) -> int:
    """A constant argument; -1 for what is none."""
    if place >= len(template.operands):
        return -1
    number = values.integer(template.operands[place])
    return -1 if number is None else number
