"""Random programs for ``bidirectional_kernels``."""

from tests.reference.bidirectional_kernels import Loop

ALL_WORDS = ("if", "loop", "break", "return", "continue")


class Maker:
    """Makes one program from a ``random.Random``."""

    def __init__(self, random, words=ALL_WORDS, ids=("n", "m", "warp", "cta")):
        self.random, self.words, self.ids, self.counters = random, words, ids, 0

    def program(self):
        return self.body(3, ())

    def body(self, depth, counters, loop=None):
        number = self.random.randint(1, 3 if depth > 1 else 2)
        return [self.statement(depth, counters, loop) for _ in range(number)]

    def statement(self, depth, counters, loop):
        kinds = ["if", "if", "loop", "loop", "loop"] if depth else ["if"]
        kinds += ["break", "continue"] if loop else []
        kinds += ["return"] if self.random.random() < 0.1 else []
        kind = self.random.choice([k for k in kinds if k in self.words])
        if kind == "loop":
            return self.make_loop(depth - 1, counters)
        condition = self.condition(counters)
        if kind != "if":
            return (kind, condition, self.how(kind, loop))
        then, other = ([], []) if not depth else self.sides(depth - 1, counters, loop)
        return ("if", condition, then, other, self.random.random() < 0.5)

    def sides(self, depth, counters, loop):
        then = self.body(depth, counters, loop)
        return then, self.body(depth, counters, loop) if self.random.random() < 0.6 else []

    def how(self, kind, loop):
        ways = ["own", "direct"]
        if kind == "continue":
            ways = ["latch", "own"]
            ways += ["direct"] if loop.early and not loop.bottom else []
        return self.random.choice(ways)

    def make_loop(self, depth, counters):
        counter = f"c{self.counters}"
        self.counters += 1
        step = self.random.choice([1, 1, 1, 2, -1])
        start = self.sum(counters, self.random.choice([0, 1]))
        limit = self.sum(counters, self.random.randint(1, 4))
        word = self.random.choice(["gt", "ge"] if step < 0 else ["lt", "le"])
        if step < 0:
            start, limit = limit, start
        flags = {f: self.random.random() < 0.5 for f in ("bottom", "early", "flipped")}
        loop = Loop(counter, start, step, word, limit, **flags)
        return ("loop", loop, self.body(depth, (*counters, counter), loop))

    def sum(self, counters, constant):
        """A sum with at most one name, which stays small."""
        if self.random.random() < 0.5:
            return (constant,)
        return (constant, (self.name(counters), 1))

    def name(self, counters):
        return self.random.choice([*self.ids, *counters * 3])

    def condition(self, counters):
        word = self.random.choice(["lt", "le", "gt", "ge", "eq", "ne"])
        left = (
            self.random.randint(-1, 2),
            (self.name(counters), self.random.choice([1, 1, 2, -1])),
        )
        return (word, left, self.sum(counters, self.random.randint(0, 3)))
