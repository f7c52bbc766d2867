"""Kernels of plain integer PTX, executed thread by thread in Python: what each CTA accesses."""

from collections import defaultdict
from itertools import product

from warpmill.analyzer.ir.kernel import Address, Imm, Reg, Special

_MOST_STEPS = 20_000


def run(program, parameters):
    """The first bytes that each access touched, by its place and CTA.

    ``parameters`` are values by name. Memory begins with what its address hashes to.
    """
    touched, memory = defaultdict(lambda: defaultdict(set)), {}
    for z, y, x in product(*[range(n) for n in reversed(program.grid)]):
        for tz, ty, tx in product(*[range(n) for n in reversed(program.block)]):
            specials = {
                "ctaid.x": x, "ctaid.y": y, "ctaid.z": z, "tid.x": tx, "tid.y": ty, "tid.z": tz,
                "ntid.x": program.block[0], "ntid.y": program.block[1],
            }  # fmt: skip
            _Thread(program.kernel, specials, parameters, memory, touched, (x, y, z)).run()
    return touched


def _truncated(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
    "shr": lambda a, b: a >> b,
    "min": min,
    "max": max,
    "div": _truncated,
    "rem": lambda a, b: a - b * _truncated(a, b),
}
_COMPARE = {
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
}


class _Thread:
    def __init__(self, kernel, specials, parameters, memory, touched, cta):
        self.kernel, self.specials, self.parameters = kernel, specials, parameters
        self.memory, self.touched, self.cta = memory, touched, cta
        self.registers = defaultdict(int)

    def run(self):
        block, steps = 0, 0
        while block is not None:
            following = self.kernel.blocks[block].fallthrough
            for number, instruction in enumerate(self.kernel.blocks[block].instructions):
                steps += 1
                assert steps < _MOST_STEPS
                guard = instruction.guard
                if guard and bool(self.registers[guard.register.index]) == guard.negated:
                    continue
                name = instruction.operation.name
                if name == "ret":
                    return
                if name == "bra":
                    following = instruction.targets[0]
                else:
                    self.step(name, instruction, (block, number))
            block = following

    def value(self, operand, type_):
        """An operand as a number of a type."""
        match operand:
            case Reg(index):
                raw = self.registers[index]
            case Imm(raw):
                pass
            case Special(name):
                raw = self.specials[name]
        raw &= (1 << type_.bits) - 1
        is_below = type_.name[0] == "s" and raw >> type_.bits - 1
        return raw - (1 << type_.bits) if is_below else raw

    def step(self, name, instruction, place):
        operation = instruction.operation
        type_, (first, *rest) = operation.type, instruction.operands
        if name in ("ld", "st", "red"):
            self.access(name, instruction, place)
            return
        if name == "selp":
            a, b, p = rest
            result = self.value(a if self.registers[p.index] else b, type_)
        elif name == "cvt":
            result = self.value(rest[0], operation.types[1])
        else:
            # shifts count without a sign; those of the generator are small numbers
            given = [self.value(o, type_) for o in rest]
            if name == "setp":
                result = _COMPARE[operation.modifiers[0]](*given)
            elif name == "mad":
                result = given[0] * given[1] + given[2]
            elif name in ("mov", "neg"):
                result = given[0] if name == "mov" else -given[0]
            else:
                result = _BINARY[name](*given)
        self.registers[first.index] = int(result)

    def access(self, name, instruction, place):
        (address,) = [o for o in instruction.operands if isinstance(o, Address)]
        type_, size = instruction.operation.type, instruction.operation.width_bytes
        if instruction.operation.space.value == "param":
            self.registers[instruction.operands[0].index] = self.parameters[address.base.name]
            return
        at = (self.registers[address.base.index] + address.offset) & (1 << 64) - 1
        self.touched[place][self.cta].add(at)
        if name == "ld":
            self.registers[instruction.operands[0].index] = self.memory.get(at, at * 40503 >> 7)
        else:
            self.memory[at] = self.value(instruction.operands[1], type_) + size
