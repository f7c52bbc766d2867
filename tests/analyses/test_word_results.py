"""Known words of integer operations hold what twins of the manual answer; constants stay so."""

import random
from collections import defaultdict

import numpy as np
import pytest

from tests.reference.ptx_forms import all_forms
from tests.reference.ptx_operands import operands
from tests.reference.ptx_twins import answers
from warpmill.analyzer.analyses.ranges.domain import anything, exactly, joined
from warpmill.analyzer.analyses.ranges.transfer import RULES, result_word
from warpmill.analyzer.ir.operation import decode
from warpmill.analyzer.ir.types import TYPES

RUNS = 3
MOST_FORMS = 24
"""Forms of an operation that are looked at, drawn by seed: lop3 has one for each table."""


def _is_plain(form):
    own = [p for p in form.places if p.is_register]
    whole = all(TYPES[p.type].is_integer or p.type == "pred" for p in own)
    single = all(TYPES[p.type].lanes == 1 and TYPES[p.type].bits <= 64 for p in own)
    plain = not any(p.sign or p.part for p in form.places) and "{{" not in form.template
    return whole and single and plain and form.destinations[0].is_register


def _forms():
    found = defaultdict(list)
    for form in all_forms():
        is_one = len(form.destinations) == 1 and decode(form.opcode).name == form.operation
        if is_one and form.operation in RULES.keys() - WINDOWS and _is_plain(form):
            found[form.operation].append(form)
    return found


WINDOWS = {"cvta"}
"""Operations whose results are addresses, which lie where the executor has put them."""


FORMS = _forms()


def answered(form):
    """Sources of some rows, and what a twin says that each gives."""
    given = operands(form, runs=RUNS)
    (answer,) = answers(form, given, np.ones((RUNS, len(given[0]) // RUNS), bool))
    return given, np.asarray(answer.bits), answer.free


def holds(word, value):
    signed = value - (1 << word.bits) if value >> word.bits - 1 else value
    bits = not value & word.zeros and not ~value & word.ones
    return bits and word.low <= value <= word.high and word.least <= signed <= word.most


def test_operations_have_forms():
    assert len(FORMS) > 25


@pytest.mark.parametrize("operation", sorted(FORMS))
def test_results_hold_what_the_manual_says(operation):
    draw = random.Random(operation)
    forms = FORMS[operation]
    for form in draw.sample(forms, min(MOST_FORMS, len(forms))):
        given, results, free = answered(form)
        bits = form.destinations[0].bits
        widths = [p.bits if p.immediate is None else 32 for p in form.sources]
        rows = [k for k in range(len(results)) if free is None or not free[k]]
        alone = [[k] for k in rows]
        for chosen in (*alone, *(draw.sample(rows, draw.randint(2, 3)) for _ in range(200))):
            words = [
                joined(*(exactly(width, int(source[k])) for k in chosen))
                for source, width in zip(given, widths, strict=True)
            ]
            word = result_word(decode(form.opcode), words, bits)
            values = [int(results[k]) for k in chosen]
            assert all(holds(word, v) for v in values), (form.name, words, word, values)
            if len(chosen) == 1 and not is_left_open(form, words):
                assert word.constant == values[0], (form.name, words, word, values)


@pytest.mark.parametrize("opcode", ["cvt.u32", "cvt.u32.u16.u8", "cvt.u32.u32"])
def test_nothing_is_said_of_conversions_that_the_manual_does_not_have(opcode):
    """One or three types, and a second source: files may hold them, ptxas takes none."""
    sources = [exactly(32, 5)] * (2 if opcode == "cvt.u32.u32" else 1)
    assert result_word(decode(opcode), sources, 32) == anything(32)


OPEN = {
    "bfind": {"shiftamt"}, "mul24": {"hi"}, "mad24": {"hi"}, "bmsk": {"wrap"},
    "setp": {"and", "or", "xor"},
    "prmt": {"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"},
}  # fmt: skip
"""Modifiers with which nothing is said of results, beside saturation and carries."""


def is_left_open(form, words):
    """Whether nothing exact has to be said of constants: of quotients below zero, say."""
    if {"sat", "cc", "relu", *OPEN.get(form.operation, ())} & set(form.modifiers):
        return True
    below_zero = form.types[0][0] == "s" and not all(w.is_natural for w in words)
    if form.operation == "bfind":
        return words[0].constant == 0 or below_zero
    if form.operation in ("div", "rem"):
        return words[1].constant == 0 or below_zero
    if form.operation in ("mul24", "mad24"):
        return any(w.high >= 1 << 23 for w in words[:2])
    return False
