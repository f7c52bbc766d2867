"""Random control flow of any form, as no structured program has: loops with two entries, several
exits, switches into them, returns of some lanes, copies on edges that change places.

Each block takes a ticket from a counter in memory and mixes it into a register, so that the order
in which blocks run is in all results. A thread counts its blocks; from ``MOST_BLOCKS`` on it only
goes ahead, and so comes to an end. Graphs with barriers take no tickets, and all threads go the
same way: only what they compute differs.
"""

from warpmill.analyzer.base.diagnostics import Span
from warpmill.analyzer.ir.kernel import (
    Address,
    Block,
    EdgeCopies,
    Guard,
    Imm,
    Instruction,
    Kernel,
    Parameter,
    Reg,
    Register,
    Special,
    Symbol,
)
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

MOST_BLOCKS = 24
VALUES = 4
WORDS_BEFORE = 1
"""Words before what the threads store: the counter."""

_MASKED, _STEPS, _TICKET = Reg(4), Reg(5), Reg(6)
_CHOSEN, _EARLY = Reg(7), Reg(8)  # predicates
_OUT, _PLACE = Reg(9), Reg(10)
_DATA = Reg(11)  # what never decides where a thread goes
_REGISTERS = (
    *(Register(f"%r{k}", TYPES["b32"]) for k in range(7)),
    *(Register(f"%p{k}", TYPES["pred"]) for k in range(2)),
    *(Register(f"%d{k}", TYPES["b64"]) for k in range(2)),
    Register("%data", TYPES["b32"]),
)


class GraphMaker:
    """Makes one kernel from a ``random.Random``, with ``blocks`` blocks and an end."""

    def __init__(self, random, blocks, *, barriers=False):
        self.random, self.blocks, self.barriers = random, blocks, barriers
        self.code = []

    def kernel(self):
        made = [self.block(number) for number in range(self.blocks)]
        made.append((self.end(), None, ()))
        edges = {}
        for number, (code, fall, _) in enumerate(made):
            last = code[-1] if code and code[-1].targets else None
            targets = () if last is None else last.targets
            for target in dict.fromkeys((*(() if fall is None else (fall,)), *targets)):
                edges.setdefault(target, []).append(EdgeCopies(number, self.copies()))
        blocks = tuple(
            Block(k, f"B{k}", tuple(code), fall, tuple(e for e in edges.get(k, ()) if e.copies))
            for k, (code, fall, _) in enumerate(made)
        )
        parameter = Parameter("out", TYPES["u64"], 8, 8)
        return Kernel("graph", (parameter,), _REGISTERS, blocks, Span(1, 1, 2))

    def copies(self):
        """Copies between values: often none, else some that use each other."""
        if self.random.random() < 0.5:
            return ()
        into = self.random.sample(range(VALUES), self.random.randint(1, VALUES))
        return tuple((Reg(k), self.copied()) for k in into)

    def copied(self):
        choices = [Reg(self.random.randrange(VALUES))] * 6
        return self.random.choice([*choices, Imm(self.random.randint(-3, 9)), Special("ctaid.x")])

    # Blocks.

    def emit(self, opcode, *operands, guard=None, targets=()):
        span = Span(1 + len(self.code), 1, 2)
        self.code.append(Instruction(decode(opcode), operands, span, guard, targets))

    def block(self, number):
        self.code = []
        if number == 0:
            self.begin()
        self.emit("add.s32", _STEPS, _STEPS, Imm(1))
        value = Reg(self.random.randrange(VALUES))
        if not self.barriers:
            self.emit("atom.global.add.u32", _TICKET, Address(_OUT), Imm(1))
        self.emit("mad.lo.s32", value, value, Imm(5), _TICKET)
        for _ in range(self.random.randint(0, 2)):
            self.compute()
            if self.barriers and self.random.random() < 0.5:
                self.emit("bar.sync", Imm(0))
                self.emit("mad.lo.s32", _DATA, _DATA, Imm(3), Reg(self.random.randrange(VALUES)))
        fall = number + 1
        match self.random.choice(["bra"] * 8 + ["many"] * 2 + ["jump", "ret", "fall"]):
            case "bra":
                target = self.target()
                self.choose(backwards=target <= number)
                negated = target > number and self.random.random() < 0.4
                self.emit("bra", guard=Guard(_CHOSEN, negated), targets=(target,))
            case "many":
                self.many()
            case "jump":
                fall, target = None, self.random.randint(number + 1, self.blocks)
                self.emit("bra", targets=(target,))
            case "ret":
                self.choose(backwards=False)
                self.emit("ret", guard=Guard(_CHOSEN, False))
        return self.code, fall, ()

    def begin(self):
        self.emit("ld.param.u64", _OUT, Address(Symbol("out")))
        for register in (_MASKED, _STEPS, _TICKET):
            self.emit("mov.u32", register, Imm(0))
        for k in range(VALUES):
            lanes = (
                [] if self.barriers else [Special("laneid"), Special("tid.x"), Special("warpid")]
            )
            self.emit("mov.u32", Reg(k), self.random.choice([*lanes, Special("ctaid.x"), Imm(k)]))
        self.emit("mov.u32", _DATA, Special("tid.x"))

    def target(self):
        return self.random.randint(1, self.blocks)

    def compute(self):
        into, other = (Reg(self.random.randrange(VALUES)) for _ in range(2))
        opcode = self.random.choice(["add.s32", "sub.s32", "xor.b32", "min.s32", "mul.lo.s32"])
        own = Special("ntid.x" if self.barriers else "laneid")
        source = self.random.choice([other, Imm(self.random.randint(0, 5)), own])
        guard = None
        if self.random.random() < 0.3:
            self.choose(backwards=False)
            guard = Guard(_CHOSEN, self.random.random() < 0.5)
        self.emit(opcode, into, into, source, guard=guard)

    def choose(self, *, backwards):
        """Set the predicate by some bits of a value; to false where it would go back too often."""
        bits = self.random.choice([1, 2, 3, 7, 8, 16])
        value = Reg(self.random.randrange(VALUES))
        self.emit("and.b32", _MASKED, value, Imm(bits))
        word = self.random.choice(["eq", "ne"])
        if backwards:
            self.emit("setp.lt.s32", _EARLY, _STEPS, Imm(MOST_BLOCKS))
            self.emit(f"setp.{word}.and.s32", _CHOSEN, _MASKED, Imm(0), _EARLY)
        else:
            self.emit(f"setp.{word}.s32", _CHOSEN, _MASKED, Imm(0))

    def many(self):
        """Go to one of several blocks; lanes that are late take the default."""
        targets = tuple(self.target() for _ in range(self.random.randint(1, 4)))
        self.emit("and.b32", _MASKED, Reg(self.random.randrange(VALUES)), Imm(7))
        self.emit("setp.lt.s32", _EARLY, _STEPS, Imm(MOST_BLOCKS))
        self.emit("selp.b32", _MASKED, _MASKED, Imm(99), _EARLY)
        if self.random.random() < 0.5:
            self.emit("brx.idx", _MASKED, targets=targets)
        else:
            values = self.random.sample(range(8), len(targets))
            self.emit("switch", _MASKED, *map(Imm, values), targets=targets)

    def end(self):
        """Store the thread's values, and when it came here."""
        self.code = []
        if not self.barriers:
            self.emit("atom.global.add.u32", _TICKET, Address(_OUT), Imm(1))
        self.emit("mov.u32", _MASKED, Special("ctaid.x"))
        self.emit("mov.u32", _STEPS, Special("ntid.x"))
        self.emit("mul.lo.s32", _MASKED, _MASKED, _STEPS)
        self.emit("mov.u32", _STEPS, Special("tid.x"))
        self.emit("add.s32", _MASKED, _MASKED, _STEPS)
        self.emit("mad.wide.u32", _PLACE, _MASKED, Imm(4 * (VALUES + 2)), _OUT)
        for k, register in enumerate((*(Reg(k) for k in range(VALUES)), _TICKET, _DATA)):
            self.emit("st.global.u32", Address(_PLACE, 4 * (WORDS_BEFORE + k)), register)
        self.emit("ret")
        return self.code


def words_of(ctas, threads):
    """The words that a launch's buffer has."""
    return WORDS_BEFORE + ctas * threads * (VALUES + 2)
