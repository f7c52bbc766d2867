"""What one thread does in a program of ``bidirectional_kernels``, block by block."""

import operator

WORDS = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge, "eq": operator.eq, "ne": operator.ne,
}  # fmt: skip


class TooLongError(Exception):
    """More visits than a test wants to look at."""


def path_of(program, values, most_visits=2000):
    """The blocks that a thread with these arguments and ids visits, in order."""
    runner = Runner(values, most_visits)
    runner.visit("ENTRY")
    runner.body(program, "")
    runner.visit("EXIT")
    return runner.path


class Runner:
    """One thread: the values that it has, and the blocks that it has visited."""

    def __init__(self, values, most_visits):
        self.values, self.most_visits = dict(values), most_visits
        self.path, self.loop = [], None

    def visit(self, block):
        self.path.append(block)
        if len(self.path) > self.most_visits:
            raise TooLongError

    def sum(self, value):
        constant, *terms = value
        return constant + sum(self.values[name] * factor for name, factor in terms)

    def holds(self, condition):
        word, left, right = condition
        return WORDS[word](self.sum(left), self.sum(right))

    def body(self, program, path):
        """Run statements; give where control goes if not to the next: a word for the loop."""
        for i, (kind, *parts) in enumerate(program):
            gone = getattr(self, f"do_{kind}")(f"{path}_{i}", *parts)
            if gone:
                return gone
        return None

    def do_if(self, at, condition, then, other, _flipped):
        letter, statements = ("T", then) if self.holds(condition) else ("F", other)
        if letter == "T" or other:
            self.visit(letter + at)
            gone = self.body(statements, at + letter.lower())
            if gone:
                return gone
        self.visit("J" + at)
        return None

    def do_loop(self, at, loop, body):
        self.values[loop.counter] = self.sum(loop.start)
        gone = "header"
        while gone == "header":
            self.visit("H" + at)
            gone = self.iterate(at, loop, body)
        if gone == "return":
            return gone
        self.visit("E" + at)
        return None

    def iterate(self, at, loop, body):
        """``header``, ``end`` or ``return``."""
        if not loop.bottom:
            if not self.holds(loop.stays):
                if loop.flipped:
                    self.visit("X" + at)
                return "end"
            self.visit("B" + at)
        if loop.early:
            self.step(loop)
        outer, self.loop = self.loop, loop
        gone = self.body(body, at)
        self.loop = outer
        if gone in ("end", "header", "return"):
            return gone
        self.visit("L" + at)
        if not loop.early:
            self.step(loop)
        if loop.bottom and not self.holds(loop.stays):
            return "end"
        if loop.bottom and loop.flipped:
            self.visit("X" + at)
        return "header"

    def step(self, loop):
        self.values[loop.counter] += loop.step

    def leaves(self, at, condition, name):
        if not self.holds(condition):
            self.visit("N" + at)
            return False
        if name:
            self.visit(name)
        return True

    def do_break(self, at, condition, how):
        return "end" if self.leaves(at, condition, "O" + at if how == "own" else "") else None

    def do_return(self, at, condition, how):
        return "return" if self.leaves(at, condition, "R" + at if how == "own" else "") else None

    def do_continue(self, at, condition, how):
        if not self.leaves(at, condition, "K" + at if how == "own" else ""):
            return None
        if how == "latch":
            return "latch"
        if how == "direct":
            return "header"
        if not self.loop.early:
            self.step(self.loop)
        if self.loop.bottom and not self.holds(self.loop.stays):
            self.visit("Q" + at)
            return "end"
        return "header"
