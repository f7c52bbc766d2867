"""Long formulas name the parts that recur; put back in, the names give the whole text."""

import random
import re

import pytest

from warpmill.analyzer.analyses.values.conditions import Combined, Compare, negated
from warpmill.analyzer.analyses.values.formula_text import LONGEST_WHOLE, FormulaTexts, parted
from warpmill.analyzer.analyses.values.symbolic import AtomKind, apply, number, symbol

NAMES = [symbol(AtomKind.ARGUMENT, n, i) for i, n in enumerate(("n", "e1", "blocks"))]


def whole(formula):
    """Write a formula as a tree, by its terms: what texts with names are held against."""
    if isinstance(formula, Compare):
        signs = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
        return f"{whole(formula.left)} {signs[formula.word]} {whole(formula.right)}"
    if isinstance(formula, Combined):
        return f"({whole(formula.first)}) {formula.word} ({whole(formula.second)})"
    words = []
    for monomial, factor in formula.terms:
        atoms = [
            f"{a.name}({', '.join(map(whole, a.operands))})" if a.operands else a.name
            for a in monomial
        ]
        if abs(factor) != 1 or not atoms:
            atoms.insert(0, str(abs(factor)))
        words += ["-" if factor < 0 else "+", "*".join(atoms)]
    text = " ".join(words) or "+ 0"
    return text[2:] if text[0] == "+" else f"-{text[2:]}"


def grown(rng, count):
    """The last of some values, each made of two before."""
    values = list(NAMES)
    for _ in range(count):
        a, b = rng.choice(values[-4:]), rng.choice(values[-4:])
        name = rng.choice(["xor", "and", "max", "floordiv", "+", "-", "*"])
        factor = number(rng.randint(1, 9))
        made = {"+": a + b * factor, "-": a - b, "*": a * factor}
        values.append(made[name] if name in made else apply(name, a, b + factor))
    return values[-1]


def put_back(text):
    """Replace each name by the part that it stands for, the last first."""
    formula, parts = parted(text)
    for part in reversed(parts):
        name, _, meant = part.partition(" = ")
        formula = re.sub(rf"(?<![\w.]){name}(?!\w)", lambda _, m=meant: m, formula)
    return formula


@pytest.mark.parametrize("seed", range(40))
def test_names_put_back_give_the_whole_text(seed):
    rng = random.Random(seed)
    formula = grown(rng, rng.randint(2, 14))
    if seed % 2:
        lower = Compare("lt", formula, grown(rng, 5))
        formula = Combined("or", Combined("and", lower, Compare("eq", *NAMES[:2])), negated(lower))
    text = whole(formula)
    assert formula.length == len(text)
    assert formula.beginning == text[:256]
    assert put_back(str(formula)) == text
    assert (parted(str(formula))[1] == ()) or len(text) > LONGEST_WHOLE


def test_a_name_of_the_kernel_is_given_to_no_part():
    value = apply("xor", NAMES[1], apply("rem", NAMES[0], NAMES[2]))
    for _ in range(6):
        value = apply("or", apply("xor", value, NAMES[1]), value * value)
    names = [part.partition(" = ")[0] for part in parted(str(value))[1]]
    assert names[:2] == ["e2", "e3"]


def test_formulas_shown_together_share_their_parts():
    value = NAMES[0]
    for level in range(30):
        value = apply("xor", value + number(level), value * NAMES[2])
    texts = FormulaTexts()
    first = texts.of(value)
    parts = dict(texts.parts)
    assert texts.of(value + number(1)).endswith("+ 1")
    assert (texts.of(value), texts.parts) == (first, parts)
    assert value.length > 2**30
    assert sum(map(len, parts.values())) < 2000
