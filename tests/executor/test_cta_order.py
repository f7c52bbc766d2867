"""Random kernels: where CTAs in another order leave other memory, they are never independent."""

import itertools
import math
import random

import pytest

from tests.reference.random_cta_kernels import random_program
from tests.reference.thread_by_thread import run
from warpmill.executor import launching as workers
from warpmill.executor.faults import ExecutionFault
from warpmill.executor.independence.affine import (
    LaunchNumbers,
    LinearForm,
    Term,
    TouchedBytes,
    is_private,
)
from warpmill.executor.independence.affine_rules import evaluate
from warpmill.executor.independence.affine_values import AffineValues
from warpmill.executor.independence.deciding import accesses_of, prepared

_EACH = 60


def orders(program, seed):
    ctas = list(range(math.prod(program.grid)))
    shuffled = random.Random(seed)
    return [ctas[::-1], *[shuffled.sample(ctas, len(ctas)) for _ in range(3)]]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 8 * _EACH, _EACH))
def test_independent_ctas_run_in_any_order(first, monkeypatch):
    monkeypatch.setattr(workers, "ENOUGH", 0)
    looked_at = 0
    for seed in range(first, first + _EACH):
        program = random_program(seed)
        decision = program.decide()
        if decision.dependence is not None:
            continue
        try:
            program.run()
        except ExecutionFault:
            continue
        looked_at += 1
        contents = program.contents()
        program.run(3)
        assert program.contents() == contents, f"seed {seed}, by threads"
        # an access that is confined may be one that strays: threads alone know
        for order in [] if decision.confined else orders(program, seed):
            assert program.run_in(order) == contents, f"seed {seed}, CTAs {order}"
    assert looked_at


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(1000, 1000 + 6 * _EACH, _EACH))
def test_accesses_stay_where_they_are_said_to(first):
    """Executed thread by thread, addresses are in bounds, and private ones are of one CTA."""
    private = 0
    for seed in range(first, first + _EACH):
        program = random_program(seed)
        facts = LaunchNumbers(program.grid, program.block, program.params, program.symbols)
        structure, needed, _ = prepared(program.kernel)
        values = AffineValues(program.module, structure, facts, needed, evaluate)
        touched = run(program, program.addresses)
        said = {a.place: a for a in accesses_of(values, program.memory, None)}
        assert touched.keys() <= said.keys()
        for place, ctas in touched.items():
            reach = said[place].reach
            found = set().union(*ctas.values())
            assert reach.first <= min(found), f"seed {seed}, {place}"
            assert max(found) + reach.width <= reach.end, f"seed {seed}, {place}"
        for one, other in itertools.combinations_with_replacement(sorted(touched), 2):
            a, b = said[one].reach, said[other].reach
            if is_private(a, b, values.ctas):
                private += 1
                assert not are_shared(touched, (one, a.width), (other, b.width)), (
                    f"seed {seed}, {one} and {other}"
                )
    assert private


def are_shared(touched, one, other):
    """Whether two CTAs touched a byte by two accesses, each a place and its bytes."""
    owners = {}
    for cta, found in touched[one[0]].items():
        for at in found:
            for byte in range(at, at + one[1]):
                owners.setdefault(byte, set()).add(cta)
    return any(
        owners.get(byte, {cta}) != {cta}
        for cta, found in touched[other[0]].items()
        for at in found
        for byte in range(at, at + other[1])
    )


SIZES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 30, 32, 48, 60, 64)


def random_reach(shuffled, ctas):
    """Make the reach of an access over the CTA's indices and two or three values of its own."""
    own = [Term("own", 0, shuffled.randint(1, 4)) for _ in range(shuffled.randint(1, 3))]
    terms = {t: shuffled.choice((1, 1, 1, -1)) * shuffled.choice(SIZES) for t in (*ctas, *own)}
    for t in ctas:
        if shuffled.random() < 0.1:
            del terms[t]
    constraints = []
    if shuffled.random() < 0.5:  # a guard: a sum of some of the terms is below a bound
        some = {t: abs(c) for t, c in terms.items() if shuffled.random() < 0.7}
        constraints = [LinearForm(-shuffled.randint(0, 60), some)]
    form = LinearForm(shuffled.randint(0, 70), terms)
    return TouchedBytes(form, shuffled.choice((1, 2, 4, 8)), tuple(constraints))


def bytes_by_cta(reach, ctas):
    """Enumerate the bytes that the threads of each CTA may touch."""
    every = list(dict.fromkeys((*ctas, *reach.form.terms)))
    found = {}
    for values in itertools.product(*[range(t.low, t.high + 1) for t in every]):
        given = dict(zip(every, values, strict=True))

        def value(form, given=given):
            return form.constant + sum(c * given[t] for t, c in form.terms.items())

        if all(value(c) <= 0 for c in reach.constraints):
            first = value(reach.form)
            assert reach.first <= first <= reach.end - reach.width
            cta = tuple(given[t] for t in ctas)
            found.setdefault(cta, set()).update(range(first, first + reach.width))
    return found


@pytest.mark.parametrize("seed", range(4))
def test_private_reaches_share_no_byte(seed):
    """Of all the values that terms may have, none lets two CTAs meet."""
    shuffled, private = random.Random(seed), 0
    for _ in range(600):
        ctas = [Term(name, 0, shuffled.randint(0, 3)) for name in ("x", "y")]
        a = random_reach(shuffled, ctas)
        b = a if shuffled.random() < 0.5 else random_reach(shuffled, ctas)
        if shuffled.random() < 0.3:
            b = TouchedBytes(
                a.form.moved(shuffled.choice((-16, -4, 4, 8, 64))), a.width, a.constraints
            )
        if not is_private(a, b, ctas):
            continue
        private += 1
        bytes_a, bytes_b = bytes_by_cta(a, ctas), bytes_by_cta(b, ctas)
        for one, other in itertools.product(bytes_a, bytes_b):
            assert one == other or bytes_a[one].isdisjoint(bytes_b[other]), (a, b)
    assert private > 50
