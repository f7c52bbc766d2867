"""A kernel whose registers of 32 bits are kept in local memory, as compilers do at -O0.

Every read becomes a load before, every write a store behind. Their addresses are written in the
ways that compilers have: the variable's own, a generic one, and a pointer that lies in the depot.
"""

from dataclasses import replace

from warpmill.analyzer.ir.kernel import (
    Address,
    Imm,
    Instruction,
    Reg,
    Register,
    Special,
    Symbol,
    Variable,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES, Space

ADDRESSES = {"depot": 1 << 20, "other": 1 << 21}
"""Where the two local variables lie."""
B8 = TYPES["b8"]


def spilled(kernel, rng, *, is_wild=False):
    """The kernel with all registers of 32 bits in memory; it has to have no φs.

    ``is_wild``: now and then it stores to a place of the depot that differs by thread.
    """
    return _Spilling(kernel, rng, "depot" if is_wild else "other").kernel()


class _Spilling:
    def __init__(self, kernel, rng, noisy):
        self.before, self.rng, self.registers = kernel, rng, list(kernel.registers)
        self.noisy, self.often = noisy, 0.02 if noisy == "depot" else 0.1
        kept = [i for i, r in enumerate(kernel.registers) if r.type.bits == 32]
        self.place = {register: 8 + 4 * turn for turn, register in enumerate(kept)}
        size = 8 * (1 + len(kept)) + 64
        self.pointed = rng.choice(kept) if kept else None
        self.pointer, self.generic = size - 8, self.register("b64")
        self.variables = tuple(
            Variable(name, Space.LOCAL, B8, size, 8, (size,)) for name in ADDRESSES
        )

    def kernel(self):
        blocks = []
        for block in self.before.blocks:
            code = self.entry() if block.id == 0 else []
            for instruction in block.instructions:
                code += self.spill(instruction)
            blocks.append(replace(block, instructions=tuple(code)))
        made = replace(
            self.before,
            blocks=tuple(blocks),
            registers=tuple(self.registers),
            variables=(*self.before.variables, *self.variables),
        )
        assert not any(e.copies for b in made.blocks for e in b.incoming)
        return made

    def register(self, type_):
        self.registers.append(Register(f"%s{len(self.registers)}", TYPES[type_]))
        return Reg(len(self.registers) - 1)

    def entry(self):
        """The depot's generic address, and a pointer to one variable in the depot itself."""
        span = self.before.span
        own, to = self.register("b64"), self.register("b64")
        code = [
            ("mov.u64", own, Symbol("depot")),
            ("cvta.local.u64", self.generic, own),
            ("add.u64", to, own, Imm(self.place.get(self.pointed, 0))),
            ("st.local.b64", Address(Symbol("depot", self.pointer)), to),
        ]
        return [Instruction(decode(o), tuple(operands), span) for o, *operands in code]

    def spill(self, instruction):
        span, guard = instruction.span, instruction.guard
        code, operands = [], list(instruction.operands)
        writes, behind = set(instruction.writes), []
        for turn, operand in enumerate(operands):
            if not isinstance(operand, Reg) or operand.index not in self.place:
                continue
            own = operands[turn] = self.register("b32")
            if operand.index in writes and turn == 0:
                way, address = self.address(operand.index, span)
                behind = [
                    *way,
                    Instruction(decode(f"st{self.space}.b32"), (address, own), span, guard),
                ]
            else:
                way, address = self.address(operand.index, span)
                code += [*way, Instruction(decode(f"ld{self.space}.b32"), (own, address), span)]
        is_noisy = self.rng.random() < self.often and not instruction.is_branch
        noise = self.noise(span) if is_noisy else []
        return [*code, *noise, replace(instruction, operands=tuple(operands)), *behind]

    def address(self, register, span):
        """What leads to the address of a register's place, and the address."""
        offset, way = self.place[register], self.rng.random()
        if register == self.pointed and way < 0.5:
            to = self.register("b64")
            where = Address(Symbol("depot", self.pointer))
            self.space = self.rng.choice(["", ".local"])
            return [Instruction(decode("ld.local.b64"), (to, where), span)], Address(to, 0)
        self.space = self.rng.choice(["", ".local"])
        if way < 0.7:
            return [], Address(self.generic, offset)
        self.space = ".local"
        return [], Address(Symbol("depot", offset))

    def noise(self, span):
        """Store at a place of a variable that differs by thread."""
        index, to = self.register("b64"), self.register("b64")
        lane = self.register("b32")
        code = [
            ("mov.u32", lane, Special("tid.x")),
            ("mul.wide.u32", index, lane, Imm(4)),
            ("add.u64", to, index, Symbol(self.noisy, 8)),
            ("st.local.b32", Address(to), Imm(77)),
        ]
        return [Instruction(decode(o), tuple(operands), span) for o, *operands in code]
