"""Random kernels of word operations on ids and arguments, each of whose results is stored."""

import random

import numpy as np

from tests.reference.run_kernel import kernel_text, prepare

BLOCK = (64, 2, 1)
GRID = 2
THREADS = 128
_COMPARED = ("lt", "ge", "eq", "ne", "gt", "le")


class WordProgram:
    """A kernel of ``count`` operations on words of 32 bits, some in a loop, and what it stores."""

    def __init__(self, seed, count=30, *, is_tame=False):
        self.rng = random.Random(seed)
        self.is_tame = is_tame
        self.lines, self.made = [], []
        self.block = BLOCK if self.rng.random() < 0.7 else (32, 4, 1)
        self.arguments = {"n": np.uint32(self.rng.choice([0, 1, 5, 100, 4095, 2**31, 2**32 - 3]))}
        self._begin()
        for _ in range(count):
            self._operation()
        if not is_tame:
            self._loop()
        body = "\n".join(self.lines)
        self.stored = np.zeros((len(self.made), GRID * THREADS), np.uint32)
        arguments = {"out": self.stored, **self.arguments}
        text = kernel_text(body + self._stores(), arguments)
        directive = f".reqntid {', '.join(map(str, self.block))}\n{{"
        text = text.replace("{", directive, 1) if self.rng.random() < 0.7 else text
        self.text = text.replace(".reg .b32 %r<60>", ".reg .b32 %r<400>")

    def run(self):
        """The prepared kernel, and what each of ``made`` is worth: shape (made, threads)."""
        prepared = prepare(self.text)
        ran = prepared.run(GRID, self.block, {"out": self.stored, **self.arguments})
        return prepared, ran["out"]

    def _new(self):
        register = f"%r{len(self.made) + 20}"
        self.made.append(register)
        return register

    def _begin(self):
        self.lines += [
            "ld.param.u64 %d1, [out];",
            "ld.param.u32 %r1, [n];",
            "mov.u32 %r2, %tid.x; mov.u32 %r3, %tid.y; mov.u32 %r4, %ctaid.x;",
            f"mad.lo.s32 %r5, %r3, {self.block[0]}, %r2;",
            f"mad.lo.s32 %r6, %r4, {THREADS}, %r5;",
            "mul.wide.u32 %d2, %r6, 4; add.s64 %d1, %d1, %d2;",
        ]

    def _source(self):
        leaves = ["%r2", "%r3", "%r4", "%r5", "%r2", "%r5"]
        if not self.is_tame:
            leaves.append("%r1")
        recent = self.made[-6:]
        return self.rng.choice([*leaves, *recent, *recent])

    def _either(self):
        return self._source() if self.rng.random() < 0.4 else str(self._mask())

    def _mask(self):
        low, high = sorted(self.rng.sample(range(0, 10 if self.is_tame else 20), 2))
        positive = [(1 << high) - (1 << low), 1 << low, (1 << high) - 1]
        return self.rng.choice(positive if self.is_tame else [*positive, -(1 << low)])

    def _operation(self):
        rng, source, either = self.rng, self._source, self._either
        places = rng.randrange(0, 4 if self.is_tame else 34)
        length = rng.randrange(0, 7 if self.is_tame else 34)
        table = rng.choice([0x80, 0xC0, 0xF8, 0xEA, 0x96, 0xFE, 0x78, 0x6A, rng.randrange(256)])
        kinds = [
            lambda d: f"and.b32 {d}, {source()}, {either()};",
            lambda d: f"or.b32 {d}, {source()}, {either()};",
            lambda d: f"xor.b32 {d}, {source()}, {either()};",
            lambda d: f"shl.b32 {d}, {source()}, {places};",
            lambda d: f"shr.u32 {d}, {source()}, {places};",
            lambda d: f"bfi.b32 {d}, {source()}, {source()}, {places}, {length};",
            lambda d: f"bfe.u32 {d}, {source()}, {places}, {length};",
            lambda d: f"lop3.b32 {d}, {source()}, {source()}, {either()}, {table};",
            lambda d: f"prmt.b32 {d}, {source()}, {source()}, {rng.randrange(1 << 16):#x};",
            lambda d: f"prmt.b32 {d}, {source()}, {source()}, 0x5410;",
            lambda d: (
                f"shf.{rng.choice('lr')}.{rng.choice(['wrap', 'clamp'])}.b32 {d}, "
                f"{source()}, {source()}, {places};"
            ),
            lambda d: (
                f"mov.b64 %d5, {{{source()}, {source()}}}; "
                f"mov.b64 {rng.choice(['{_, %s}', '{%s, _}']) % d}, %d5;"
            ),
            lambda d: (
                f"mov.b64 %d5, {{{source()}, {source()}}}; shr.u64 %d5, %d5, {places}; "
                f"cvt.u32.u64 {d}, %d5;"
            ),
            lambda d: f"add.s32 {d}, {source()}, {source()};",
            lambda d: f"mad.lo.s32 {d}, {source()}, {rng.randrange(1, 9)}, {source()};",
            lambda d: f"min.u32 {d}, {source()}, {either()};",
            lambda d: f"max.u32 {d}, {source()}, {either()};",
        ]
        if not self.is_tame:
            kinds += [
                lambda d: f"sub.s32 {d}, {either()}, {source()};",
                lambda d: f"not.b32 {d}, {source()};",
                lambda d: f"neg.s32 {d}, {source()};",
                lambda d: f"abs.s32 {d}, {source()};",
                lambda d: f"shr.s32 {d}, {source()}, {either()};",
                lambda d: f"shl.b32 {d}, {source()}, {either()};",
                lambda d: f"bfe.s32 {d}, {source()}, {places}, {length};",
                lambda d: f"min.s32 {d}, {source()}, {either()};",
                lambda d: f"max.s32 {d}, {source()}, {either()};",
                lambda d: f"mul.lo.s32 {d}, {source()}, {either()};",
                lambda d: f"mul.hi.u32 {d}, {source()}, {either()};",
                lambda d: f"mul.hi.s32 {d}, {source()}, {either()};",
                lambda d: f"div.u32 {d}, {source()}, {rng.randrange(1, 70)};",
                lambda d: f"rem.u32 {d}, {source()}, {rng.randrange(1, 70)};",
                lambda d: f"rem.s32 {d}, {source()}, {rng.randrange(1, 70)};",
                lambda d: f"div.s32 {d}, {source()}, {rng.randrange(1, 70)};",
                lambda d: f"popc.b32 {d}, {source()};",
                lambda d: f"clz.b32 {d}, {source()};",
                lambda d: f"bfind.{rng.choice('us')}32 {d}, {source()};",
                lambda d: f"brev.b32 {d}, {source()};",
                lambda d: (
                    f"cvt.{rng.choice('us')}32.{rng.choice('us')}{rng.choice('18')[:1]}"
                    f"{'6' if rng.random() < 0 else ''} {d}, {source()};".replace(
                        "32.u1", "32.u16"
                    ).replace("32.s1", "32.s16")
                ),
                lambda d: (
                    f"mul.wide.{(k := rng.choice('us'))}32 %d5, {source()}, {either()};"
                    f"shr.{k}64 %d5, %d5, {places}; cvt.u32.u64 {d}, %d5;"
                ),
                lambda d: (
                    f"setp.{rng.choice(_COMPARED)}.{rng.choice('us')}32 %p1, {source()}, "
                    f"{either()}; selp.b32 {d}, {source()}, {either()}, %p1;"
                ),
                lambda d: (
                    f"mov.b32 {d}, {source()}; "
                    f"setp.{rng.choice(_COMPARED)}.u32 %p1, {source()}, {either()};"
                    f"@%p1 add.s32 {d}, {source()}, {either()};"
                ),
                lambda d: f"bmsk.clamp.b32 {d}, {places}, {length};",
                lambda d: f"szext.clamp.{rng.choice('us')}32 {d}, {source()}, {length};",
            ]
        line = rng.choice(kinds)
        register = f"%r{len(self.made) + 20}"
        self.lines.append(line(register))
        self._new()

    def _loop(self):
        """A few values that go around, each from itself and another."""
        carried = [self._new() for _ in range(3)]
        self.lines += [f"mov.u32 {d}, {self._either()};" for d in carried]
        self.lines += ["mov.u32 %r7, 0;", "LOOP:"]
        for d in carried:
            other = self.rng.choice([*carried, self._source()])
            op = self.rng.choice(["add.s32", "and.b32", "or.b32", "xor.b32", "min.s32", "sub.s32"])
            self.lines.append(f"{op} {d}, {d}, {self.rng.choice([other, self._either()])};")
        self._operation()
        self.lines += ["add.s32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, 3; @%p2 bra LOOP;"]

    def _stores(self):
        rows = enumerate(self.made)
        step = 4 * GRID * THREADS
        return "\n".join(f"st.global.u32 [%d1+{k * step}], {r};" for k, r in rows) + "\nret;"
