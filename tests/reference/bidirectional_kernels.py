"""Structured kernels of the paper's class, written as PTX.

A program is nested tuples. Sums are (constant, (name, factor) …) over the arguments ``n`` and
``m``, ``warp``, ``cta`` and the counters ``c0``, ``c1`` … of the loops around; ``lane`` makes
branches that are not uniform in a warp. Conditions are (word, sum, sum). Statements:

    ("if", cond, then, else, flipped)      flipped: the other side is the fall-through
    ("loop", Loop, body)                   ("return", cond, how)
    ("break", cond, how)                   ("continue", cond, how)

``how`` says by what edge control leaves: ``direct``, or through a block of its ``own``;
``continue`` may also go to the ``latch``, and directly only where the loop is tested at the top
and steps early. ``Writer`` makes PTX with the blocks and edges that it must have; nothing here is
warpmill's own analysis.
"""

from contextlib import contextmanager
from dataclasses import dataclass


@dataclass(frozen=True)
class Loop:
    """``counter`` goes from ``start`` by ``step`` while ``counter word limit``.

    ``bottom`` tests at the end. ``early`` steps before the body. ``flipped`` puts a block of its
    own on the edge out (tested at the top) or back (at the bottom).
    """

    counter: str
    start: tuple
    step: int
    word: str
    limit: tuple
    bottom: bool = False
    early: bool = False
    flipped: bool = False

    @property
    def stays(self):
        """The condition to go on."""
        return (self.word, (0, (self.counter, 1)), self.limit)


class Writer:
    """Writes a program as PTX; ``edges`` has those of a block in order, fall-through first."""

    def __init__(self):
        self.lines, self.tail, self.edges, self.loops = [], [], [], []
        self.counters = set()

    def ptx(self, program):
        """The text of the module."""
        self.begin("ENTRY")
        self.lines += [
            "ld.param.u32 %n, [n];", "ld.param.u32 %m, [m];", "mov.u32 %cta, %ctaid.x;",
            "mov.u32 %warp, %tid.x;", "shr.u32 %warp, %warp, 5;", "mov.u32 %lane, %laneid;",
        ]  # fmt: skip
        self.body(program, "")
        self.jump("EXIT")
        self.begin("EXIT")
        names = self.counters | {"n", "m", "cta", "warp", "lane"}
        registers = ", ".join(f"%{name}" for name in sorted(names))
        return "\n".join([
            ".version 7.0", ".target sm_70", ".address_size 64",
            ".visible .entry k(.param .u32 n, .param .u32 m)", "{",
            f".reg .b32 {registers}, %a, %b, %x;", ".reg .pred %p;",
            *self.lines, "ret;", *self.tail, "}",
        ])  # fmt: skip

    def begin(self, label):
        self.current = label
        self.lines += [f"{label}:", "mov.u32 %x, 1;"]

    def jump(self, target):
        self.edges.append((self.current, target))
        self.lines.append(f"bra {target};")

    def branch(self, condition, taken, fall, *, when=True):
        """Test a condition and go to ``taken`` when it is as told; ``fall`` must come next."""
        word, left, right = condition
        for register, (constant, *terms) in (("%a", left), ("%b", right)):
            self.lines.append(f"mov.u32 {register}, {constant};")
            self.lines += [f"mad.lo.s32 {register}, %{n}, {f}, {register};" for n, f in terms]
        self.edges += [(self.current, fall), (self.current, taken)]
        self.lines += [f"setp.{word}.s32 %p, %a, %b;", f"@{'' if when else '!'}%p bra {taken};"]

    def assign(self, counter, value):
        constant, *terms = value
        self.counters.add(counter)
        self.lines.append(f"mov.u32 %a, {constant};")
        self.lines += [f"mad.lo.s32 %a, %{n}, {f}, %a;" for n, f in terms]
        self.lines.append(f"mov.u32 %{counter}, %a;")

    def step(self, loop):
        self.lines.append(f"add.s32 %{loop.counter}, %{loop.counter}, {loop.step};")

    @contextmanager
    def aside(self):
        """Put blocks behind the kernel's end, out of the way of fall-throughs."""
        lines, current, self.lines = self.lines, self.current, []
        yield
        self.tail += self.lines
        self.lines, self.current = lines, current

    def body(self, program, path):
        for i, (kind, *parts) in enumerate(program):
            getattr(self, f"do_{kind}")(f"{path}_{i}", *parts)

    def do_if(self, at, condition, then, other, flipped):
        sides = [("T" + at, then), ("F" + at, other)]
        if not other and flipped:  # the end comes next
            self.branch(condition, "T" + at, "J" + at)
            with self.aside():
                self.side(at, *sides[0])
        else:
            ends = ["T" + at, "F" + at if other else "J" + at]
            self.branch(condition, ends[not flipped], ends[flipped], when=flipped)
            for label, statements in sides[:: -1 if flipped else 1]:
                if label in ends:
                    self.side(at, label, statements)
        self.begin("J" + at)

    def side(self, at, label, statements):
        self.begin(label)
        self.body(statements, f"{at}{label[0].lower()}")
        self.jump("J" + at)

    def do_loop(self, at, loop, body):
        self.assign(loop.counter, loop.start)
        self.jump("H" + at)
        self.begin("H" + at)
        if not loop.bottom:
            if loop.flipped:
                self.branch(loop.stays, "B" + at, "X" + at)
                self.begin("X" + at)
                self.jump("E" + at)
            else:
                self.branch(loop.stays, "E" + at, "B" + at, when=False)
            self.begin("B" + at)
        self.loops.append((at, loop))
        if loop.early:
            self.step(loop)
        self.body(body, at)
        self.loops.pop()
        self.jump("L" + at)
        self.begin("L" + at)
        if not loop.early:
            self.step(loop)
        if not loop.bottom:
            self.jump("H" + at)
        elif loop.flipped:
            self.branch(loop.stays, "E" + at, "X" + at, when=False)
            self.begin("X" + at)
            self.jump("H" + at)
        else:
            self.branch(loop.stays, "H" + at, "E" + at)
        self.begin("E" + at)

    def leave(self, at, condition, name, target):
        """Leave for a target directly (no name) or through a block of its own."""
        self.branch(condition, name or target, "N" + at)
        if name:
            with self.aside():
                self.begin(name)
                self.jump(target)
        self.begin("N" + at)

    def do_break(self, at, condition, how):
        self.leave(at, condition, "O" + at if how == "own" else "", "E" + self.loops[-1][0])

    def do_return(self, at, condition, how):
        self.leave(at, condition, "R" + at if how == "own" else "", "EXIT")

    def do_continue(self, at, condition, how):
        around, loop = self.loops[-1]
        if how != "own":
            self.leave(at, condition, "", ("L" if how == "latch" else "H") + around)
            return
        self.branch(condition, "K" + at, "N" + at)
        with self.aside():
            self.begin("K" + at)
            if not loop.early:
                self.step(loop)
            if loop.bottom:
                self.branch(loop.stays, "H" + around, "Q" + at)
                self.begin("Q" + at)
                self.jump("E" + around)
            else:
                self.jump("H" + around)
        self.begin("N" + at)
