"""Random structured programs for ``reference.programs``, and making a failing one smaller.

Plain ``random`` makes a program in a fraction of the time that drawing it part by part takes.
"""

from tests.reference.programs import WORDS, Loop

VARIABLES = ("v0", "v1")
FLAGS = ("f0", "f1")
COUNTERS = tuple(f"c{i}" for i in range(6))
NAMES = (*VARIABLES, *FLAGS, *COUNTERS)
IDS = ("tid.x", "tid.y", "ctaid.x", "laneid", "warpid", "ntid.x", "tid.z", "ctaid.y")
ARGUMENTS = ("arg0", "arg1")


class Maker:
    """Makes one program from a ``random.Random``; every other one is tame: sums and products."""

    def __init__(self, random):
        self.random, self.fresh, self.readable = random, list(COUNTERS), []
        self.tame = self.maybe(0.5)

    def maybe(self, share):
        return self.random.random() < share

    def pick(self, *choices):
        return self.random.choice(choices)

    def body(self, depth, in_loop):
        return [self.statement(depth, in_loop) for _ in range(self.random.randint(1, 3))]

    def maybe_body(self, depth, in_loop):
        return self.body(depth, in_loop) if self.maybe(0.5) else []

    def statement(self, depth, in_loop):
        kinds = ["set"] * 3 + ["guarded", "selected", "flag", "swap"] + ["store"] * 3
        kinds += ["break", "continue"] if in_loop and not self.tame else []
        kinds += ["if"] * 2 + ["switch"] if depth else []
        kinds += ["loop"] * 6 if depth and self.fresh else []
        kind = "return" if self.maybe(0.03) else self.random.choice(kinds)
        return getattr(self, f"make_{kind}")(depth - 1, in_loop)

    def make_set(self, *_):
        return ("set", self.pick(*VARIABLES), self.value())

    def make_guarded(self, *_):
        return ("guarded", self.pick(*VARIABLES), self.condition(), self.value())

    def make_selected(self, *_):
        return ("selected", self.pick(*VARIABLES), self.condition(), self.value())

    def make_swap(self, *_):
        return ("swap", *VARIABLES)

    def make_flag(self, *_):
        return ("flag", self.pick(*FLAGS), self.condition())

    def make_store(self, *_):
        return ("store", self.value(), self.condition() if self.maybe(0.3) else None)

    def make_return(self, *_):
        return ("return", self.condition())

    def make_continue(self, *_):
        return ("continue", self.condition())

    def make_break(self, *_):
        return ("break", self.condition(), self.maybe_body(0, False), self.maybe(0.5))

    def make_if(self, depth, in_loop):
        then, other = self.body(depth, in_loop), self.maybe_body(depth, in_loop)
        return ("if", self.condition(), then, other, self.maybe(0.5))

    def make_switch(self, *_):
        cases = [self.body(0, False) for _ in range(self.random.randint(1, 3))]
        return ("switch", self.value(1), cases, self.maybe_body(0, False), self.maybe(0.5))

    def make_loop(self, depth, _):
        counter = self.fresh.pop(0)
        loop = self.loop(counter)
        self.readable.append(counter)  # after the loop too
        return ("loop", loop, [self.make_store(), *self.body(depth, True)])

    def loop(self, var):
        flags = {k: self.maybe(0.5) for k in ("bottom", "early", "leaves_by_fall")}
        flags["old"] = self.maybe(0.2)
        limit, start = self.small(), self.small()
        match self.pick("up", "up", "up", "down", "ne", "lo", "halve", "double"):
            case "up":
                step = ("add", self.random.randint(1, 3))
                return Loop(var, start, step, self.pick("lt", "le"), limit, **flags)
            case "down":
                step = ("add", -self.random.randint(1, 3))
                return Loop(var, start, step, self.pick("gt", "ge"), limit, **flags)
            case "ne":
                limit = ("max.s32", limit, 1 if flags["bottom"] else 0)
                return Loop(var, 0, ("add", 1), "ne", limit, **flags)
            case "lo":
                step = ("add", self.random.randint(1, 3))
                return Loop(var, 0, step, "lo", ("and.b32", limit, 7), **flags)
            case "halve":
                start = ("and.b32", self.pick(self.random.randint(0, 70), "ntid.x", limit), 127)
                word, limit = self.pick(("ne", 0), ("gt", 0), ("gt", 1), ("gt", 3), ("ge", 2))
                return Loop(var, start, ("shr.u32", self.pick(1, 1, 2)), word, limit, **flags)
        step = ("shl", self.pick(1, 1, 2))
        return Loop(var, self.random.randint(1, 3), step, self.pick("lt", "le"), limit, **flags)

    def small(self):
        """An expression that stays small whatever the program does: loops may count to it."""
        names = ["tid.x", "laneid", *ARGUMENTS, "tid.y", "ctaid.x", *self.readable * 2]
        leaf = self.random.choice(names) if self.maybe(0.6) else self.random.randint(-3, 12)
        match self.random.randint(0, 6):
            case 0:
                return ("add.s32", leaf, self.random.randint(-2, 3))
            case 1:
                return ("and.b32", leaf, self.pick(1, 3, 6))
            case 2:
                return ("min.s32", leaf, self.pick(3, "laneid", "arg0"))
        return leaf

    def leaf(self):
        if self.maybe(0.25):
            return self.random.randint(-9, 40)
        return self.random.choice([*VARIABLES, *IDS, *ARGUMENTS, *self.readable * 4])

    def value(self, depth=2):
        """Any expression."""
        if depth == 0 or self.maybe(0.3):
            return self.leaf()
        a, b, n = self.value(depth - 1), self.value(depth - 1), self.pick(1, 2, 3, 4, 5, 8)
        if self.tame or self.maybe(0.5):
            return self.pick(
                ("add.s32", a, b), ("sub.s32", a, b), ("mul.lo.s32", a, n),
                ("mad.lo.s32", a, n, b), ("shl.b32", a, self.pick(1, 2)), ("add.s32", a, n),
            )  # fmt: skip
        big = self.pick(2**31 - 1, 2**30, -(2**31), 2**31 - 5)
        return self.pick(
            ("mul.lo.s32", a, b), ("min.s32", a, b), ("max.s32", a, b), ("min.u32", a, b),
            ("max.u32", a, b), ("and.b32", a, self.pick(1, 3, 7, -4, 5, 6)), ("xor.b32", a, b),
            ("or.b32", a, n), ("or.b32", ("shl.b32", a, 3), n), ("and.b32", a, b),
            ("shr.s32", a, n), ("shr.u32", a, n), ("div.s32", a, n), ("rem.s32", a, n),
            ("div.u32", a, n), ("rem.u32", a, n), ("div.s32", a, -3), ("rem.s32", a, -3),
            ("abs.s32", a), ("neg.s32", a), ("not.b32", a), ("bfe.u32", a, 1, n),
            ("rem.s32", a, ("or.b32", b, 1)), ("div.u32", a, ("or.b32", b, 1)),
            ("shr.u32", a, ("and.b32", b, 3)), ("shl.b32", a, ("and.b32", b, 3)),
            ("mul.hi.u32", a, b), ("mul.hi.s32", a, big), ("add.s32", a, big),
            ("add.s32", ("mul.lo.s32", a, big), b),
            ("selp", a, b, self.condition(1)),
        )  # fmt: skip

    def condition(self, depth=2):
        if depth and not self.tame and self.maybe(0.25):
            word = self.pick("not", "and", "or", "xor")
            parts = [self.condition(depth - 1) for _ in range(1 if word == "not" else 2)]
            return (word, *parts)
        if self.maybe(0.15):
            return ("is", self.pick(*FLAGS))
        right = self.small() if self.maybe(0.7) else self.value(1)
        compare = (self.random.choice(list(WORDS)), self.value(depth), right)
        if depth and self.maybe(0.1):
            return (*compare, (self.pick("and", "or", "xor"), self.condition(0)))
        return compare


def random_program(random):
    maker = Maker(random)
    body = [maker.make_set(), maker.make_loop(2, False)]
    return body + maker.body(2, False) if maker.maybe(0.7) else body


def smaller(program, fails, tries=100):
    """The smallest program found by leaving out and unwrapping parts that still fails."""
    for tried, less in enumerate(_reductions(program)):
        if tried == tries:
            break
        if fails(less):
            return smaller(less, fails, tries - tried - 1)
    return program


def _reductions(body):
    """Programs with one thing less."""
    for i, statement in enumerate(body):
        before, after = body[:i], body[i + 1 :]
        yield before + after
        for j, part in enumerate(statement):
            if isinstance(part, list) and part and isinstance(part[0], tuple):
                if statement[0] != "loop":
                    yield before + part + after
                for less in _reductions(part):
                    yield [*before, (*statement[:j], less, *statement[j + 1 :]), *after]
            elif isinstance(part, tuple):
                for less in _simpler(part):
                    yield [*before, (*statement[:j], less, *statement[j + 1 :]), *after]


def _simpler(expression):
    """Expressions with one operation less, of the same kind (value or condition)."""
    is_condition = expression[0] in (*WORDS, "is", "not", "and", "or", "xor")
    for i, part in enumerate(expression[1:], 1):
        if isinstance(part, tuple) and not is_condition and part[0] not in (*WORDS, "is"):
            yield part
        if (
            is_condition
            and isinstance(part, tuple)
            and part[0] in (*WORDS, "is", "not", "and", "or")
        ):
            yield part
        if isinstance(part, tuple):
            for less in _simpler(part):
                yield (*expression[:i], less, *expression[i + 1 :])
        elif isinstance(part, str) and not is_condition:
            yield part
