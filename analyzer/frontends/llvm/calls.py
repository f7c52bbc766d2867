"""Lowering of calls: built-ins by table, what is left as ``call``.

The tables know operations as wide as registers are; intrinsics on other integers (``i7``) are
brought to that width and back (``OddCall``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from warpmill.analyzer.frontends.llvm import opencl, word_values
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.assembly import lower_assembly
from warpmill.analyzer.frontends.llvm.call_table import (
    NVVM,
    CallRule,
    TemplateCall,
    fill,
    joined,
    math_rule,
    nvvm_rule,
)
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.memory import address_of, dotted
from warpmill.analyzer.frontends.llvm.special_calls import find_handler
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    IntType,
    PointerType,
    Scalar,
    Unsupported,
    VectorType,
)
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import Address, Arguments, Imm, Operand, Reg, Symbol, Vector
from warpmill.analyzer.ir.operand_rules import operand_faults
from warpmill.analyzer.ir.operation import Knowledge, Operation, Role, decode
from warpmill.analyzer.ir.types import OpClass

_TABLE = joined()
_DROP = _TABLE["drop"]
_RUNTIME = frozenset(_TABLE["runtime"])
_MANGLED = re.compile(r"_Z(\d{1,4})(\w+)")
_SIGNED = frozenset("acsilx")
_UNSIGNED = frozenset("htjmy")
_FLOATS = ("f", "d", "Dh")


def is_dropped(callee: str) -> bool:
    """Whether calls of a function are no instructions."""
    return any(name in _DROP for name in _prefixes(callee))


def _prefixes(name: str) -> list[str]:
    """A dotted name and its beginnings, the longest first."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(len(parts), 0, -1)]


@cache
def find_rule(callee: str) -> CallRule | None:
    """The rule for a function by its name; None where there is none."""
    if callee.startswith("llvm."):
        spoken = opencl.intrinsic_of(callee)
        return _intrinsic(callee) if spoken is None else _builtin(spoken, "j")
    mangled = _MANGLED.fullmatch(callee)
    if mangled is not None:
        length = int(mangled[1])
        return _builtin(mangled[2][:length], mangled[2][length:])
    return _plain(callee)


def _intrinsic(callee: str) -> CallRule | None:
    if callee.startswith(NVVM) and (rule := nvvm_rule(callee)) is not None:
        return rule
    for name in _prefixes(_VECTOR_SUFFIX.sub(r".\1", callee)):
        line = _TABLE["intrinsics"].get(name)
        if line is not None:
            rest = callee[len(name) + 1 :]
            if isinstance(line, list):
                return CallRule(name, line, rest)
            return CallRule(name, line["emit"], rest, line.get("approximate", False))
        rule = math_rule(name.removeprefix("llvm."))
        if rule is not None:
            return rule
    return None


_VECTOR_SUFFIX = re.compile(r"\.v\d+([ip]\d+|b?f\d+)(?=\.|$)")  # of its elements a rule is one


def _builtin(name: str, signature: str) -> CallRule | None:
    spoken = opencl.builtin_of(name)
    if spoken is not None:
        rule = _builtin(spoken[0], "j")
        assert rule is not None
        return rule._replace(emit=[t.replace("<axis>", spoken[1] or "<axis>") for t in rule.emit])
    line = _TABLE["opencl"].get(name)
    if line is None and name.startswith("half_"):
        return _builtin(name.replace("half_", "native_", 1), signature)
    if line is None:
        return math_rule(name) if _kind(signature) == "float" else None
    kind = _kind(signature)
    vector = line.get(f"vector_{kind}") if "Dv" in signature[:3] else None
    emit = vector or line.get(kind) or line.get("any")
    if emit is None:
        return None
    approximate = line.get("approximate", False)
    return CallRule(name, emit, "", approximate, line.get("beyond"), line.get("any32"))


def _kind(signature: str) -> str:
    """Kind of a mangled signature's first argument; of a pointer, the kind it points to."""
    plain = re.sub(r"^(?:P|U3AS\d|U7_Atomic|V|K|Dv\d+_)+", "", signature)
    if plain.startswith(_FLOATS):
        return "float"
    return "signed" if plain[:1] in _SIGNED else "unsigned"


_OCML = re.compile(r"__ocml_(?P<name>\w+?)(?:_rt(?P<rounding>[enpz]))?_2?f(?:16|32|64)")
_ROUNDED = frozenset({"add", "sub", "mul", "div", "fma", "sqrt"})
_ROUNDING = {"e": "rn", "z": "rz", "p": "rp", "n": "rm"}


def _plain(callee: str) -> CallRule | None:
    """Functions of C, of libdevice, of AMD's device library, and SPIR-V's without mangling."""
    if opencl.builtin_of(callee) is not None:
        return _builtin(callee, "j")
    if callee in _TABLE["functions"]:
        return CallRule(callee, _TABLE["functions"][callee])
    alias = _TABLE["aliases"].get(callee)
    if alias is not None:
        return _builtin(alias, "f")
    if callee.startswith("__ockl_get_"):
        return _builtin(callee.removeprefix("__ockl_"), "j")
    found = _OCML.fullmatch(callee)
    if found is not None:
        if found["rounding"] and found["name"] in _ROUNDED:
            opcode = f"{found['name']}.{_ROUNDING[found['rounding']]}.<f>"
            return CallRule(callee, [f"{opcode} $d, $*"])
        return _builtin(found["name"], "f")
    name = callee.removeprefix("__nv_")
    for short in (name.removesuffix("f"), name):
        if "float" in _TABLE["opencl"].get(short, {}) or math_rule(short) is not None:
            return _builtin(short, "f")
    return None


def lower_call(low: Lowering, template: st.Template) -> None:
    """``call``: by the table, else left as it is."""
    match template.callee:
        case st.InlineAssembly() as assembly:
            lower_assembly(low, template, assembly)
            return
        case st.Global(slot):
            callee = low.values.global_name(slot)
            if is_dropped(callee):
                return
            if callee not in low.module.text.functions:
                if _known(low, template, callee):
                    return
                if callee.startswith("llvm."):
                    lower_unknown_intrinsic(low, template, callee)
                    return
                if callee not in _RUNTIME:
                    note_unknown_function(low, callee)
    _plain_call(low, template)


def plain_rule(module: ModuleContext, callee: str) -> CallRule | None:
    """The rule of a function that nothing but its rule decides; None for any other."""
    if callee in module.text.functions or find_handler(callee) is not None:
        return None
    return find_rule(callee)


def spelled_words(
    module: ModuleContext, rule: CallRule, results: Sequence[Scalar], arguments: Sequence[Scalar]
) -> dict[str, str]:
    """Words for the placeholders of a rule's templates, for a call on scalars."""
    words = {"rest": rule.rest, "warp_size": str(module.warp_size)}
    parts: list[_Parts] = [((Imm(0), scalar),) for scalar in arguments]
    _spell(module, words, tuple((Imm(0), scalar) for scalar in results), parts)
    return words


def _known(low: Lowering, template: st.Template, callee: str) -> bool:
    """Lower a call of a known function; False where it is not known in this form."""
    template, callee = opencl.as_opencl(template, callee, low.values) or (template, callee)
    handler = find_handler(callee)
    mark = len(low.builder.out)
    if handler is not None and handler(low, template, callee) and fits(low, mark):
        return True
    del low.builder.out[mark:]
    rule = find_rule(callee)
    if rule is None:
        return False
    try:
        done = _by_rule(low, template, rule) and fits(low, mark)
    except Unsupported:
        done = False
    if not done:
        del low.builder.out[mark:]
    elif rule.approximate:
        low.module.note_once(
            low.builder.span, f"`{rule.name}` is taken as the approximate instructions of PTX"
        )
    return done


def fits(low: Lowering, mark: int) -> bool:
    """Whether instructions from ``mark`` on have operands of their types.

    A call may give a known function arguments that are not those of its declaration elsewhere.
    """
    registers = low.builder.registers
    sound = low.module.sound
    for i in low.builder.out[mark:]:
        kinds = [
            registers[o.index].type.name if type(o) is Reg else type(o).__name__ for o in i.operands
        ]
        key = (i.operation.opcode, *kinds)
        if key in sound:
            continue
        if any(True for _ in operand_faults(i.operation, i.operands, registers)):
            return False
        if not _WITH_PARTS.intersection(kinds):
            sound.add(key)
    return True


_WITH_PARTS = frozenset({"Address", "Vector", "Pair", "TupleAddress", "Arguments", "Element"})


def _by_rule(low: Lowering, template: st.Template, rule: CallRule) -> bool:
    assert template.type is not None
    words = {"rest": rule.rest, "warp_size": str(low.module.warp_size)}
    if any("<axis>" in text for text in rule.emit):
        axis = low.values.integer(template.operands[0]) if template.operands else None
        if axis is None:
            return _chosen_axis(low, template, rule)
        if not 0 <= axis <= 2:
            (to,) = low.results(template.type)
            low.builder.move(to, Imm(rule.beyond or 0))
            return True
        words["axis"] = "xyz"[axis]
    values = [o for o in template.operands if not isinstance(o.value, st.MetadataArgument)]
    arguments = [_typed_parts(low, value) for value in values]
    pointers = _pointers(low, values, words)
    results = tuple(zip(low.results(template.type), low.layout.leaves(template.type), strict=True))
    if has_odd(low, results, *arguments):
        _by_rule_of_whole(low, rule, results, arguments)
        return True
    _spell(low.module, words, results, arguments)
    emit = rule.emit32 if rule.emit32 is not None and words.get("b") == "b32" else rule.emit
    whole = any("{$d}" in t or "$d0" in t for t in emit)
    elementwise = isinstance(low.layout.resolve(template.type), VectorType) and not whole
    for k in range(len(results) if elementwise else 1):
        call = TemplateCall(
            results=(results[k],) if elementwise else results,
            arguments=tuple((a[k],) if elementwise and len(a) > 1 else a for a in arguments),
            pointers=pointers,
            words=words,
        )
        fill(low, emit, call)
    return True


def _by_rule_of_whole(
    low: Lowering, rule: CallRule, results: tuple[tuple[Reg, Scalar], ...], arguments: list[_Parts]
) -> None:
    """A call on integers narrower than their registers: by the rule for those."""
    if any(len(pairs) != 1 for pairs in arguments):
        raise Unsupported(f"`{rule.name}` of vectors of odd widths")
    odd = OddCall(low, rule, results, arguments)
    width = low.module.width(odd.arguments[0][0][1])
    rule = find_rule(f"{rule.name}.i{width}") or rule
    words: dict[str, str] = {}
    _spell(low.module, words, odd.results, odd.arguments)
    fill(low, rule.emit, TemplateCall(odd.results, tuple(odd.arguments), {}, words))
    odd.settle()


def _chosen_axis(low: Lowering, template: st.Template, rule: CallRule) -> bool:
    """A dimension that is no constant: all three are computed, one is chosen."""
    if template.type is None or len(template.operands) != 1:
        return False
    leaf, result = (low.layout.leaf(t) for t in (template.operands[0].type, template.type))
    axis = low.values.scalar(template.operands[0])
    (to,) = low.results(template.type)
    value: Operand = Imm(rule.beyond or 0)
    width = low.module.width(result)
    for number, name in enumerate("xyz"):
        words = {"warp_size": str(low.module.warp_size), "axis": name}
        one = low.builder.temporary(low.builder.type_of(to))
        fill(low, rule.emit, TemplateCall(((one, result),), (), {}, words))
        here = low.builder.compute(f"setp.eq.b{low.module.width(leaf)}", "pred", axis, Imm(number))
        into = to if number == 2 else low.builder.temporary(low.builder.type_of(to))
        low.emit(f"selp.b{width}", into, one, value, here)
        value = into
    return True


_Parts = tuple[tuple[Operand, Scalar], ...]


def _typed_parts(low: Lowering, value: st.Typed) -> _Parts:
    if isinstance(value.type, PointerType):
        return ((low.values.pointer(value)[0], value.type),)
    return tuple(zip(low.values.parts(value), low.layout.leaves(value.type), strict=True))


def _pointers(
    low: Lowering, values: list[st.Typed], words: dict[str, str]
) -> Mapping[int, Operand]:
    """Pointer arguments as addresses; ``words`` takes the spaces that they point into."""
    found = {}
    for number, value in enumerate(values):
        if isinstance(value.type, PointerType):
            found[number], space = low.values.pointer(value)
            words[f"space{number}"] = dotted(space)
    return found


def _spell(
    module: ModuleContext, words: dict[str, str], results: _Parts | Any, arguments: list[_Parts]
) -> None:
    """Fill in the names of the types that templates ask for."""
    for number, parts in enumerate(arguments):
        if parts and module.width(parts[0][1]) > 1:
            words.update(module.spellings(parts[0][1], str(number)))
        if parts:
            words[f"{number}w"] = f"b{max(8, module.width(parts[0][1]))}"
    scalars = [scalar for _, scalar in (*results, *(a[0] for a in arguments if a))]
    if not scalars:
        return
    width = module.width(scalars[0])
    words["true"] = "-1" if len(results) > 1 else "1"
    if width > 1:
        words.update(module.spellings(scalars[0]))
        words["top"], words["half"] = str(width - 1), str(width // 2)
        words["most"], words["w"] = str((1 << (width - 1)) - 1), f"b{width}"
    if isinstance(scalars[0], FloatType):
        words["nan"] = str(_QUIET_NAN.get(scalars[0].name, 0))


_QUIET_NAN = {"half": 0x7E00, "float": 0x7FC00000, "double": 0x7FF8 << 48}


def _plain_call(low: Lowering, template: st.Template) -> None:
    """A call that stays: results, callee, arguments, each scalar by itself."""
    callee = _callee(low, template)
    arguments = [
        part
        for operand in template.operands
        if not isinstance(operand.value, st.MetadataArgument)
        for part in low.values.parts(operand)
    ]
    assert template.type is not None
    results = low.results(template.type)
    low.emit("call", Arguments(results), callee, Arguments(tuple(arguments)))


def _callee(low: Lowering, template: st.Template) -> Operand:
    match template.callee:
        case st.Global(slot):
            return low.values.global_symbol(slot)
        case None | st.InlineAssembly():
            raise Unsupported("a call of something that is no function")
        case value:
            operand, _ = low.values.pointer(st.Typed(PointerType(), value))
            if isinstance(operand, Symbol):
                low.module.referenced[operand.name] = None
            return operand


# Calls of functions that no table knows: the class of the nearest rule, and a word about it.

_VENDOR = re.compile(r"llvm\.(?:nvvm|amdgcn|spv)\.")
_TYPE_SUFFIXES = re.compile(r"(?:\.(?:p\d+|i\d+|v\d+\w+|f\d+|bf16|sl_\w+))+$")
_OPEN = frozenset(
    {OpClass.BARRIER, OpClass.FENCE, OpClass.ASYNC_COPY, OpClass.MATRIX_MOVE, OpClass.MMA,
     OpClass.TEXTURE, OpClass.SURFACE, OpClass.CONTROL, OpClass.PREFETCH}
)  # fmt: skip


def lower_unknown_intrinsic(low: Lowering, template: st.Template, callee: str) -> None:
    """Keep an intrinsic as the operation of PTX that is called like it, if its operands fit.

    Raise Unsupported where there is none; the statement then becomes an ``unknown`` one.
    """
    operation = _nearest(callee)
    operands = None if operation is None else _operands(low, template, operation)
    if operation is None or operands is None:
        raise Unsupported(f"`{callee}`")
    low.module.warn(
        low.builder.span,
        f"`{callee}` is not in the table; it is taken as `{operation.opcode}`",
    )
    low.emit(operation.opcode, *operands)


def _nearest(callee: str) -> Operation | None:
    name = _TYPE_SUFFIXES.sub("", _VENDOR.sub("", callee))
    operation = decode(name)
    known = operation.knowledge is Knowledge.TABLE and operation.op_class in _OPEN
    return operation if known else None


def _operands(low: Lowering, template: st.Template, operation: Operation) -> list[Operand] | None:
    """Result and arguments, if they fill the roles that the operation has to have."""
    assert template.type is not None
    results = low.results(template.type)
    found: list[Operand] = [] if not results else [_one_or_all(results)]
    for value in template.operands:
        if isinstance(value.value, st.MetadataArgument):
            continue
        if isinstance(value.type, PointerType):
            found.append(address_of(low.values.pointer(value)[0]))
        else:
            found.append(_one_or_all(low.values.parts(value)))
    lines = zip(operation.roles, operation.optional, strict=True)
    required = [role for role, optional in lines if not optional and role is not Role.LABEL]
    if len(found) < len(required):
        return None
    for role, operand in zip(required, found, strict=False):
        if (role is Role.ADDRESS) != isinstance(operand, Address):
            return None
    starts_with_result = bool(required) and required[0] is Role.DESTINATION
    return found if starts_with_result == bool(results) else None


def _one_or_all(parts: tuple[Operand, ...]) -> Operand:
    return parts[0] if len(parts) == 1 else Vector(tuple(parts))


def note_unknown_function(low: Lowering, callee: str) -> None:
    """Warn once of a function without a body that nothing is known of it."""
    low.module.warn_once(
        low.builder.span,
        f"the function `{callee}` has no body here and is not in the table; its work is unknown",
    )


# Intrinsics on integers narrower than their register: what goes in and comes out is brought about.
#
# The rule is that of the register's width. Where the highest bit matters (saturation, overflow)
# the values are moved up to it and back; elsewhere they are extended as the operation asks for.

_Pairs = tuple[tuple[Operand, Scalar], ...]
Results = tuple[tuple[Reg, Scalar], ...]
_MOVED_UP = frozenset(
    {
        f"llvm.{s}{op}.{how}"
        for s in "su"
        for op in ("add", "sub")
        for how in ("sat", "with.overflow")
    }
)
_MOVED_DOWN = ("llvm.bitreverse", "llvm.bswap")
_PLAIN = frozenset(
    {"llvm.umin", "llvm.umax", "llvm.smin", "llvm.smax", "llvm.abs", "llvm.ctpop", "llvm.ctlz",
     "llvm.expect", "llvm.ssa.copy", "llvm.ucmp", "llvm.scmp", "llvm.cttz"}
)  # fmt: skip


def has_odd(low: Lowering, *groups: _Pairs | Results) -> bool:
    """Whether some of the scalars are such integers."""
    return any(word_values.is_odd(low, scalar) for group in groups for _, scalar in group)


def whole(low: Lowering, scalar: Scalar) -> Scalar:
    """The integer type as wide as a scalar's register."""
    odd = word_values.is_odd(low, scalar)
    return IntType(low.module.width(scalar)) if odd else scalar


class OddCall:
    """One call: ``arguments`` and ``results`` for the rule, then ``settle`` the results."""

    def __init__(
        self, low: Lowering, rule: CallRule, results: Results, arguments: list[_Pairs]
    ) -> None:
        self._low, self._name = low, rule.name
        down = rule.name.startswith(_MOVED_DOWN)
        if rule.name not in _PLAIN | _MOVED_UP and not down:
            raise Unsupported(f"`{rule.name}` of an integer of such a width")
        signed = any("<s>" in text or "<0s>" in text for text in rule.emit)
        enter = self._up if rule.name in _MOVED_UP else self._signed if signed else self._same
        self.arguments = [
            tuple((enter(o, s), whole(low, s)) for o, s in pairs) for pairs in arguments
        ]
        self._late: list[tuple[Reg, Reg, Scalar]] = []
        self.results = tuple(self._result(register, scalar) for register, scalar in results)

    def _spare(self, scalar: Scalar) -> int:
        return self._low.module.width(scalar) - self._low.layout.scalar_bits(scalar)

    def _same(self, operand: Operand, scalar: Scalar) -> Operand:  # noqa: ARG002 - one of three of a kind
        return operand

    def _signed(self, operand: Operand, scalar: Scalar) -> Operand:
        odd = word_values.is_odd(self._low, scalar)
        return word_values.sign_extended(self._low, operand, scalar) if odd else operand

    def _up(self, operand: Operand, scalar: Scalar) -> Operand:
        width = self._low.module.width(scalar)
        if isinstance(operand, Imm):
            return Imm(operand.value << self._spare(scalar) & ((1 << width) - 1))
        amount = Imm(self._spare(scalar))
        return self._low.builder.compute(f"shl.b{width}", f"b{width}", operand, amount)

    def _result(self, register: Reg, scalar: Scalar) -> tuple[Reg, Scalar]:
        if not word_values.is_odd(self._low, scalar):
            return register, scalar
        found = self._low.builder.temporary(self._low.builder.type_of(register))
        self._late.append((register, found, scalar))
        return found, whole(self._low, scalar)

    def settle(self) -> None:
        """Assign the results to their registers, with zeros above."""
        finish: Callable[[Reg, Reg, Scalar], None] = self._mask
        if self._name in _MOVED_UP or self._name.startswith(_MOVED_DOWN):
            finish = self._down
        elif self._name == "llvm.ctlz":
            finish = self._fewer
        elif self._name == "llvm.cttz":
            finish = self._at_most
        for to, value, scalar in self._late:
            finish(to, value, scalar)

    def _mask(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width, bits = self._low.module.width(scalar), self._low.layout.scalar_bits(scalar)
        self._low.emit(f"and.b{width}", to, value, Imm((1 << bits) - 1))

    def _down(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width = self._low.module.width(scalar)
        self._low.emit(f"shr.u{width}", to, value, Imm(self._spare(scalar)))

    def _fewer(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width = self._low.module.width(scalar)
        self._low.emit(f"sub.s{width}", to, value, Imm(self._spare(scalar)))

    def _at_most(self, to: Reg, value: Reg, scalar: Scalar) -> None:
        width, bits = self._low.module.width(scalar), self._low.layout.scalar_bits(scalar)
        self._low.emit(f"min.u{width}", to, value, Imm(bits))
