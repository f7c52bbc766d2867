"""Known bits, bounds and formulas of random word operations hold what the executor computes."""

import numpy as np
import pytest

from tests.reference.word_programs import GRID, THREADS, WordProgram
from warpmill.analyzer.analyses.access.warp_lanes import WarpLanes
from warpmill.analyzer.analyses.analyse import analyse_structure
from warpmill.analyzer.analyses.divergence.uniformity import Uniformity
from warpmill.analyzer.analyses.values.symbolic import number, substitute
from warpmill.analyzer.ir.kernel import Reg
from warpmill.analyzer.ir.types import OpClass


def stored(structure):
    """Block, number and register of each store, in order."""
    for block in structure.kernel.blocks:
        for index, instruction in enumerate(block.instructions):
            if instruction.operation.op_class is OpClass.STORE:
                (register,) = (s for s in instruction.sources if isinstance(s, Reg))
                yield block.id, index, register


@pytest.mark.parametrize("seed", range(3))
def test_words_hold_what_is_computed_in_loops_and_under_guards_too(seed):
    prepared, out = WordProgram(seed).run()
    structure = analyse_structure(prepared.kernel)
    for row, (block, index, register) in enumerate(stored(structure)):
        word = structure.ranges.of(structure.ssa.before[block][index][register.index])
        values = out[row].astype(np.int64)
        signed = np.where(values >> 31, values - (1 << 32), values)
        assert not (values & word.zeros).any() and not (~values & word.ones).any()
        assert word.low <= values.min() and values.max() <= word.high
        assert word.least <= signed.min() and signed.max() <= word.most


@pytest.mark.parametrize("seed", range(1000, 1003))
def test_formulas_are_worth_what_is_computed_as_long_as_nothing_may_overflow(seed):
    program = WordProgram(seed, is_tame=True)
    prepared, out = program.run()
    structure = analyse_structure(prepared.kernel)
    lanes = WarpLanes(program.block, 32, structure, Uniformity(structure))
    for row, (block, index, register) in enumerate(stored(structure)):
        word = structure.ranges.of(structure.ssa.before[block][index][register.index])
        if word.high >= 1 << 30:
            break
        formula = structure.values.of_operand(block, index, register)
        for cta in range(GRID):
            given = {"ctaid.x": cta}
            here = substitute(
                formula, lambda a, g=given: number(g[a.name]) if a.name in g else None
            )
            found = lanes._sum(here).reshape(-1)
            wanted = out[row, cta * THREADS : (cta + 1) * THREADS]
            assert ((found - wanted) & 0xFFFFFFFF == 0).all(), (program.made[row], str(formula))
