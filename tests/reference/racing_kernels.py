"""Random small kernels whose threads access places of a table, with the events that they are.

Where each thread goes at each operation is read from the buffer ``plan``, which nobody writes.
"""

import random
from dataclasses import dataclass, field

import numpy as np

from tests.reference.race_twin import Access, Fence, Meeting

OFF = 0xFFFFFFFF
LAST = 1 << 30
BYTES = 64  # of shared memory, and of the buffer ``data``

_START = """ld.param.u64 %d0, [plan]; ld.param.u64 %d1, [data]; mov.u32 %r0, %tid.x;
mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;
mul.wide.u32 %d2, %r0, 4; add.u64 %d0, %d0, %d2; mov.u32 %r9, shared_bytes;
"""
_SUFFIX = {1: "u8", 2: "u16", 4: "u32", 8: "u64"}
_VALUE = {1: "%h1", 2: "%h1", 4: "%r5", 8: "%d5"}


@dataclass
class RacingKernel:
    """A kernel's text, where its threads go, and the events that this is."""

    ctas: int
    threads: int
    lines: list = field(default_factory=list)
    plan: list = field(default_factory=list)
    events: list = field(default_factory=list)
    named: int = 0
    keys: list = field(default_factory=list)  # of each event, by the executor's order
    interval: int = 0
    ops: dict = field(default_factory=dict)  # the operation of each line of the text

    def add(self, event, op):
        """An event: warps run one after another from barrier to barrier, CTAs to their end."""
        meets = isinstance(event, Meeting)
        warp, thread = (LAST, LAST) if meets else (event.thread // 32, event.thread)
        self.keys.append((event.cta, self.interval, warp, op, thread))
        self.events.append(event)

    def executed(self):
        """The events in the order in which the executor comes to them: of full barriers alone."""
        order = sorted(range(len(self.events)), key=lambda k: self.keys[k])
        return [self.events[k] for k in order]

    def fence(self, scope, warps=None):
        """A fence of all threads, or of some warps."""
        line = f"fence.acq_rel.{scope};"
        if warps is None:
            self.lines.append(line)
        else:
            _by_warp(self, warps, line)
        for cta in range(self.ctas):
            for thread in range(self.threads) if warps is None else _threads_of(warps):
                self.add(Fence(cta, thread, scope), len(self.plan) - 0.5)

    def access(self, space, width, how, places, scope=None, order="relaxed"):
        """An access of the threads that have a place: CTA by CTA, thread by thread."""
        step = 4 * len(self.plan) * self.ctas * self.threads
        op = len(self.plan)
        self.plan.append(places)
        self.lines.append(
            f"ld.global.u32 %r3, [%d0+{step}]; setp.ne.u32 %p1, %r3, {OFF}; mov.u32 %r5, {op};"
            f" mov.u64 %d5, {op}; cvt.u16.u32 %h1, %r5;"
        )
        place = "%d3"
        if space == "shared":
            self.lines.append("add.u32 %r3, %r3, %r9;")
            place = "%r3"
        else:
            self.lines.append("cvt.u64.u32 %d3, %r3; add.u64 %d3, %d3, %d1;")
        other = "%d6" if width == 8 else "%r6"
        value, type_ = _VALUE[width], _SUFFIX[width]
        strong = {"atomic": f"atom.{order}.{scope}", "load": "ld", "store": "st"}[how]
        if scope and how != "atomic":
            strong += f".{order}.{scope}"
        self.lines.append(
            {
                "atomic": f"@%p1 {strong}.{space}.add.{type_} {other}, [{place}], {value};",
                "store": f"@%p1 {strong}.{space}.{type_} [{place}], {value};",
                "load": f"@%p1 {strong}.{space}.{type_} {value}, [{place}];",
            }[how]
        )
        self.ops[len(self.lines) - 1] = op
        for cta in range(self.ctas):
            for thread in range(self.threads):
                at = places[cta][thread]
                if at != OFF:
                    writes, changes = how != "load", how == "atomic"
                    what = (space, at, width, writes, scope, order, changes)
                    self.add(Access(cta, thread, op, *what), op)

    def meet(self, line, *groups):
        """A line at which threads meet: in each CTA each of the groups."""
        self.lines.append(line)
        for cta in range(self.ctas):
            for group in groups:
                self.add(Meeting(cta, *group), len(self.plan))
        self.interval += 1

    def next_barrier(self):
        """The number of a barrier that nothing else uses: warps may come to the next one early."""
        self.named += 1
        return 3 + self.named

    def text(self, target="sm_80"):
        """The kernel as PTX, a line of which is one of ``lines``."""
        head = (
            f".version 8.0\n.target {target}\n.address_size 64\n"
            f".visible .entry k(.param .u64 plan, .param .u64 data) {{\n"
            f".shared .align 16 .b8 shared_bytes[{BYTES}];\n"
            ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<20>; .reg .b64 %d<9>;\n"
        )
        begin = head + _START
        self.first_line = begin.count("\n") + 1
        return begin + "\n".join(self.lines) + "\nret;\n}\n"

    def op_at(self, line):
        """The operation of a line of the text."""
        return self.ops[line - self.first_line]

    def plan_words(self):
        """What the buffer ``plan`` holds."""
        return np.array(self.plan, np.uint32).reshape(-1)


def random_kernel(seed, meetings=(), scopes=(None,), length=(3, 7), orders=None):
    """A kernel of a few accesses; ``meetings`` write what there is between them."""
    rng = random.Random(seed)
    kernel = RacingKernel(rng.choice([1, 1, 2, 3]), rng.choice([32, 64, 96]))
    for _ in range(rng.randint(*length)):
        if meetings and rng.random() < 0.5:
            rng.choice(meetings)(kernel, rng)
            continue
        space = rng.choice(["shared", "global"])
        width = rng.choice([1, 2, 4, 4, 4, 8])
        how = rng.choice(["load", "load", "store", "store", "atomic"])
        width = max(4, width) if how == "atomic" else width
        scope = rng.choice(scopes)
        if how == "atomic" and scope is None:
            scope = "gpu"
        order = "relaxed" if orders is None else rng.choice(orders[how])
        kernel.access(space, width, how, _places(rng, kernel, width), scope, order)
    return kernel


def _places(rng, kernel, width):
    """Where threads go: all in a row, all to one place, some anywhere."""
    kind = rng.choice(["row", "one", "few", "few", "any"])
    count = BYTES // width
    shift = rng.randrange(count)

    def place(cta, thread):
        if kind == "row":
            return (thread + shift) % count * width if thread < count else OFF
        if kind == "one":
            return shift * width if rng.random() < 0.9 else OFF
        if rng.random() > (0.1 if kind == "few" else 0.6):
            return OFF
        return rng.randrange(count) * width

    ctas, threads = range(kernel.ctas), range(kernel.threads)
    return [[place(c, t) for t in threads] for c in ctas]


def full_barrier(kernel, rng):
    """All threads of each CTA meet."""
    line = rng.choice(["bar.sync 0;", "bar.sync 3;", "barrier.sync 1;"])
    kernel.meet(line, (tuple(range(kernel.threads)),))


def named_barrier(kernel, rng):
    """Some warps meet at a barrier for so many threads; others go on."""
    warps = kernel.threads // 32
    here = sorted(rng.sample(range(warps), rng.randint(1, warps)))
    number = kernel.next_barrier()
    _by_warp(kernel, here, f"bar.sync {number}, {32 * len(here)};")
    kernel.meet("", (_threads_of(here),))


def arriving_barrier(kernel, rng):
    """Some warps arrive at a barrier, others wait there for them."""
    warps = list(range(kernel.threads // 32))
    if len(warps) < 2:
        return
    rng.shuffle(warps)
    first = rng.randint(1, len(warps) - 1)
    total = 32 * len(warps)
    number = kernel.next_barrier()
    _by_warp(kernel, warps[:first], f"bar.arrive {number}, {total};")
    _by_warp(kernel, warps[first:], f"bar.sync {number}, {total};")
    kernel.meet("", (_threads_of(warps[first:]), _threads_of(warps[:first])))


def warp_barrier(kernel, rng):
    """Lanes of each warp meet: all of it, or the halves, or some that name each other."""
    mask = rng.choice(["-1", "-1", "0xFFFF", "halves"])
    if mask == "halves":
        kernel.lines.append("mov.u32 %r10, %laneid; and.b32 %r10, %r10, 16;")
        kernel.lines.append("mov.u32 %r11, 0xFFFF; shl.b32 %r11, %r11, %r10;")
        kernel.meet("bar.warp.sync %r11;", *_groups(kernel, (range(16), range(16, 32))))
    elif mask == "-1":
        kernel.meet("bar.warp.sync -1;", *_groups(kernel, (range(32),)))
    else:
        kernel.lines.append("mov.u32 %r10, %laneid; setp.lt.u32 %p3, %r10, 16;")
        kernel.meet("@%p3 bar.warp.sync 0xFFFF;", *_groups(kernel, (range(16),)))


def _groups(kernel, lanes):
    return [
        (tuple(warp * 32 + lane for lane in own),)
        for warp in range(kernel.threads // 32)
        for own in lanes
    ]


def _by_warp(kernel, warps, line):
    """A line for some warps alone."""
    label = f"past{len(kernel.lines)}"
    mask = sum(1 << warp for warp in warps)
    kernel.lines += [
        f"mov.u32 %r10, %tid.x; shr.u32 %r10, %r10, 5; mov.u32 %r11, {mask};"
        " shr.u32 %r11, %r11, %r10; and.b32 %r11, %r11, 1; setp.eq.u32 %p3, %r11, 0;",
        f"@%p3 bra {label};",
        line,
        f"{label}:",
    ]


def _threads_of(warps):
    return tuple(warp * 32 + lane for warp in warps for lane in range(32))


ORDERS = {
    "load": ("relaxed", "acquire", "acquire"),
    "store": ("relaxed", "release", "release"),
    "atomic": ("relaxed", "acq_rel", "acquire", "release"),
}
"""How strong accesses order others."""


def some_fence(kernel, rng):
    """A fence of all threads."""
    kernel.fence(rng.choice(["cta", "gpu", "gpu"]))


SPEAKERS = (0, 1, 32, 64)
COUNTER = 60


def chain_kernel(seed):
    """A kernel whose first CTA leaves values and counts at one place; others count, and read.

    Fences of some warps, for their CTA or for all, lie between.
    """
    rng = random.Random(seed)
    kernel = RacingKernel(rng.choice([2, 3]), 96)

    def turn(how, ctas, place, scope=None):
        """An access of one of the speakers of some CTAs, or none."""
        places = [[OFF] * kernel.threads for _ in range(kernel.ctas)]
        for cta in ctas:
            speaker = rng.choice(SPEAKERS)
            places[cta][speaker] = 4 * SPEAKERS.index(speaker) if place is None else place
        kernel.access("global", 4, how, places, scope)

    def fences():
        for _ in range(rng.randint(0, 2)):
            kernel.fence(rng.choice(["cta", "gpu"]), rng.sample(range(3), rng.randint(1, 2)))

    first, others = (0,), range(1, kernel.ctas)
    for _ in range(rng.randint(1, 3)):
        turn("store", first, None)
    for _ in range(rng.randint(1, 4)):
        fences()
        turn("atomic", first, COUNTER, rng.choice(["gpu", "gpu", "gpu", "cta"]))
    for _ in range(rng.randint(1, 3)):
        fences()
        turn("atomic", others, COUNTER, rng.choice(["gpu", "gpu", "gpu", "cta"]))
    kernel.fence("gpu")
    for _ in range(3):
        turn("load", others, 4 * rng.randrange(len(SPEAKERS)))
    return kernel
