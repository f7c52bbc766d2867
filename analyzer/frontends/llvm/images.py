"""Images, textures, surfaces and AMD's buffers, which kernels access through a handle.

OpenCL's, NVIDIA's and AMD's become PTX's operations. A handle is the 64 bits that PTX has for one.
OpenCL's coordinates may be integers; its samplers are handles, or the number that a constant
sampler is. A buffer's descriptor is taken apart into an address.
"""

from __future__ import annotations

import re

from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import is_pointer
from warpmill.analyzer.frontends.llvm.memory import ValuePlace, load_parts, store_parts
from warpmill.analyzer.frontends.llvm.types import FloatType, IntType, Type, Unsupported
from warpmill.analyzer.frontends.llvm.values import Lowering
from warpmill.analyzer.frontends.llvm.word_values import BitField, field, masked, pack
from warpmill.analyzer.ir.kernel import Address, Imm, Operand, Reg, TupleAddress, Vector

_WORD = IntType(32)

_IMAGE = re.compile(
    r"(?:ocl_|__spirv_Image|image)(?P<dim>[123])d(?P<array>_array)?(?P<buffer>_buffer)?"
)
_TEXTURE = re.compile(
    r"llvm\.nvvm\.(?P<op>tex|tld4)(?P<unified>\.unified)?(?P<channel>\.[rgba])?\.(?P<dim>[123]d|cube)"
    r"(?P<array>\.array)?(?P<how>\.level|\.grad)?\.v4(?P<to>f32|s32|u32)\.(?P<from>f32|s32)"
)
_SURFACE = re.compile(
    r"llvm\.nvvm\.(?P<op>suld|sust\.[bp])\.(?P<dim>[123]d)(?P<array>\.array)?"
    r"(?P<vector>\.v[24])?\.?(?P<type>i8|i16|i32|i64)\.(?P<clamp>clamp|zero|trap)"
)
_VECTOR_TYPE = re.compile(r"(v[24])(i\d+)")
_AMD = re.compile(
    r"llvm\.amdgcn\.image\.(?P<op>load|store|sample|gather4|getresinfo|atomic|getlod|msaa)"
    r"(?P<how>[\w.]*?)\.(?P<dim>1d|2d|3d|cube|1darray|2darray|2dmsaa|2darraymsaa)(?P<rest>\..*)?"
)


def _coordinates(low: Lowering, values: list[st.Typed]) -> tuple[Operand, ...]:
    return tuple(part for value in values for part in low.values.parts(value))


def _letter(low: Lowering, value: st.Typed) -> str:
    return "f32" if isinstance(low.layout.leaves(value.type)[0], FloatType) else "s32"


def _handle(low: Lowering, value: st.Typed) -> Operand:
    leaf = low.layout.leaves(value.type)[0]
    return low.values.pointer(value)[0] if is_pointer(leaf) else low.values.parts(value)[0]


def _geometry(callee: str) -> str:
    found = _IMAGE.search(callee)
    if found is None:
        raise Unsupported(f"the image of `{callee}`")
    return ("a" if found["array"] else "") + f"{found['dim']}d"


def _padded(operands: tuple[Operand, ...], geometry: str) -> tuple[Operand, ...]:
    """As many coordinates as PTX has for a geometry: an array's index comes first there."""
    count = int(geometry[-2]) + geometry.startswith("a")
    used = operands[:count]
    if geometry.startswith("a"):
        used = (used[-1], *used[:-1])
    return used if len(used) in (1, 2, 4) else (*used, Imm(0))


def lower_read_image(low: Lowering, template: st.Template, callee: str) -> bool:
    """``read_imagef`` and its like, with a sampler or without."""
    handle, *rest = template.operands
    if template.type is None or not rest:
        return False
    geometry = _geometry(callee)
    sampled = "sampler" in callee.lower()
    place = rest[1] if sampled and len(rest) > 1 else rest[0]
    results = low.results(template.type)
    kind = "f32" if "imagef" in callee else "u32" if "imageui" in callee else "s32"
    if "imageh" in callee:
        kind = "f16"
    parts = _padded(_coordinates(low, [place]), geometry)
    address = TupleAddress((_handle(low, handle), *_sampler(low, rest, sampled), Vector(parts)))
    low.emit(f"tex.{geometry}.v4.{kind}.{_letter(low, place)}", Vector(results), address)
    return True


def _sampler(low: Lowering, rest: list[st.Typed], sampled: bool) -> tuple[Operand, ...]:
    """The handle of a sampler; none for a constant one, as the texture has its own ways."""
    if not sampled:
        return ()
    operand = _handle(low, rest[0])
    return () if isinstance(operand, Imm) or operand in low.constant_samplers else (operand,)


def lower_write_image(low: Lowering, template: st.Template, callee: str) -> bool:
    """``write_imagef`` and its like."""
    handle, place, *others = template.operands
    value = others[-1]
    geometry = _geometry(callee)
    parts = _padded(_coordinates(low, [place]), geometry)
    address = TupleAddress((_handle(low, handle), Vector(parts)))
    low.emit(f"sust.p.{geometry}.v4.b32.trap", address, Vector(low.values.parts(value)))
    return True


_QUERIES = {
    "width": "width", "height": "height", "depth": "depth", "array_size": "array_size",
    "channel_data_type": "channel_data_type", "channel_order": "channel_order",
    "num_mip_levels": "num_mipmap_levels", "num_samples": "num_samples",
}  # fmt: skip


def lower_image_query(low: Lowering, template: st.Template, callee: str) -> bool:
    """``get_image_width`` and its like; ``get_image_dim`` gives several of them."""
    found = re.match(r"_Z\d+get_image_(dim|[a-z_]+?)\d", callee)
    if found is None or template.type is None:
        return False
    leaf = low.layout.leaves(template.type)[0]
    results = low.results(template.type)
    names = ("width", "height", "depth") if found[1] == "dim" else (_QUERIES.get(found[1], ""),)
    if not names[0]:
        return False
    address = TupleAddress((_handle(low, template.operands[0]),))
    for k, to in enumerate(results):
        if k >= len(names):
            low.builder.move(to, Imm(0))
            continue
        value = low.builder.compute(f"txq.{names[k]}.b32", "b32", address)
        low.builder.move(to, low.builder.resized(value, _WORD, low.module.width(leaf)))
    return True


def lower_sampler(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """A constant sampler: its number is the handle."""
    if template.type is None:
        return False
    (to,) = low.results(template.type)
    low.builder.move(to, Imm(low.values.integer(template.operands[0]) or 0))
    low.constant_samplers.add(to)
    return True


def lower_nvvm_texture(low: Lowering, template: st.Template, callee: str) -> bool:
    """``llvm.nvvm.tex`` and ``tld4``."""
    found = _TEXTURE.fullmatch(callee)
    if found is None or template.type is None:
        return False
    handles = 1 if found["unified"] else 2
    heads = tuple(_handle(low, value) for value in template.operands[:handles])
    parts = _coordinates(low, list(template.operands[handles:]))
    array = bool(found["array"])
    axes = 3 if found["dim"] == "cube" else int(found["dim"][0])
    count = axes + array
    place, rest = parts[:count], parts[count:]
    if len(place) == 3:
        place = (*place, Imm(0))
    opcode = (
        f"{found['op']}{(found['how'] or '')}{(found['channel'] or '')}"
        f".{'a' if array else ''}{found['dim']}.v4.{found['to']}.{found['from']}"
    )
    extra = [rest[0]] if found["how"] == ".level" else []
    if found["how"] == ".grad":
        half = len(rest) // 2
        extra = [Vector(rest[:half]), Vector(rest[half:])]
    address = TupleAddress((*heads, Vector(place)))
    low.emit(opcode, Vector(low.results(template.type)), address, *extra)
    return True


def lower_nvvm_surface(low: Lowering, template: st.Template, callee: str) -> bool:
    """``llvm.nvvm.suld`` and ``sust``."""
    found = _SURFACE.fullmatch(_VECTOR_TYPE.sub(r"\1.\2", callee))
    if found is None or template.type is None:
        return False
    array = bool(found["array"])
    count = int(found["dim"][0]) + array
    handle, *rest = template.operands
    place = _coordinates(low, rest[:count])
    if len(place) == 3:
        place = (*place, Imm(0))
    address = TupleAddress((_handle(low, handle), Vector(place)))
    op = "suld.b" if found["op"] == "suld" else found["op"]
    geometry = f"{'a' if array else ''}{found['dim']}"
    opcode = f"{op}.{geometry}{found['vector'] or ''}.b{found['type'][1:]}.{found['clamp']}"
    if found["op"] == "suld":
        results = low.results(template.type)
        low.emit(opcode, Vector(results) if found["vector"] else results[0], address)
        return True
    values = _coordinates(low, rest[count:])
    low.emit(opcode, address, Vector(values) if found["vector"] else values[0])
    return True


def lower_amd_image(low: Lowering, template: st.Template, callee: str) -> bool:
    """``llvm.amdgcn.image``: loads, samples and stores; what else there is stays unknown."""
    found = _AMD.fullmatch(callee)
    if found is None or found["op"] not in ("load", "store", "sample", "gather4"):
        return False
    wide = [k for k, o in enumerate(template.operands) if len(low.layout.leaves(o.type)) >= 8]
    if not wide or template.type is None:
        return False
    resource = template.operands[wide[0]]
    before = list(template.operands[: wide[0]])
    stored = before.pop(0) if found["op"] == "store" else None
    kind = found["dim"]
    behind = "msaa" in kind or not {"l", "cl", "mip"}.isdisjoint(found["how"].split("."))
    places = before[1 : len(before) - behind]  # from the mask to a sample or a level of detail
    geometry = ("a" if "array" in kind else "") + kind[:2] if kind != "cube" else "cube"
    count = {"1d": 1, "2d": 2, "3d": 3, "cube": 3}.get(kind[:2] if kind != "cube" else kind, 2)
    count += "array" in kind
    parts = _coordinates(low, places)[-count:]
    if "array" in kind:  # PTX has the layer first
        parts = (parts[-1], *parts[:-1])
    if len(parts) == 3:
        parts = (*parts, Imm(0))
    handle = low.values.parts(resource)[0]
    base = low.builder.resized(handle, low.layout.leaves(resource.type)[0], 64)
    address = TupleAddress((base, Vector(parts)))
    if stored is not None:
        low.emit(f"sust.p.{geometry}.v4.b32.trap", address, Vector(low.values.parts(stored)))
        return True
    results = low.results(template.type)
    letter = _letter(low, places[-1])
    leaf = low.layout.leaves(template.type)[0]
    type_ = low.module.spelled(leaf, "f" if isinstance(leaf, FloatType) else "s")
    low.emit(f"tex.{geometry}.v4.{type_}.{letter}", _four(low, results), address)
    return True


def _four(low: Lowering, results: tuple[Reg, ...]) -> Vector:
    """The registers of a result, with others for what the mask leaves out."""
    type_ = low.builder.type_of(results[0])
    missing = [low.builder.temporary(type_) for _ in range(4 - len(results))]
    return Vector((*results[:4], *missing))


# AMD's buffer descriptors: 128 bits with base (48), stride (14), number of records and flags.
#
# A descriptor is two words of 64 bits (``ptr addrspace(8)``) or four of 32 (``<4 x i32>``). An
# access goes to base + stride * index + offsets; swizzled and out-of-bounds accesses are not told
# apart.

_BASE_BITS, _STRIDE_BITS = 48, 14
_ATOMIC = re.compile(r".*\.atomic\.(\w+?)(?:\.\w+)*")
_ATOMICS = {
    "swap": "exch.b", "add": "add.u", "smin": "min.s", "smax": "max.s", "umin": "min.u",
    "umax": "max.u", "and": "and.b", "or": "or.b", "xor": "xor.b", "inc": "inc.u", "dec": "dec.u",
    "fadd": "add.f", "fmin": "min.f", "fmax": "max.f",
}  # fmt: skip


def lower_make_descriptor(low: Lowering, template: st.Template, callee: str) -> bool:  # noqa: ARG001 - a handler takes all three
    """``make.buffer.rsrc(base, stride, records, flags)``."""
    pointer, stride, records, flags = template.operands
    assert template.type is not None
    results = low.results(template.type)
    if len(results) != 2:
        raise Unsupported("a buffer descriptor of 64 bits, as the data layout has it,")
    base = low.values.parts(pointer)[0]
    if isinstance(base, Imm):
        raise Unsupported("a descriptor of a constant address")
    first = masked(low, base, 64, _BASE_BITS)
    step = _wide(low, stride)
    if step != Imm(0):
        moved = low.builder.compute("shl.b64", "b64", step, Imm(_BASE_BITS))
        first = low.builder.compute("or.b64", "b64", first, moved)
    low.builder.move(results[0], first)
    upper = low.builder.compute("shl.b64", "b64", _wide(low, flags), Imm(32))
    low.emit("or.b64", results[1], upper, masked(low, _wide(low, records), 64, 32))
    return True


def _wide(low: Lowering, value: st.Typed) -> Operand:
    leaf = low.layout.leaf(value.type)
    return low.builder.resized(low.values.scalar(value), leaf, 64)


def _align(low: Lowering, type_: Type) -> int:
    """Words of 4 bytes are what the hardware asks for; an element is accessed as a whole."""
    element = low.layout.align(low.layout.leaves(type_)[0])
    return min(max(4, element), low.layout.align(type_))


def lower_buffer_load(low: Lowering, template: st.Template, callee: str) -> bool:
    """``raw.buffer.load`` and ``struct.buffer.load``, and their other forms."""
    assert template.type is not None
    address = _address(low, list(template.operands), callee)
    access = ValuePlace("ld.global", address, _align(low, template.type))
    load_parts(low, access, template.type)
    return True


def lower_buffer_store(low: Lowering, template: st.Template, callee: str) -> bool:
    """The same for stores, and for atomic operations, whose value comes first."""
    found = _ATOMIC.fullmatch(callee)
    values = 2 if ".cmpswap" in callee else 1
    address = _address(low, list(template.operands[values:]), callee)
    value = template.operands[0]
    if found is None:
        access = ValuePlace("st.global", address, _align(low, value.type))
        store_parts(low, access, value.type, low.values.parts(value))
        return True
    leaf = low.layout.leaf(value.type)
    assert template.type is not None
    (to,) = low.results(template.type)
    width, place = low.module.width(leaf), Address(address, 0)
    if values == 2:
        new, old = (low.values.scalar(o) for o in template.operands[:2])
        low.emit(f"atom.global.cas.b{width}", to, place, old, new)
        return True
    if found[1] not in _ATOMICS:
        return False
    low.emit(f"atom.global.{_ATOMICS[found[1]]}{width}", to, place, low.values.scalar(value))
    return True


def _address(low: Lowering, operands: list[st.Typed], callee: str) -> Reg:
    """The address that a descriptor, an index and offsets give."""
    descriptor, *rest = operands
    leaves = low.layout.leaves(descriptor.type)
    if len(leaves) < 2 or any(map(is_pointer, leaves)):
        raise Unsupported("a descriptor of another form")
    words = pack(low, low.values.parts(descriptor), leaves)
    address: Operand = masked(low, words[0].operand, 64, _BASE_BITS)
    if ".struct." in callee:
        index, *rest = rest
        stride = field(low, words, BitField(_BASE_BITS, _STRIDE_BITS))
        stride = low.builder.resize(None, stride, 64, 16, "u")
        by = low.builder.compute("mul.lo.u64", "b64", _wide(low, index), stride)
        address = low.builder.compute("add.s64", "b64", address, by)
    offsets = rest[:1] if ".s.buffer" in callee else rest[:2]
    for offset in offsets:
        wide = _wide(low, offset)
        if wide != Imm(0):
            address = low.builder.compute("add.s64", "b64", address, wide)
    if not isinstance(address, Reg):
        raise Unsupported("a descriptor of a constant address")
    return address
