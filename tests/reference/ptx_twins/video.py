"""Video instructions, PTX ISA 9.0, sections 9.7.17 and 9.7.18: one, two or four small numbers."""

from tests.reference.ptx_twins.answers import Exact, bits_of

WORD = (1 << 32) - 1


def _signed(value, bits):
    return value - (value >> bits - 1 << bits)


def _select(value, type_, selector):
    """The byte, half or word of a register that a selector names, by the type's sign."""
    size = {"": 32, "b": 8, "h": 16}[selector[1:2]]
    field = value >> size * int(selector[2:] or 0) & (1 << size) - 1
    return _signed(field, size) if type_ == "s32" else field


def _clamp(value, is_signed, bits):
    low, high = (-1 << bits - 1, (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(value, low), high)


_FUNCTIONS = {
    "vadd": lambda a, b: a + b,
    "vsub": lambda a, b: a - b,
    "vabsdiff": lambda a, b: abs(a - b),
    "vmin": min,
    "vmax": max,
    "vavrg": lambda a, b: a + b + (a + b >= 0) >> 1,
}

_COMPARE = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b, "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip

_SECOND = {"add": lambda t, c: t + c, "min": min, "max": max}


def _first_result(form, a, b):
    operation, words = form.operation, form.modifiers
    if operation == "vset":
        return int(_COMPARE[words[2]](a, b))
    if operation in ("vshl", "vshr"):
        count = b & 31 if "wrap" in words else min(b, 32)
        return a << count if operation == "vshl" else a >> count
    return _FUNCTIONS[operation](a, b)


def scalar(form, sources):
    """vadd and its like: parts of a and b, the operation, .sat, a second operation or a merge."""
    rows = zip(*[s.astype(object) for s in sources], strict=True)
    exact, wrapped = zip(*[_scalar_row(form, row) for row in rows], strict=True)
    return [Exact(bits_of(exact, 32), bits_of(wrapped, 32))]


def _scalar_row(form, row):
    """The result, and what it is if the first one is cut to 32 bits before what follows."""
    types = form.types if form.operation != "vset" else ("u32", *form.types)
    part_a, part_b = (p.part for p in form.sources[:2])
    a, b = _select(row[0], types[1], part_a), _select(row[1], types[2], part_b)
    is_signed = types[0] == "s32"
    result = _first_result(form, a, b)
    part = form.destinations[0].part
    if "sat" in form.modifiers:
        result = _clamp(result, is_signed, {"": 32, "b": 8, "h": 16}[part[1:2]])
    second = form.modifiers[-1]
    cut = _signed(result & WORD, 32) if is_signed else result & WORD
    if second in _SECOND and len(row) > 2:
        c = _signed(row[2], 32) if is_signed else row[2]
        return _SECOND[second](result, c), _SECOND[second](cut, c)
    merged = _merge(part, result, row[2]) if part else result
    return merged, merged


def _merge(part, result, c):
    size = {"b": 8, "h": 16}[part[1]]
    mask = (1 << size) - 1 << size * int(part[2])
    return c & ~mask | result << size * int(part[2]) & mask


def multiply_add(form, sources):
    """vmad: a product of parts and an addend, either negated; .po adds one; scaled, saturated."""
    rows = zip(*[s.astype(object) for s in sources], strict=True)
    return [Exact(bits_of([_multiply_add_row(form, row) for row in rows], 32))]


def _multiply_add_row(form, row):
    negated = [p.sign == "-" for p in form.sources]
    a = _select(row[0], form.types[1], form.sources[0].part)
    b = _select(row[1], form.types[2], form.sources[1].part)
    is_signed = "s32" in form.types[1:3] or any(negated)
    c = _signed(row[2], 32) if is_signed else row[2]
    product = -a * b if negated[0] ^ negated[1] else a * b
    result = product + (-c if negated[2] else c) + ("po" in form.modifiers)
    scale = next((int(m[3:]) for m in form.modifiers if m.startswith("shr")), 0)
    result >>= scale
    return _clamp(result, is_signed, 32) if "sat" in form.modifiers else result


def packed(form, sources):
    """vadd2, vadd4 and their like: elements of a and b; merged into c, or summed with it."""
    rows = zip(*[s.astype(object) for s in sources], strict=True)
    exact, wrapped = zip(*[_packed_row(form, row) for row in rows], strict=True)
    return [Exact(bits_of(exact, 32), bits_of(wrapped, 32))]


def _packed_row(form, row):
    count = int(form.operation[-1])
    size = 32 // count
    types = form.types if "vset" not in form.operation else ("u32", *form.types)
    default = ("10", "32") if count == 2 else ("3210", "7654")
    pair = row[1] << 32 | row[0]
    elements = [
        _elements(pair, p.part[2:] or d, size, t)
        for p, d, t in zip(form.sources[:2], default, types[1:3], strict=True)
    ]
    results = [_element(form, a, b, types[0], size) for a, b in zip(*elements, strict=True)]
    chosen = form.destinations[0].part[2:] or default[0]
    on = [str(k) in chosen for k in range(count)]
    mask = (1 << size) - 1
    if "add" in form.modifiers:
        cut = [_signed(r & mask, size) if types[0] == "s32" else r & mask for r in results]
        return tuple(
            row[2] + sum(r for r, o in zip(rs, on, strict=True) if o) for rs in (results, cut)
        )
    whole = sum(
        (results[k] & mask if on[k] else row[2] >> size * k & mask) << size * k
        for k in range(count)
    )
    return whole, whole


def _elements(pair, selector, size, type_):
    """Elements by their numbers among both registers; a selector names the highest first."""
    fields = [pair >> size * int(digit) & (1 << size) - 1 for digit in reversed(selector)]
    return [_signed(v, size) for v in fields] if type_ == "s32" else fields


def _element(form, a, b, type_, size):
    operation = form.operation[:-1]
    if operation == "vset":
        return int(_COMPARE[form.modifiers[2]](a, b))
    result = _FUNCTIONS[operation](a, b)
    return _clamp(result, type_ == "s32", size) if "sat" in form.modifiers else result


TWINS = {
    **dict.fromkeys(("vadd", "vsub", "vabsdiff", "vmin", "vmax", "vset", "vshl", "vshr"), scalar),
    "vmad": multiply_add,
    **{
        f"{name}{count}": packed
        for name in ("vadd", "vsub", "vavrg", "vabsdiff", "vmin", "vmax", "vset")
        for count in (2, 4)
    },
}
"""Twins of video instructions, by the opcode's first word."""
