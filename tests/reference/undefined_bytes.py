"""Which bytes of registers and memory nobody has written: a twin of initcheck, byte by byte.

It reads lines of a few forms, as ``random_lines`` writes them, for one thread. Registers of 32 bits
are lists of four truths, whether each byte is undefined; a thread has 16 B of shared memory.
"""

from dataclasses import dataclass, field

REGISTERS = [f"%r{k}" for k in range(10, 16)]


def random_lines(rng, count):
    """Lines of a kernel: %r0 is the thread, %r8 its shared memory, %p4 holds for odd ones."""
    lines = ["shl.b32 %r8, %r0, 4", "and.b32 %r3, %r0, 1", "setp.eq.u32 %p4, %r3, 1"]
    for _ in range(count):
        to, a, b = (rng.choice(REGISTERS) for _ in range(3))
        eights = 8 * rng.randrange(4)
        offset = rng.randrange(4)
        guard = rng.choice(["", "", "@%p4 ", "@!%p4 "])
        line = rng.choice([
            f"mov.u32 {to}, {rng.randrange(1000)}",
            f"mov.b32 {to}, {a}",
            f"ld.shared.u32 {to}, [%r8+{4 * offset}]",
            f"ld.shared.u16 {to}, [%r8+{2 * offset}]",
            f"ld.shared.s8 {to}, [%r8+{offset}]",
            f"ld.shared.u8 {to}, [%r8+{offset}]",
            f"st.shared.u32 [%r8+{4 * offset}], {a}",
            f"st.shared.u16 [%r8+{2 * offset}], {a}",
            f"st.shared.u8 [%r8+{offset}], {a}",
            f"add.u32 {to}, {a}, {b}",
            f"mul.lo.u32 {to}, {a}, 3",
            f"and.b32 {to}, {a}, {255 << eights}",
            f"or.b32 {to}, {a}, {255 << eights}",
            f"xor.b32 {to}, {a}, {b}",
            f"shl.b32 {to}, {a}, {rng.randrange(32)}",
            f"shr.u32 {to}, {a}, {rng.randrange(32)}",
            f"bfe.u32 {to}, {a}, {eights}, {rng.randrange(1, 33)}",
            f"bfi.b32 {to}, {a}, {b}, {eights}, {8 * rng.randrange(1, 5)}",
            f"prmt.b32 {to}, {a}, {b}, {sum(rng.randrange(8) << 4 * k for k in range(4))}",
            f"selp.b32 {to}, {a}, {b}, %p4",
            f"cvt.s32.s8 {to}, {a}",
            f"cvt.u32.u16 {to}, {a}",
        ])  # fmt: skip
        lines.append(guard + line)
    return lines


@dataclass
class Twin:
    """One thread: truths of the bytes of its registers and of its part of shared memory."""

    thread: int
    registers: dict = field(default_factory=lambda: {r: [True] * 4 for r in REGISTERS})
    memory: list = field(default_factory=lambda: [True] * 16)

    @classmethod
    def ran(cls, lines, thread):
        """The state after some lines."""
        twin = cls(thread)
        for line in lines[3:]:
            twin.step(line)
        return twin

    def step(self, line):
        """Do one line."""
        if line.startswith("@"):
            guard, line = line.split(" ", 1)
            if (self.thread % 2 == 1) == guard.startswith("@!"):
                return
        opcode, rest = line.split(" ", 1)
        operands = rest.split(", ")
        name = opcode.split(".")[0]
        if name == "st":
            at, width = self.place(operands[0]), self.width(opcode)
            self.memory[at : at + width] = self.registers[operands[1]][:width]
            return
        to, *sources = operands
        if name == "ld":
            at, width = self.place(sources[0]), self.width(opcode)
            found = self.memory[at : at + width]
            above = found[-1] if opcode.endswith("s8") else False
            self.registers[to] = (found + [above] * 4)[:4]
            return
        values = [self.registers.get(s, s) for s in sources]
        if name == "cvt":
            values.insert(0, opcode)
        self.registers[to] = getattr(self, f"{name}_")(*values)

    def place(self, operand):
        return int(operand.split("+")[1].rstrip("]"))

    def width(self, opcode):
        return int(opcode.rsplit(".", 1)[1][1:]) // 8

    def mov_(self, a):
        return [False] * 4 if isinstance(a, str) else list(a)

    def add_(self, a, b):
        return [any(a) or any(b)] * 4

    def mul_(self, a, _):
        return [any(a)] * 4

    def xor_(self, a, b):
        return [x or y for x, y in zip(a, b, strict=True)]

    def masked(self, a, kept):
        return [x and bool(kept >> 8 * k & 255) for k, x in enumerate(a)]

    def and_(self, a, mask):
        return self.masked(a, int(mask))

    def or_(self, a, mask):
        return self.masked(a, ~int(mask))

    def bits(self, a):
        """Truths of all 32 bits: a byte is undefined in all of its own."""
        return [a[k // 8] for k in range(32)]

    def bytes(self, bits):
        return [any(bits[8 * k : 8 * k + 8]) for k in range(4)]

    def shl_(self, a, n):
        return self.bytes(([False] * int(n) + self.bits(a))[:32])

    def shr_(self, a, n):
        return self.bytes((self.bits(a)[int(n) :] + [False] * 32)[:32])

    def bfe_(self, a, start, length):
        part = self.bits(a)[int(start) : int(start) + int(length)]
        return self.bytes((part + [False] * 32)[:32])

    def bfi_(self, a, b, start, length):
        bits, start = self.bits(b), int(start)
        size = min(int(length), 32 - start)
        bits[start : start + size] = self.bits(a)[:size]
        return self.bytes(bits)

    def prmt_(self, a, b, selector):
        every = [*a, *b]
        return [every[int(selector) >> 4 * k & 7] for k in range(4)]

    def selp_(self, a, b, _):
        return list(a if self.thread % 2 == 1 else b)

    def cvt_(self, opcode, a):
        return [a[0]] * 4 if opcode.endswith("s8") else [*a[:2], False, False]
