"""What a symbolic formula is worth, in plain Python, opcodes that it keeps included."""

from warpmill.analyzer.analyses.values.symbolic import FOLDS, AtomKind

OPERATIONS = {
    "selp": lambda a, b, chosen: a if chosen else b,
    "not": lambda a: not a,  # of predicates; of numbers it is a subtraction
    "abs": abs,
}
WORDS = {
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b,
}  # fmt: skip


def compute(formula, leaf):
    """Compute a formula; ``leaf`` gives the value of an atom from the values of its operands."""
    total = 0
    for monomial, factor in formula.terms:
        product = factor
        for atom in monomial:
            product *= _value(atom, leaf)
        total += product
    return total


def _value(atom, leaf):
    operands = [compute(operand, leaf) for operand in atom.operands]
    if atom.kind is not AtomKind.OPERATION or atom.key >= 0:
        return leaf(atom, operands)
    if atom.name in FOLDS:
        return FOLDS[atom.name](*operands)
    first, *words = atom.name.split(".")
    return WORDS[words[0]](*operands) if first == "setp" else OPERATIONS[first](*operands)
