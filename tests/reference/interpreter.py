"""What a kernel does, lane by lane and instruction by instruction: the twin of static traces.

Integers and predicates only. A register holds the unsigned bits of its type in each lane; loads
give what the lane has stored at that address in local or generic memory, else 0. Where lanes part,
a plain reconvergence stack keeps the order of design.md, section 4.
"""

from dataclasses import dataclass, field

from warpmill.analyzer.analyses.cfg.graph import build_cfg, postdominator_tree
from warpmill.analyzer.ir.kernel import Address, Imm, Kernel, NotPredicate, Reg, Special, Symbol
from warpmill.analyzer.ir.types import OpClass, Space, TypeKind

OWN = frozenset({None, Space.GENERIC, Space.LOCAL})
"""Spaces in which a lane keeps values of its own."""


class TooLongError(Exception):
    """More events than the test wants to look at."""


@dataclass
class Warp:
    """One warp: registers by lane, the special registers of each lane, and its events."""

    kernel: Kernel
    specials: list
    arguments: dict
    addresses: dict = field(default_factory=dict)
    most_events: int = 5000

    def run(self):
        """The events as (block, mask, guards, addresses)."""
        cfg = build_cfg(self.kernel)
        meet = postdominator_tree(cfg).idom
        self.registers = [{} for _ in self.specials]
        self.own = [{} for _ in self.specials]
        for parameter in self.kernel.parameters:
            for lane in self.registers if parameter.register is not None else ():
                lane[parameter.register.index] = self.arguments[parameter.name]
        self.alive = {i for i, lane in enumerate(self.specials) if lane is not None}
        self.events = []
        stack = [[0, cfg.exit_id, set(self.alive)]]  # block, where to pop, lanes
        while stack:
            block, end, lanes = stack[-1]
            lanes &= self.alive
            if block == end or not lanes:
                stack.pop()
                continue
            self.execute(self.kernel.blocks[block], lanes)
            sides = self.sides(self.kernel.blocks[block], lanes, cfg.exit_id)
            for target, some in sides.items():
                self.copy(block, target, some)
            if len(sides) == 1:
                (stack[-1][0],) = sides
            else:
                stack[-1][0] = meet[block]
                stack += [[t, meet[block], set(some)] for t, some in reversed(sides.items())]
        return self.events

    def execute(self, block, lanes):
        guards, accesses = [], []
        for index, instruction in enumerate(block.instructions):
            operation = instruction.operation
            if instruction.is_branch or operation.op_class is OpClass.RETURN:
                continue
            on = self.guarded(instruction, lanes)
            if on != lanes:
                guards.append((index, bits(on)))
            if operation.op_class in (OpClass.LOAD, OpClass.STORE):
                if operation.space is not Space.PARAM and on:
                    place = instruction.address
                    where = tuple(self.address(place, lane) for lane in sorted(on))
                    accesses.append((index, where))
                if operation.op_class is OpClass.STORE:
                    self.store(instruction, on)
                    continue
            for lane in on:
                self.write(instruction, lane)
        self.events.append((block.id, bits(lanes), tuple(guards), tuple(accesses)))
        if len(self.events) > self.most_events:
            raise TooLongError

    def store(self, instruction, lanes):
        if instruction.operation.space in OWN:
            for lane in lanes:
                value = self.bits_of(instruction.sources[-1], lane)
                self.own[lane][self.address(instruction.address, lane)] = value

    def guarded(self, instruction, lanes):
        guard = instruction.guard
        if guard is None:
            return set(lanes)
        return {i for i in lanes if bool(self.bits_of(guard.register, i)) != guard.negated}

    def sides(self, block, lanes, exit_id):
        """Where the lanes go: block -> lanes, in the order in which the sides run."""
        last = block.terminator
        fall = exit_id if block.fallthrough is None else block.fallthrough
        if last is None:
            return {fall: lanes}
        if last.operation.op_class is OpClass.RETURN:
            leaving = self.guarded(last, lanes)
            self.alive -= leaving
            return {fall: lanes - leaving} if lanes - leaving else {exit_id: leaving}
        if last.operation.name == "bra":
            taken = self.guarded(last, lanes)
            order = [(fall, lanes - taken), (last.targets[0], taken)]
        else:
            places = list(last.targets)
            cases = [o.value for o in last.operands[1:]] or list(range(len(places)))
            order = [(fall, set()), *((t, set()) for t in places)]
            guarded = self.guarded(last, lanes)
            for lane in lanes:
                value = self.signed(last.operands[0], lane)
                chosen = cases.index(value) + 1 if value in cases and lane in guarded else 0
                order[chosen][1].add(lane)
        sides = {}
        for target, some in order:
            sides[target] = sides.get(target, set()) | some
        return {target: some for target, some in sides.items() if some}

    def copy(self, source, target, lanes):
        if target == len(self.kernel.blocks):
            return
        for edge in self.kernel.blocks[target].incoming:
            for lane in lanes if edge.predecessor == source else ():
                values = [(r, self.bits_of(o, lane, r)) for r, o in edge.copies]
                for register, value in values:
                    self.registers[lane][register.index] = value

    # Values.

    def width(self, register):
        return self.kernel.registers[register.index].type.bits

    def bits_of(self, operand, lane, into=None):
        """The unsigned bits of an operand; ``into`` is the register that they go to."""
        match operand:
            case Reg():
                return self.registers[lane][operand.index]
            case NotPredicate(register):
                return 1 - self.registers[lane][register.index]
            case Special(name):
                return self.specials[lane][name]
            case Symbol(name, offset):
                return self.addresses[name] + offset
            case Imm(value):
                return value % (1 << (64 if into is None else self.width(into)))
        raise NotImplementedError(operand)

    def signed(self, operand, lane, width=32):
        value = self.bits_of(operand, lane) % (1 << width)
        return value - (1 << width) if value >> (width - 1) else value

    def typed(self, operand, lane, type_):
        """Read an operand as a number of a type."""
        if type_.kind is TypeKind.SIGNED:
            return self.signed(operand, lane, type_.bits)
        return self.bits_of(operand, lane) % (1 << type_.bits)

    def address(self, place, lane):
        assert isinstance(place, Address)
        return self.bits_of(place.base, lane) + place.offset

    def write(self, instruction, lane):
        (destination,) = instruction.destinations
        value = self.result(instruction, lane) % (1 << self.width(destination))
        self.registers[lane][destination.index] = value

    def result(self, instruction, lane):
        operation, sources = instruction.operation, instruction.sources
        name, words = operation.name, operation.modifiers
        if operation.op_class is OpClass.LOAD:
            if operation.space is Space.PARAM:
                return self.arguments[instruction.address.base.name]
            where = self.address(instruction.address, lane)
            return self.own[lane].get(where, 0) if operation.space in OWN else 0
        first = operation.types[0]
        if name == "cvt":
            return self.typed(sources[0], lane, operation.types[1])
        if name in ("shl", "shr"):
            shift = min(self.bits_of(sources[1], lane) % (1 << 32), first.bits)
            value = self.typed(sources[0], lane, first)
            return (value << shift) % (1 << first.bits) if name == "shl" else value >> shift
        if name == "selp":
            return self.typed(sources[0 if self.bits_of(sources[2], lane) else 1], lane, first)
        if name in ("mad", "lea"):
            wide = "wide" in words
            *factors, last = sources
            a, *rest = [self.typed(o, lane, first) for o in factors]
            end = self.bits_of(last, lane)
            total = a * rest[0] + end if name == "mad" else a + rest[0] * rest[1] + end
            return total if wide else total % (1 << first.bits)
        values = [self.typed(o, lane, first) for o in sources]
        if name == "setp":
            return self.compared(words, values, sources, lane)
        if name == "mul" and "wide" in words:
            return values[0] * values[1]
        if name == "mul" and "hi" in words:
            return (values[0] * values[1]) >> first.bits
        if name == "bfe":
            return (values[0] >> values[1]) % (1 << values[2])
        return PLAIN[name](*values) % (1 << first.bits)

    def compared(self, words, values, sources, lane):
        word = next(w for w in words if w in COMPARISONS)
        result = COMPARISONS[word](values[0], values[1])
        if len(sources) == 3:
            combine = next(w for w in words if w in ("and", "or", "xor"))
            result = PLAIN[combine](result, bool(self.bits_of(sources[2], lane)))
        return int(result)


def bits(lanes):
    return sum(1 << lane for lane in lanes)


def towards_zero(a, b):
    if b == 0:
        return -1  # all ones, as GPUs give
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


PLAIN = {
    "mov": lambda a: a,
    "cvta": lambda a: a,
    "neg": lambda a: -a,
    "abs": abs,
    "not": lambda a: ~a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "min": min,
    "max": max,
    "div": towards_zero,
    "rem": lambda a, b: a - b * towards_zero(a, b),
}
COMPARISONS = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
    "lo": lambda a, b: a < b,
    "ls": lambda a, b: a <= b,
    "hi": lambda a, b: a > b,
    "hs": lambda a, b: a >= b,
}


def lanes_of_warp(warp, warp_size, grid, block, cta):
    """The special registers of each lane of a warp; None where there is no thread."""
    x, y, z = block
    lanes = []
    for lane in range(warp_size):
        thread = warp * warp_size + lane
        if thread >= x * y * z:
            lanes.append(None)
            continue
        tid = (thread % x, thread // x % y, thread // (x * y))
        values = {"laneid": lane, "warpid": warp}
        for axis, letter in enumerate("xyz"):
            values |= {f"tid.{letter}": tid[axis], f"ntid.{letter}": block[axis]}
            values |= {f"ctaid.{letter}": cta[axis], f"nctaid.{letter}": grid[axis]}
        lanes.append(values)
    return lanes
