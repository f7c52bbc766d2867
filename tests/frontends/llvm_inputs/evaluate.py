"""What one lane computes in straight-line integer code: plain Python for each operation."""

import operator

from warpmill.analyzer.ir.kernel import Address, Imm, Reg, Symbol, Vector
from warpmill.analyzer.ir.types import TYPES, TypeKind

COMPARE = {"eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le,
           "gt": operator.gt, "ge": operator.ge}  # fmt: skip
BITWISE = {"and": operator.and_, "or": operator.or_, "xor": operator.xor}


def run(kernel, memory):
    """Run a kernel of one block whose pointer argument is 0 on these bytes."""
    state = {}
    for parameter in kernel.parameters:
        state[parameter.register.index] = 0
    carry = 0
    for instruction in kernel.instructions:
        name, *modifiers = instruction.operation.opcode.split(".")
        types = [TYPES[m] for m in modifiers if m in TYPES]
        operands = instruction.operands
        if name in ("ld", "st"):
            access(name, types[0], operands, (kernel, state, memory))
        elif name != "ret":
            carry = compute(name, modifiers, types, operands, (kernel, state, carry))


def bits(kernel, register):
    return kernel.registers[register.index].type.bits


def number(operand, kernel, state, type_):
    """Read an operand as a number of a type."""
    match operand:
        case Reg():
            value = state[operand.index]
        case Imm(value):
            pass
        case Symbol():
            raise AssertionError("no variables here")
    value %= 1 << type_.bits
    if type_.kind is TypeKind.SIGNED and value >> (type_.bits - 1):
        value -= 1 << type_.bits
    return value


def access(name, type_, operands, machine):
    """Read or write memory, one element after the other."""
    kernel, state, memory = machine
    place, values = operands if name == "st" else operands[::-1]
    assert isinstance(place, Address)
    base = state[place.base.index] if isinstance(place.base, Reg) else place.base.value
    elements = values.elements if isinstance(values, Vector) else (values,)
    size = type_.bits // 8
    assert (base + place.offset) % (size * len(elements)) == 0 or size == 1
    for k, element in enumerate(elements):
        start = base + place.offset + k * size
        if name == "ld":
            state[element.index] = int.from_bytes(memory[start : start + size], "little")
        else:
            value = number(element, kernel, state, TYPES[f"u{type_.bits}"])
            memory[start : start + size] = value.to_bytes(size, "little")


def compute(name, modifiers, types, operands, machine):
    """Write the result of an operation; give the carry."""
    kernel, state, carry = machine
    to, *sources = operands
    if name == "mov":
        move(to, sources[0], types[0], kernel, state)
        return carry
    type_ = types[-1] if name == "cvt" else types[0]
    if name == "setp" or "pred" in modifiers:
        type_ = types[0]
    shift = name in ("shl", "shr")
    read = [
        number(s, kernel, state, TYPES["u32"] if shift and k else TYPES["pred"]
               if name == "selp" and k == 2 else type_)
        for k, s in enumerate(sources)
    ]  # fmt: skip
    value = result(name, modifiers, type_, read, carry)
    state[to.index] = value % (1 << bits(kernel, to))
    return carry_of(name, modifiers, type_, read, carry)


def move(to, source, type_, kernel, state):
    """Copy, pack or unpack."""
    parts = source.elements if isinstance(source, Vector) else (source,)
    whole, at = 0, 0
    for part in parts:
        width = type_.bits // len(parts)
        whole |= number(part, kernel, state, TYPES.get(f"u{width}", TYPES["pred"])) << at
        at += width
    for register in to.elements if isinstance(to, Vector) else (to,):
        width = bits(kernel, register)
        state[register.index] = whole % (1 << width)
        whole >>= width


def carry_of(name, modifiers, type_, read, carry):
    if "cc" not in modifiers:
        return carry
    a, b = (v % (1 << type_.bits) for v in read)
    inside = carry if name.endswith("c") else 0
    if name.startswith("add"):
        return (a + b + inside) >> type_.bits
    return int(a - b - inside < 0)


def saturated(value, type_):
    most = (1 << (type_.bits - 1)) - 1
    return max(-most - 1, min(most, value))


def result(name, modifiers, type_, read, carry):  # noqa: PLR0912 - one branch an operation
    """The value of an operation, not yet cut to its register."""
    width = type_.bits
    match name:
        case "add" | "addc" | "sub" | "subc":
            sign = 1 if name.startswith("add") else -1
            inside = carry if name.endswith("c") else 0
            total = read[0] + sign * (read[1] + inside)
            return saturated(total, type_) if "sat" in modifiers else total
        case "mul":
            product = read[0] * read[1]
            return product >> width if "hi" in modifiers else product
        case "div" | "rem":
            quotient = abs(read[0]) // abs(read[1])
            quotient = quotient if (read[0] < 0) == (read[1] < 0) else -quotient
            return quotient if name == "div" else read[0] - quotient * read[1]
        case "and" | "or" | "xor":
            return BITWISE[name](read[0], read[1])
        case "not":
            return ~read[0]
        case "shl":
            return read[0] << min(read[1], width)
        case "shr":
            return read[0] >> min(read[1], width)
        case "setp":
            return int(COMPARE[modifiers[0]](read[0], read[1]))
        case "selp":
            return read[0] if read[2] else read[1]
        case "cvt":
            return read[0]
        case "lea":
            return read[0] + read[1] * read[2] + read[3]
        case "min" | "max":
            return {"min": min, "max": max}[name](read[0], read[1])
        case "neg":
            return -read[0]
        case "abs":
            return abs(read[0])
        case "clz":
            return width - read[0].bit_length()
        case "popc":
            return read[0].bit_count()
        case "brev":
            return int(f"{read[0]:0{width}b}"[::-1], 2)
        case "prmt":
            return permuted(*read)
    raise NotImplementedError(name)


def permuted(a, b, selector):
    """Bytes of two words chosen by nibbles."""
    both = (a | b << 32).to_bytes(8, "little")
    chosen = [both[selector >> 4 * k & 7] for k in range(4)]
    return int.from_bytes(bytes(chosen), "little")
