"""One kernel, two doors: LLVM IR and the PTX that clang makes of it are understood alike.

Names differ and are unified: parameters go by their place, counters by their loop's depth, local
variables by their space, values that control flow chooses by nothing. Formulas are compared by
what they compute, as compilers write one value in several ways. Where a compiler has joined or
split accesses, the elements are compared that each of them is made of.
"""

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.reference.formulas import compute
from warpmill.analyzer.analyses.access.accesses import memory_accesses
from warpmill.analyzer.analyses.access.coalescing import alignments, full_warp_costs, reuses
from warpmill.analyzer.analyses.access.launch_costs import launch_costs
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.analysis import Deciders
from warpmill.analyzer.analyses.ranges.bounds import (
    KnownTrips,
    SymbolicTrips,
    UnknownTrips,
    loop_bounds,
)
from warpmill.analyzer.analyses.ranges.launch_trips import loop_ranges
from warpmill.analyzer.analyses.values.conditions import Combined, Compare, Opaque, guard_condition
from warpmill.analyzer.analyses.values.symbolic import AtomKind, apply, number, symbol
from warpmill.analyzer.frontends.load import kernel_names, load_kernel
from warpmill.analyzer.ir.types import Space
from warpmill.analyzer.launch import load_launches
from warpmill.analyzer.launch.model import RefArgument

SAMPLES = Path(__file__).parents[2] / "samples"
PTX = ".sm_80.clang.ptx"
PAIRS = [
    (path.with_name(path.name.replace(PTX, ".bc")), path)
    for path in sorted(SAMPLES.glob(f"*/*{PTX}"))
]
KERNELS = [
    pytest.param(ll, ptx, name, id=f"{ll.stem}-{name}")
    for ll, ptx in PAIRS
    for name in sorted(kernel_names(ll))
]
LAUNCHES = [
    pytest.param(ll, ptx, i, id=f"{ll.stem}-{i}")
    for ll, ptx in PAIRS
    for i, _ in enumerate(load_launches(ll.with_name("launch.bc.toml")))
]


class Understood:
    """A kernel with what the analyses say of it."""

    def __init__(self, path, name):
        loaded, self.kernel = load_kernel(path, name)
        self.module = loaded.module
        self.structure = analyse_structure(self.kernel)
        self.bounds = loop_bounds(self.structure)
        self.accesses = memory_accesses(self.module, self.structure)
        variables = (*self.module.variables, *self.kernel.variables)
        self.local = {v.name for v in variables if v.space is Space.LOCAL}

    def depth(self, loop):
        return self.structure.loops.loops[loop].depth


@cache
def understood(path, name):
    return Understood(path, name)


# -------------------------------------------------------------- formulas by what they compute

TRIALS = range(6)
SPECIALS = {"tid.x": 32, "tid.y": 8, "tid.z": 4, "laneid": 32}


def draw(trial, word, most):
    return random.Random(f"{trial} {word}").randrange(most)


def name_of(known, atom):
    """Name what both doors name differently."""
    if atom.kind is AtomKind.ARGUMENT:
        return f"parameter {atom.key} {atom.name.partition('+')[2]}"
    if atom.kind is AtomKind.COUNTER:
        return f"counter {known.depth(atom.key)}"
    if atom.kind is AtomKind.ADDRESS and atom.name in known.local:
        return "local"
    if atom.kind in (AtomKind.SPECIAL, AtomKind.ADDRESS):
        return atom.name
    return "chosen"


def drawn(known, atom, operands, trial):
    """Give a number for what a launch, a loop or memory decides, the same for both doors."""
    if atom.kind is AtomKind.LOAD:
        return draw(trial, f"load {operands}", 1 << 20)
    name = name_of(known, atom)
    return draw(trial, name, SPECIALS.get(name, 1000))


def fingerprint(known, formula):
    return tuple(
        compute(formula, lambda atom, operands, t=trial: drawn(known, atom, operands, t))
        for trial in TRIALS
    )


# -------------------------------------------------------------------------- what is compared


def header_visits(bound):
    """How often control gets to a loop's header, each time the loop is entered.

    Code generation moves a loop's test from its bottom to its middle, where copies follow it: the
    passes through the whole loop are one less then, the visits of the header are not.
    """
    trips = bound.trips
    if bound.bottom_tested or isinstance(trips, UnknownTrips):
        return trips
    if isinstance(trips, KnownTrips):
        return KnownTrips(trips.count + 1)
    return SymbolicTrips(trips.formula + number(1))


def loop_facts(known):
    found = Counter()
    for bound in known.bounds:
        visits = header_visits(bound)
        formula = number(visits.count) if isinstance(visits, KnownTrips) else None
        formula = visits.formula if isinstance(visits, SymbolicTrips) else formula
        shown = "unknown" if formula is None else fingerprint(known, formula)
        found[known.depth(bound.loop), shown, bound.at_most] += 1
    return found


def one_sided(condition):
    """Move everything to the left, where equal parts of both sides cancel."""
    match condition:
        case Compare(word, left, right):
            return Compare(word, left - right, number(0))
        case Combined(word, first, second):
            return Combined(word, one_sided(first), one_sided(second))
    return condition


def branch_facts(known):
    found = Counter()
    for block in sorted(known.structure.cfg.reachable):
        instructions = known.kernel.blocks[block].instructions
        if len(known.structure.cfg.successors[block]) > 1:
            last = instructions[-1]
            condition = Opaque("")
            if last.guard is not None:
                place = (block, len(instructions) - 1)
                condition = guard_condition(known.structure, *place, last.guard)
            found[Deciders(known.structure).of(block, one_sided(condition))] += 1
    return found


def access_facts(known):
    found = Counter()
    each = zip(
        known.accesses,
        full_warp_costs(known.module, known.accesses),
        alignments(known.module, known.structure, known.accesses),
        reuses(known.structure, known.accesses),
        strict=True,
    )
    for access, cost, alignment, reuse in each:
        loops = tuple(
            (known.depth(r.loop), stride, r.kind, r.iterations_per_line, bool(r.reason))
            for r, (_, stride) in zip(reuse.loops, access.loop_strides_bytes, strict=True)
        )
        alike = (alignment.bytes, alignment.meets_width, reuse.same_for, reuse.offset_bytes)
        pattern = (access.pattern, access.lane_stride_bytes, len(access.loads))
        key = (identity(known, access), pattern, loops, cost, alike)
        found[key] += 1
    return found


def identity(known, access):
    where = fingerprint(known, access.address)
    return access.op_class, access.space, access.width_bytes, where


def identities(facts):
    found = Counter()
    for (identity_, *_), count in facts.items():
        found[identity_] += count
    return found


def elements(whole):
    """Take accesses apart into words of 4 B, or what they are where that is less."""
    found = Counter()
    for (op_class, space, width, where), count in whole.items():
        for offset in range(0, width or 1, 4):
            place = tuple(w + offset for w in where)
            found[op_class, space, min(width or 0, 4), place] += count
    return found


@pytest.mark.parametrize(("ll", "ptx", "name"), KERNELS)
def test_loops_are_the_same(ll, ptx, name):
    assert loop_facts(understood(ll, name)) == loop_facts(understood(ptx, name))


@pytest.mark.parametrize(("ll", "ptx", "name"), KERNELS)
def test_branches_are_the_same(ll, ptx, name):
    assert branch_facts(understood(ll, name)) == branch_facts(understood(ptx, name))


@pytest.mark.parametrize(("ll", "ptx", "name"), KERNELS)
def test_accesses_are_the_same(ll, ptx, name):
    assert_accesses_agree(*(access_facts(understood(path, name)) for path in (ll, ptx)))


def assert_accesses_agree(first, second):
    """All facts are the same, but for accesses that a compiler has joined or split."""
    only = (first - second, second - first)
    assert elements(identities(only[0])) == elements(identities(only[1]))
    if only[0].total() == only[1].total():
        assert only == (Counter(), Counter())


def of_launch(path, number_):
    """A launch with another module; what another launch has made is made for this one."""
    launch = load_launches(path.with_name("launch.bc.toml"))[number_]
    own = tuple(a.buffer if isinstance(a, RefArgument) else a for a in launch.arguments)
    known = understood(path, launch.kernel or kernel_names(path)[0])
    return known, replace(launch, module=path, arguments=own)


@pytest.mark.parametrize(("ll", "ptx", "number_"), LAUNCHES)
def test_a_launch_gives_the_same_numbers(ll, ptx, number_):
    sides = [counted(*of_launch(path, number_)) for path in (ll, ptx)]
    assert sides[0] == sides[1]


def counted(known, launch):
    costs = launch_costs(known.module, known.structure, launch, known.bounds, known.accesses)
    accesses = Counter()
    for access, cost in zip(known.accesses, costs, strict=True):
        accesses[
            access.op_class, access.space, access.width_bytes, cost.first, cost.all_iterations,
            cost.alignment_bytes, cost.cta_sectors, cost.worst, bool(cost.reason),
        ] += 1  # fmt: skip
    loops = Counter()
    visits = [replace(bound, trips=header_visits(bound)) for bound in known.bounds]
    for loop, found in loop_ranges(known.module, known.structure, launch, visits).items():
        loops[known.depth(loop), found.low, found.high] += 1
    return loops, accesses


# ------------------------------------------------------------------ the comparison looks closely

HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p, .param .u32 n)
{
.reg .pred %p<3>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;
ld.param.u64 %rd1, [p];
ld.param.u32 %r2, [n];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 8;
add.s64 %rd3, %rd1, %rd2;
"""
TWO = "ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+4];"
JOINED = "ld.global.v2.f32 {%f1, %f2}, [%rd3];"


def facts_of(tmp_path, text):
    path = tmp_path / "k.ptx"
    path.write_text(f"{HEAD}{text}\nret;\n}}\n")
    return Understood(path, "k")


def test_joined_accesses_agree_with_their_parts(tmp_path):
    parts, joined = (access_facts(facts_of(tmp_path, text)) for text in (TWO, JOINED))
    assert parts != joined
    assert_accesses_agree(parts, joined)


@pytest.mark.parametrize(
    "other",
    [
        "ld.global.f32 %f1, [%rd3]; ld.global.f32 %f2, [%rd3+8];",
        "ld.global.f32 %f1, [%rd3];",
        "ld.global.f32 %f1, [%rd3]; st.global.f32 [%rd3+4], %f1;",
        "ld.global.f32 %f1, [%rd3]; ld.shared.f32 %f2, [%rd3+4];",
    ],
)
def test_other_accesses_do_not_agree(tmp_path, other):
    first, second = (access_facts(facts_of(tmp_path, text)) for text in (TWO, other))
    with pytest.raises(AssertionError):
        assert_accesses_agree(first, second)


def test_one_value_in_two_forms_has_one_fingerprint(tmp_path):
    known = facts_of(tmp_path, TWO)
    (first, _) = known.accesses
    n, tid = symbol(AtomKind.ARGUMENT, "n", 1), symbol(AtomKind.SPECIAL, "tid.x")
    spelt = apply("max", n - tid, number(0)), n - apply("min", tid, n)
    assert fingerprint(known, spelt[0]) == fingerprint(known, spelt[1])
    assert fingerprint(known, first.address) != fingerprint(known, first.address + number(1))
