"""Small structured programs, and two ways to lower them to the IR: as PTX and as LLVM leave them.

A program is nested tuples, so that hypothesis can make and shrink it. All variables are 32-bit
and start at 0. Statements:

    ("set", var, expr)                ("guarded", var, cond, expr)     ("selected", var, cond, expr)
    ("flag", flag, cond)              ("swap", var, var)
    ("store", expr, cond or None)     ("return", cond)
    ("if", cond, then, else, then_falls)
    ("switch", expr, cases, default, by_index)
    ("loop", loop, body)              ("break", cond, body, falls)     ("continue", cond)

A loop is a Loop. Expressions are ints, names of variables and special registers, ``arg0``,
``arg1`` or (operation, *operands); conditions are (word, a, b), ("is", flag), ("not", c),
("and", c, d) … Variables whose names begin with f are flags: predicates that start as false.
"""

from dataclasses import dataclass

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

WORDS = {"eq": "s32", "ne": "s32", "lt": "s32", "le": "s32", "gt": "s32", "ge": "s32"}
WORDS |= {"lo": "u32", "ls": "u32", "hi": "u32", "hs": "u32"}


@dataclass(frozen=True)
class Loop:
    """How a loop counts in ``var``: from ``start`` by ``step`` while ``var word limit``.

    ``step`` is (operation, constant): ("add", -2), ("shr.u32", 1), ("shl", 1). ``bottom`` tests at
    the end; ``early`` steps before the body; ``old`` tests the value from before the step.
    """

    var: str
    start: object
    step: tuple
    word: str
    limit: object
    bottom: bool = False
    early: bool = False
    old: bool = False
    leaves_by_fall: bool = True


def assigned(body):
    """The variables that statements write."""
    found = []
    for kind, *parts in body:
        match kind:
            case "set" | "guarded" | "selected" | "flag":
                found.append(parts[0])
            case "swap":
                found += parts
            case "if":
                found += assigned(parts[1]) + assigned(parts[2])
            case "switch":
                found += [v for case in parts[1] for v in assigned(case)] + assigned(parts[2])
            case "loop":
                found += [parts[0].var, *assigned(parts[1])]
            case "break":
                found += assigned(parts[1])
    return list(dict.fromkeys(found))


def type_of(variable):
    return "pred" if variable.startswith("f") else "b32"


class Lowering:
    """Turns a program into a Kernel. ``phis``: each value in a register of its own."""

    def __init__(self, variables, *, phis):
        self.phis = phis
        self.registers, self.blocks, self.arrivals = [], [], {}
        self.home = {} if phis else {v: self.register(type_of(v)) for v in variables}
        self.env = {v: Imm(0) for v in variables} if phis else dict(self.home)
        self.loops = []
        self.current = self.new_block()
        self.base = self.register("b64")
        self.emit("ld.param.u64", self.base, Address(Symbol("out")))
        for variable in () if phis else variables:
            word = "pred" if type_of(variable) == "pred" else "u32"
            self.emit(f"mov.{word}", self.home[variable], Imm(0))

    def kernel(self, program):
        self.body(program)
        self.emit("ret")
        blocks = tuple(
            Block(i, f"B{i}", tuple(b["code"]), b["fall"], self.copies(i))
            for i, b in enumerate(self.blocks)
        )
        parameters = tuple(
            Parameter(n, TYPES[t], TYPES[t].size_bytes, TYPES[t].size_bytes)
            for n, t in (("out", "u64"), ("arg0", "u32"), ("arg1", "u32"))
        )
        registers = tuple(Register(f"%{t}{i}", TYPES[t]) for i, t in enumerate(self.registers))
        return Kernel("test", parameters, registers, blocks, Span(1, 1, 2))

    # Blocks and edges.

    def new_block(self):
        self.blocks.append({"code": [], "fall": None, "phis": {}})
        return len(self.blocks) - 1

    def register(self, type_):
        self.registers.append(type_)
        return Reg(len(self.registers) - 1)

    def emit(self, opcode, *operands, guard=None, targets=()):
        line = 1 + sum(len(b["code"]) for b in self.blocks)
        made = Instruction(decode(opcode), operands, Span(line, 1, 2), guard, tuple(targets))
        self.blocks[self.current]["code"].append(made)
        return operands[0] if operands else None

    def arrive(self, target):
        self.arrivals.setdefault(target, []).append((self.current, dict(self.env)))

    def go(self, target):
        self.arrive(target)
        if self.phis:
            self.emit("bra", targets=[target])
        else:
            self.blocks[self.current]["fall"] = target

    def branch(self, condition, taken, fall):
        guard = self.guard(condition)
        self.arrive(taken)
        self.arrive(fall)
        self.emit("bra", guard=guard, targets=[taken])
        self.blocks[self.current]["fall"] = fall

    def enter(self, block):
        """Go on in a block that all its predecessors have arrived at; merge their values."""
        self.current = block
        environments = [env for _, env in self.arrivals[block]]
        self.env = dict(environments[0])
        for variable in self.env if self.phis else ():
            if len({env[variable] for env in environments}) > 1:
                self.merge(block, variable)

    def enter_header(self, block, variables):
        """Go on in a loop header, whose latch has not arrived yet."""
        self.current = block
        self.env = dict(self.arrivals[block][0][1])
        for variable in variables if self.phis else ():
            self.merge(block, variable)

    def merge(self, block, variable):
        self.env[variable] = self.blocks[block]["phis"][variable] = self.register(type_of(variable))

    def copies(self, block):
        phis = self.blocks[block]["phis"]
        return tuple(
            EdgeCopies(source, tuple((register, env[v]) for v, register in phis.items()))
            for source, env in (self.arrivals.get(block, ()) if phis else ())
        )

    # Statements.

    def body(self, statements):
        for kind, *parts in statements:
            getattr(self, f"do_{kind}")(*parts)

    def do_set(self, variable, expression):
        value = self.value(expression)
        if self.phis:
            self.env[variable] = value
        else:
            self.emit("mov.u32", self.home[variable], value)

    def do_swap(self, first, second):
        if self.phis:
            self.env[first], self.env[second] = self.env[second], self.env[first]
            return
        kept = self.keep(first)
        self.emit("mov.u32", self.home[first], self.home[second])
        self.emit("mov.u32", self.home[second], kept)

    def do_flag(self, flag, condition):
        predicate = self.condition(condition)
        if self.phis:
            self.env[flag] = predicate
        else:
            self.emit("mov.pred", self.home[flag], predicate)

    def do_guarded(self, variable, condition, expression):
        if self.phis:
            return self.do_selected(variable, condition, expression)
        value = self.value(expression)
        return self.emit("mov.u32", self.home[variable], value, guard=self.guard(condition))

    def do_selected(self, variable, condition, expression):
        value, predicate = self.value(expression), self.condition(condition)
        into = self.register("b32") if self.phis else self.home[variable]
        self.emit("selp.b32", into, value, self.variable(variable), predicate)
        self.env[variable] = into

    def variable(self, name):
        return self.env[name]

    def do_store(self, expression, condition):
        index = self.value(expression)
        guard = None if condition is None else self.guard(condition)
        address = self.register("b64")
        if self.phis:
            wide = self.register("b64")
            self.emit("cvt.s64.s32", wide, index)
            self.emit("lea.u64", address, self.base, wide, Imm(4), Imm(0))
        else:
            self.emit("mad.wide.s32", address, index, Imm(4), self.base)
        self.emit("st.global.u32", Address(address, 8), Imm(0), guard=guard)

    def do_return(self, condition):
        if not self.phis:
            after = self.new_block()
            self.emit("ret", guard=self.guard(condition))
            self.arrive(after)
            self.blocks[self.current]["fall"] = after
            return self.enter(after)
        end, after = self.new_block(), self.new_block()
        self.branch(condition, end, after)
        self.enter(end)
        self.emit("ret")
        return self.enter(after)

    def do_if(self, condition, then, otherwise, then_falls):
        first, second, end = self.new_block(), self.new_block(), self.new_block()
        if then_falls:
            self.branch(("not", condition), second, first)
        else:
            self.branch(condition, first, second)
        for block, body in ((first, then), (second, otherwise)):
            self.enter(block)
            self.body(body)
            self.go(end)
        self.enter(end)

    def do_switch(self, expression, cases, default, by_index):
        value = self.value(expression)
        targets = [self.new_block() for _ in cases]
        fall, end = self.new_block(), self.new_block()
        for target in (*targets, fall):
            self.arrive(target)
        values = [] if by_index else [Imm(2 * i) for i in range(len(cases))]
        opcode = "brx.idx" if by_index else "switch"
        self.emit(opcode, value, *values, targets=targets)
        self.blocks[self.current]["fall"] = fall
        for block, body in ((fall, default), *zip(targets, cases, strict=True)):
            self.enter(block)
            self.body(body)
            self.go(end)
        self.enter(end)

    def do_loop(self, loop, body):
        self.do_set(loop.var, loop.start)
        header, end, latch = self.new_block(), self.new_block(), self.new_block()
        self.go(header)
        self.enter_header(header, list(dict.fromkeys([loop.var, *assigned(body)])))
        if not loop.bottom:
            inside = self.new_block()
            stays = (loop.word, loop.var, loop.limit)
            self.leave_or(stays, inside, end, loop.leaves_by_fall)
            self.enter(inside)
        again = header if loop.early and not loop.bottom else latch
        self.loops.append((again, end))
        old = self.keep(loop.var) if loop.old else loop.var
        if loop.early:
            self.step(loop)
        self.body(body)
        self.go(latch)
        self.enter(latch)
        if not loop.early:
            self.step(loop)
        self.loops.pop()
        if loop.bottom:
            self.leave_or((loop.word, old, loop.limit), header, end, loop.leaves_by_fall)
        else:
            self.go(header)
        self.enter(end)

    def step(self, loop):
        operation, amount = loop.step
        into = self.register("b32") if self.phis else self.home[loop.var]
        opcode = {"add": "add.s32", "shl": "shl.b32"}.get(operation, operation)
        self.emit(opcode, into, self.variable(loop.var), Imm(amount))
        self.env[loop.var] = into

    def keep(self, variable):
        """The present value of a variable, whatever is written to it later."""
        if self.phis:
            return self.env[variable]
        return self.emit("mov.u32", self.register("b32"), self.home[variable])

    def leave_or(self, stays, inside, end, leaves_by_fall):
        if leaves_by_fall:
            self.branch(stays, inside, end)
        else:
            self.branch(("not", stays), end, inside)

    def do_break(self, condition, body, falls):
        _, end = self.loops[-1]
        out, after = self.new_block(), self.new_block()
        if falls:
            self.branch(("not", condition), after, out)
        else:
            self.branch(condition, out, after)
        self.enter(out)
        self.body(body)
        self.go(end)
        self.enter(after)

    def do_continue(self, condition):
        latch, _ = self.loops[-1]
        after = self.new_block()
        self.branch(condition, latch, after)
        self.enter(after)

    # Expressions.

    def value(self, expression):
        match expression:
            case int():
                return Imm(expression)
            case Reg() | Imm():
                return expression
            case str() if expression in self.env:
                return self.variable(expression)
            case str() if expression.startswith("arg"):
                return self.emit("ld.param.u32", self.register("b32"), Address(Symbol(expression)))
            case str():
                return self.emit("mov.u32", self.register("b32"), Special(expression))
        opcode, *operands = expression
        if opcode == "selp":
            *operands, condition = operands
            values = [*map(self.value, operands), self.condition(condition)]
        else:
            values = [self.value(o) for o in operands]
        return self.emit({"selp": "selp.b32"}.get(opcode, opcode), self.register("b32"), *values)

    def guard(self, condition):
        if condition[0] == "not":
            return Guard(self.condition(condition[1]), negated=True)
        return Guard(self.condition(condition))

    def flag(self, name):
        value = self.env[name]
        if isinstance(value, Imm):  # a guard wants a register
            return self.emit("mov.pred", self.register("pred"), value)
        return value

    def condition(self, condition):
        word, *parts = condition
        if word == "is":
            return self.flag(parts[0])
        into = self.register("pred")
        if word in WORDS:
            values = [self.value(p) for p in parts[:2]]
            if len(parts) == 3:  # setp with a predicate that is joined
                joined = parts[2]
                values.append(self.condition(joined[1]))
                return self.emit(f"setp.{word}.{joined[0]}.{WORDS[word]}", into, *values)
            return self.emit(f"setp.{word}.{WORDS[word]}", into, *values)
        return self.emit(f"{word}.pred", into, *map(self.condition, parts))
