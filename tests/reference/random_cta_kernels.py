"""Random small kernels that write and read one buffer at addresses made in many ways."""

import random

import numpy as np

from tests.reference.cta_orders import Program

_WORDS = 4096
_MIDDLE = 2 * _WORDS  # bytes
_TESTS = ("lt", "le", "gt", "ge", "eq", "ne")
_START = f"""mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.y;
mov.u32 %r4, %ntid.x; mad.lo.s32 %r5, %r1, %r4, %r0;
add.s64 %rd0, %a, {_MIDDLE}; mad.lo.u32 %r6, %r3, 977, %r5; mad.lo.u32 %r6, %r6, 31, %r2;"""


class _Writer:
    """Writes statements; ``values`` are the registers that hold indices so far."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = [_START]
        self.values = ["%r0", "%r1", "%r5", "%r5", "%r2", "%r3"]
        self.used = 7
        self.wide = 1
        self.predicates = 0
        self.labels = 0
        self.block = self.random.choice([(8, 1, 1), (16, 1, 1), (4, 4, 1), (40, 1, 1), (5, 3, 1)])
        grid = [(3, 1, 1), (4, 1, 1), (2, 2, 1), (3, 2, 1), (1, 4, 1)]
        self.grid = self.random.choice(grid)

    def pick(self, *choices):
        return self.random.choice(choices)

    def register(self):
        self.used += 1
        return f"%r{self.used}"

    def value(self):
        return self.random.choice([*self.values[-4:], "%r5", "%r5"])

    def factor(self):
        x, y, _ = self.block
        return self.pick(1, 2, 3, 4, 8, x, x, x * y, x * self.grid[0], -1, x - 1, x + 1, 7)

    def step(self):
        new, a, b, p = self.register(), self.value(), self.value(), self.pick
        self.lines.append(
            p(
                f"add.s32 {new}, {a}, {b};",
                f"sub.s32 {new}, {a}, {b};",
                f"mul.lo.s32 {new}, {a}, {self.factor()};",
                f"mad.lo.s32 {new}, {a}, {self.factor()}, {b};",
                f"mad.lo.s32 {new}, %r1, {self.factor()}, %r0;",
                f"mad.lo.s32 {new}, %r3, {self.factor()}, {a};",
                f"mad.lo.s32 {new}, %r2, {self.factor()}, {a};",
                f"shl.b32 {new}, {a}, {p(1, 2, 3)};",
                f"shr.{p('u32', 's32')} {new}, {a}, {p(1, 2, 3)};",
                f"and.b32 {new}, {a}, {p(1, 3, 7, 15, -4, -8, 6)};",
                f"or.b32 {new}, {a}, {p(1, 3, b)};",
                f"xor.b32 {new}, {a}, {p(1, 3, 8, -1)};",
                f"{p('min', 'max')}.{p('s32', 'u32')} {new}, {a}, {p(3, 20, 50, b)};",
                f"{p('rem', 'div')}.{p('s32', 'u32')} {new}, {a}, {p(3, 4, 8)};",
                f"add.s32 {new}, {a}, {p(0x7FFFFFF0, -0x7FFFFFF0, 5, -3, 64)};",
                f"neg.s32 {new}, {a};",
                f"mov.u32 {new}, {a}; setp.{p(*_TESTS)}.{p('s32', 'u32')} %p19, {b}, {p(4, 20)};"
                f" @{p('', '!')}%p19 add.s32 {new}, {b}, {p(1, 64, -9)};",
                f"setp.{p(*_TESTS)}.{p('s32', 'u32')} %p19, {a}, {p(4, 20, b)};"
                f" selp.b32 {new}, {p(a, b)}, {p(b, 7)}, %p19;",
            )
        )
        self.values.append(new)

    def guard(self):
        """Write a predicate; gives the guard."""
        self.predicates += 1
        name = f"%p{self.predicates}"
        a, kind = self.value(), self.pick("s32", "u32")
        other = self.pick(0, 1, 7, 8, 15, 20, 50, self.value())
        self.lines.append(f"setp.{self.pick(*_TESTS)}.{kind} {name}, {a}, {other};")
        return f"@{self.pick('', '!')}{name} "

    def address(self):
        """Write an address in the buffer; gives its operand."""
        self.wide += 2
        byte, at, value = f"%rd{self.wide}", f"%rd{self.wide + 1}", self.value()
        self.lines.append(
            self.pick(
                f"mul.wide.s32 {byte}, {value}, 4;",
                f"mul.wide.s32 {byte}, {value}, 4;",
                f"mul.wide.u32 {byte}, {value}, 4;",
                f"cvt.s64.s32 {byte}, {value}; shl.b64 {byte}, {byte}, 2;",
                f"cvt.u64.u32 {byte}, {value}; mul.lo.s64 {byte}, {byte}, {self.pick(4, 8, 12)};",
            )
        )
        self.lines.append(f"add.s64 {at}, %rd0, {byte};")
        return f"[{at}+{self.pick(0, 0, 0, 4, -4, 64, 4096)}]"

    def access(self):
        guard = self.guard() if self.random.random() < 0.4 else ""
        if self.random.random() < 0.35:
            new = self.register()
            self.lines.append(f"mov.u32 {new}, 0;")
            self.lines.append(f"{guard}ld.global.u32 {new}, {self.address()};")
            self.lines.append(f"mad.lo.u32 %r6, {new}, 3, %r6;")
            if self.random.random() < 0.2:
                self.lines.append(f"and.b32 {new}, {new}, 31;")
                self.values.append(new)
        elif self.random.random() < 0.15:
            kind = self.pick("add.u32", "max.s32", "xor.b32", "add.u32")
            self.lines.append(f"{guard}red.global.{kind} {self.address()}, %r6;")
        else:
            where = self.address()
            self.lines.append(f"{guard}st.global.{self.pick('u32', 'u32', 'u8')} {where}, %r6;")

    def inside(self, depth):
        for _ in range(self.pick(1, 2, 3)):
            self.step()
        what = self.random.random()
        if what < 0.35 and depth < 2:
            self.loop(depth)
        elif what < 0.5 and depth < 2:
            self.branch(depth)
        self.access()

    def branch(self, depth):
        guard, label = self.guard(), self.label()
        known = list(self.values)
        self.lines.append(f"{guard}bra {label};")
        self.inside(depth + 1)
        self.values = known
        self.lines.append(f"{label}:")

    def label(self):
        self.labels += 1
        return f"L{self.labels}"

    def loop(self, depth):
        """Write a loop that is left at its end or at its start, over a value and a pointer."""
        count, label, out = self.register(), self.label(), self.label()
        step = self.pick(1, 1, 2, 3, self.block[0], self.block[0] * self.grid[0], -1)
        start, bound = self.pick("0", self.value()), self.pick(3, 8, 40, 50, self.value())
        rises = step > 0
        test = self.pick("lt", "lt", "le", "ne") if rises else self.pick("gt", "ge")
        if test == "ne":
            start, bound = "0", 3 * step + self.pick(0, 0, 1)
        self.predicates += 1
        predicate, kind = f"%p{self.predicates}", self.pick("s32", "u32", "s32")
        cap = self.register()
        self.lines += [f"mov.u32 {count}, {start};", f"mov.u32 {cap}, 0;"]
        compare = f"setp.{test}.{kind} {predicate}, {count}, {bound};"
        first = self.pick(True, False)
        self.lines.append(f"{label}:")
        if first:
            self.lines += [compare, f"@!{predicate} bra {out};"]
        known = list(self.values)
        self.values += [count, count]
        self.inside(depth + 1)
        self.values = known
        stop = f"%p{18 - depth}"
        self.lines += [
            f"add.s32 {count}, {count}, {step};",
            f"add.s32 {cap}, {cap}, 1;",
            f"setp.gt.s32 {stop}, {cap}, 20;",
            f"@{stop} bra {out};",
        ]
        if first:
            self.lines.append(f"bra {label};")
        else:
            self.lines += [compare, f"@{predicate} bra {label};"]
        self.lines.append(f"{out}:")
        if self.pick(True, False):
            self.values.append(count)


def random_program(seed):
    """Make a program from a seed."""
    writer = _Writer(seed)
    for _ in range(writer.pick(1, 1, 2)):
        writer.inside(0)
    writer.access()
    buffer = np.arange(_WORDS, dtype=np.uint32) * 7 + 3
    other = np.zeros(64, np.uint32)
    body = "\n".join(writer.lines)
    return Program(body, {"a": buffer, "b": other}, writer.grid, writer.block)
