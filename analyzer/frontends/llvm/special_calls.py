"""Functions that a template does not describe: which handler lowers them, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import bits_as
from warpmill.analyzer.frontends.llvm.images import (
    lower_amd_image,
    lower_buffer_load,
    lower_buffer_store,
    lower_image_query,
    lower_make_descriptor,
    lower_nvvm_surface,
    lower_nvvm_texture,
    lower_read_image,
    lower_sampler,
    lower_write_image,
)
from warpmill.analyzer.frontends.llvm.matrix import (
    lower_amd_matrix,
    lower_load_matrix,
    lower_mma,
    lower_store_matrix,
    lower_wmma,
)
from warpmill.analyzer.frontends.llvm.memory import (
    ValuePlace,
    address_of,
    byte_chunks,
    dotted,
    dotted_both,
    load_parts,
    memory_type,
    store_parts,
)
from warpmill.analyzer.frontends.llvm.opencl import (
    lower_any_all,
    lower_convert,
    lower_cross,
    lower_distance,
    lower_dot,
    lower_group_copy,
    lower_half_load,
    lower_half_store,
    lower_length,
    lower_normalize,
    lower_reduction,
    lower_shuffle_builtin,
    lower_to_space,
    lower_two_results,
)
from warpmill.analyzer.frontends.llvm.types import (
    FloatType,
    PointerType,
    Scalar,
    Unsupported,
    VectorType,
    data_table,
)
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.ir.kernel import Address, Guard, Imm, Operand, Pair, Reg

# ``llvm.masked.*``: vectors whose elements are accessed where a mask says so, one by one.


def lower_masked_load(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.load(pointer, [align,] mask, otherwise)``."""
    pointer, *_, otherwise = template.operands
    base, space = low.values.pointer(pointer)
    step, count = _step(low, otherwise.type)
    places = [address_of(base, k * step) for k in range(count)]
    _load(low, template, places, dotted(space))
    return True


def lower_gather(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.gather(pointers, [align,] mask, otherwise)``."""
    pointers, *_, otherwise = template.operands
    _step(low, otherwise.type)
    places = [address_of(p) for p in low.values.parts(pointers)]
    _load(low, template, places, _space(low, pointers))
    return True


def lower_masked_store(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.store(value, pointer, [align,] mask)``."""
    value, pointer, *_, mask = template.operands
    base, space = low.values.pointer(pointer)
    step, count = _step(low, value.type)
    places = [address_of(base, k * step) for k in range(count)]
    _store(low, places, dotted(space), mask, value)
    return True


def lower_scatter(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.masked.scatter(value, pointers, [align,] mask)``."""
    value, pointers, *_, mask = template.operands
    _step(low, value.type)
    places = [address_of(p) for p in low.values.parts(pointers)]
    _store(low, places, _space(low, pointers), mask, value)
    return True


def _step(low: Lowering, type_: object) -> tuple[int, int]:
    """Bytes from element to element, and how many there are."""
    if not isinstance(type_, VectorType):
        raise Unsupported("a masked access of what is no vector")
    bits = low.layout.bits(type_.element)
    if bits % 8 or bits > 64:
        raise Unsupported(f"a masked access of elements of {bits} bits")
    return bits // 8, type_.count


def _space(low: Lowering, pointers: st.Typed) -> str:
    type_ = low.layout.resolve(pointers.type)
    element = type_.element if isinstance(type_, VectorType) else type_
    if not isinstance(element, PointerType):
        raise Unsupported("addresses that are no pointers")
    return dotted(low.module.target.space(element.space))


def _guards(low: Lowering, mask: st.Typed) -> list[Guard | bool]:
    """Guard of each element; True and False where the mask is constant."""
    return [
        bool(part.value & 1) if isinstance(part, Imm) else Guard(low.builder.predicate(part))
        for part in low.values.parts(mask)
    ]


def _load(low: Lowering, template: st.Template, places: Sequence[Address], space: str) -> None:
    *_, mask, otherwise = template.operands
    assert template.type is not None
    leaf = low.layout.leaves(otherwise.type)[0]
    opcode = f"ld{space}.{memory_type(low, leaf)}"
    guards = _guards(low, mask)
    results: tuple[Reg, ...] = low.results(template.type)
    for to, place, guard, old in zip(
        results, places, guards, low.values.parts(otherwise), strict=True
    ):
        if guard is not True:
            low.builder.move(to, old)
        if guard is not False:
            low.emit(opcode, to, place, guard=guard if isinstance(guard, Guard) else None)


def _store(
    low: Lowering, places: Sequence[Address], space: str, mask: st.Typed, value: st.Typed
) -> None:
    leaf = low.layout.leaves(value.type)[0]
    opcode = f"st{space}.{memory_type(low, leaf)}"
    parts: tuple[Operand, ...] = low.values.parts(value)
    for place, guard, part in zip(places, _guards(low, mask), parts, strict=True):
        if guard is not False:
            low.emit(opcode, place, part, guard=guard if isinstance(guard, Guard) else None)


# Exchanges and comparisons whose kind is a number in the call; AMD's dot products of two.

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


# ``llvm.is.fpclass`` and AMD's ``class``: which kinds of floating-point numbers one is of.

_FRACTION = {"half": 10, "bfloat": 7, "float": 23, "double": 52}
# Bits of a test: signalling and quiet NaN; then from -infinity to -0, from +0 to +infinity.
_SIGNALLING, _QUIET = 1, 2
_SIGNED = {"inf": (4, 512), "normal": (8, 256), "subnormal": (16, 128), "zero": (32, 64)}


def lower_class(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.is.fpclass(x, test)`` by comparisons of the number's bits."""
    value, test = template.operands
    wanted = low.values.integer(test)
    if wanted is None or template.type is None:
        return False
    leaves = low.layout.leaves(value.type)
    results = low.results(template.type)
    for to, part, leaf in zip(results, low.values.parts(value), leaves, strict=True):
        if not isinstance(leaf, FloatType) or leaf.name not in _FRACTION:
            return False
        _test(low, to, part, leaf, wanted)
    return True


lower_amd_class = lower_class


def _test(low: Lowering, to: Reg, part: Operand, leaf: FloatType, wanted: int) -> None:
    found: Operand | None = None
    for holds in _Number(low, part, leaf).kinds(wanted):
        found = holds if found is None else low.builder.compute("or.pred", "pred", found, holds)
    low.builder.move(to, Imm(0) if found is None else found)


class _Number:
    """A number's bits, and what limits its kinds."""

    def __init__(self, low: Lowering, part: Operand, leaf: Scalar) -> None:
        assert isinstance(leaf, FloatType)
        self.low, self.width = low, low.module.width(leaf)
        fraction = _FRACTION[leaf.name]
        self.infinity = ((1 << (self.width - 1 - fraction)) - 1) << fraction
        self.quiet = self.infinity | 1 << (fraction - 1)
        self.least_normal = 1 << fraction
        self.bits = self._compute("mov", part)
        self.size = self._compute("and", self.bits, Imm((1 << (self.width - 1)) - 1))

    def _compute(self, opcode: str, *sources: Operand) -> Reg:
        return self.low.builder.compute(f"{opcode}.b{self.width}", f"b{self.width}", *sources)

    def _compare(self, how: str, left: Operand, right: int) -> Reg:
        return self.low.builder.compute(f"setp.{how}{self.width}", "pred", left, Imm(right))

    def kinds(self, wanted: int) -> Iterator[Reg]:
        """A predicate for each kind that is asked for."""
        if wanted & 3 == 3:
            yield self._compare("gt.u", self.size, self.infinity)
        elif wanted & _QUIET:
            yield self._compare("ge.u", self.size, self.quiet)
        elif wanted & _SIGNALLING:
            yield self._between(self.infinity + 1, self.quiet)
        for name, (negative, positive) in _SIGNED.items():
            if wanted & (negative | positive):
                holds = self._signed(name)
                if not wanted & positive:
                    holds = self._also(holds, self._compare("lt.s", self.bits, 0))
                elif not wanted & negative:
                    holds = self._also(holds, self._compare("ge.s", self.bits, 0))
                yield holds

    def _also(self, left: Reg, right: Reg) -> Reg:
        return self.low.builder.compute("and.pred", "pred", left, right)

    def _between(self, first: int, end: int) -> Reg:
        moved = self._sub(first)
        return self._compare("lt.u", moved, end - first)

    def _sub(self, number: int) -> Reg:
        width = self.width
        return self.low.builder.compute(f"sub.s{width}", f"b{width}", self.size, Imm(number))

    def _signed(self, name: str) -> Reg:
        match name:
            case "inf":
                return self._compare("eq.b", self.size, self.infinity)
            case "zero":
                return self._compare("eq.b", self.size, 0)
            case "normal":
                return self._between(self.least_normal, self.infinity)
        return self._between(1, self.least_normal)


# Calls that become several accesses: copies of known length, OpenCL's vloadN and vstoreN.

_MAX_BYTES = 256


def lower_copy(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.memcpy`` and ``memmove``: of a short, known length all loads, then all stores."""
    to, source, length = template.operands[:3]
    size = low.values.integer(length)
    (to_base, to_space), (base, space) = low.values.pointer(to), low.values.pointer(source)
    if size is None or size > _MAX_BYTES:
        opcode = f"copy{dotted_both(to_space, space)}.b8"
        low.emit(opcode, address_of(to_base), address_of(base), low.values.scalar(length))
        return True
    loaded = []
    align = min(_align(low, to), _align(low, source))
    for offset, width in byte_chunks(size, align):
        value = low.builder.compute(
            f"ld{dotted(space)}.b{8 * width}", f"b{8 * width}", address_of(base, offset)
        )
        loaded.append((offset, width, value))
    for offset, width, value in loaded:
        low.emit(f"st{dotted(to_space)}.b{8 * width}", address_of(to_base, offset), value)
    return True


def lower_set(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``llvm.memset``: of a short, known length with a constant as stores."""
    to, value, length = template.operands[:3]
    size, byte = low.values.integer(length), low.values.integer(value)
    base, space = low.values.pointer(to)
    if size is None or byte is None or size > _MAX_BYTES:
        operands = low.values.scalar(value), low.values.scalar(length)
        low.emit(f"fill{dotted(space)}.b8", address_of(base), *operands)
        return True
    for offset, width in byte_chunks(size, _align(low, to)):
        number = int.from_bytes(bytes([byte & 255]) * width, "little")
        low.emit(f"st{dotted(space)}.b{8 * width}", address_of(base, offset), Imm(number))
    return True


def _align(low: Lowering, argument: st.Typed) -> int:
    return 1 if argument.align is None else int(low.values.texts[argument.align])


def _vector_address(
    low: Lowering, index: st.Typed, pointer: st.Typed, type_: VectorType
) -> tuple[Operand, str]:
    base, space = low.values.pointer(pointer)
    leaf = low.layout.leaf(index.type)
    pointer_leaf = low.layout.leaf(pointer.type)
    width = low.module.width(pointer_leaf)
    scale = type_.count * low.layout.store_size(type_.element)
    offset = low.builder.resized(low.values.scalar(index), leaf, width)
    address = low.builder.compute(f"lea.b{width}", f"b{width}", base, offset, Imm(scale), Imm(0))
    return address, dotted(space)


def lower_vload(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``vloadN(offset, p)``: the elements at p + offset * N, aligned as one element is."""
    type_ = template.type
    if not isinstance(type_, VectorType) or len(template.operands) != 2:
        return False
    address, space = _vector_address(low, *template.operands, type_)
    load_parts(low, ValuePlace(f"ld{space}", address, low.layout.align(type_.element)), type_)
    return True


def lower_vstore(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``vstoreN(value, offset, p)``."""
    value, *place = template.operands
    if not isinstance(value.type, VectorType) or len(place) != 2:
        return False
    parts = low.values.parts(value)
    address, space = _vector_address(low, place[0], place[1], value.type)
    access = ValuePlace(f"st{space}", address, low.layout.align(value.type.element))
    store_parts(low, access, value.type, parts)
    return True


Handler = Callable[[Lowering, st.Template, str], bool]

# The whole name, or a beginning of it where the expression ends in `.*`. Looked at in order.
_HANDLERS: tuple[tuple[str, Handler], ...] = (
    (r"llvm\.mem(?:cpy|move)\..*", lower_copy),
    (r"llvm\.memset\..*", lower_set),
    (r"llvm\.masked\.load\..*", lower_masked_load),
    (r"llvm\.masked\.store\..*", lower_masked_store),
    (r"llvm\.masked\.gather\..*", lower_gather),
    (r"llvm\.masked\.scatter\..*", lower_scatter),
    (r"llvm\.vector\.reduce\..*", lower_reduction),
    (r"llvm\.is\.fpclass\..*", lower_class),
    (r"llvm\.nvvm\.wmma\.m\w+\.(?:load|store)\..*", lower_wmma),
    (r"llvm\.nvvm\.(?:wmma\.m\w+\.mma|mma)\..*", lower_mma),
    (r"llvm\.nvvm\.ldmatrix\..*", lower_load_matrix),
    (r"llvm\.nvvm\.stmatrix\..*", lower_store_matrix),
    (r"llvm\.nvvm\.(?:tex|tld4)\..*", lower_nvvm_texture),
    (r"llvm\.nvvm\.(?:suld|sust)\..*", lower_nvvm_surface),
    (r"llvm\.amdgcn\.class\..*", lower_amd_class),
    (r"llvm\.amdgcn\.[if]cmp\..*", lower_wave_compare),
    (r"llvm\.amdgcn\.fdot2(?:\..*)?|llvm\.amdgcn\.[su]dot2", lower_amd_dot),
    (r"llvm\.amdgcn\.(?:mfma|smfmac|wmma|swmmac)\..*", lower_amd_matrix),
    (r"llvm\.amdgcn\.make\.buffer\.rsrc\..*", lower_make_descriptor),
    (r"llvm\.amdgcn\.s?_?(?:raw|struct|s)\.(?:ptr\.)?(?:t?buffer\.load).*", lower_buffer_load),
    (r"llvm\.amdgcn\.(?:raw|struct)\.(?:ptr\.)?t?buffer\.(?:store|atomic).*", lower_buffer_store),
    (r"llvm\.amdgcn\.image\..*", lower_amd_image),
    (r"_Z\d+vload\d+\D.*", lower_vload),
    (r"_Z\d+vstore\d+\D.*", lower_vstore),
    (r"_Z\d+vloada?_half\d*\D.*", lower_half_load),
    (r"_Z\d+vstorea?_half\d*\D.*", lower_half_store),
    (r"_Z\d+convert_.*", lower_convert),
    (r"_Z3dot\D.*", lower_dot),
    (r"_Z\d+(?:fast_)?length\D.*", lower_length),
    (r"_Z\d+(?:fast_)?distance\D.*", lower_distance),
    (r"_Z\d+(?:fast_)?normalize\D.*", lower_normalize),
    (r"_Z5cross\D.*", lower_cross),
    (r"_Z3(?:any|all)\D.*", lower_any_all),
    (r"_Z[78]shuffle2?\D.*", lower_shuffle_builtin),
    (r"_Z\d+(?:sincos|modf|fract|frexp|remquo|lgamma_r)\D.*", lower_two_results),
    (r"__(?:nv|ocml)_(?:sincos|sincosf|modff?|frexpf?|remquof?)(?:_f\d\d)?", lower_two_results),
    (r"_Z\d+async_work_group_(?:strided_)?copy.*", lower_group_copy),
    (r"_Z\d+read_image(?:f|i|ui|h).*", lower_read_image),
    (r"_Z\d+write_image(?:f|i|ui|h).*", lower_write_image),
    (r"_Z\d+get_image_\w+", lower_image_query),
    (r"__translate_sampler_initializer", lower_sampler),
    (r"llvm\.nvvm\.shfl\.sync\.[if]32", lower_numbered_shuffle),
    (r"llvm\.nvvm\.vote\.sync", lower_numbered_vote),
    (r"__to_(?:global|local|private)|_Z\d+__spirv_GenericCastToPtrExplicit.*", lower_to_space),
)  # fmt: skip
_COMPILED = tuple((re.compile(expression), handler) for expression, handler in _HANDLERS)


@cache
def find_handler(callee: str) -> Handler | None:
    """The handler of a function; None where a rule or nothing is known of it."""
    for expression, handler in _COMPILED:
        if expression.fullmatch(callee):
            return handler
    return None
