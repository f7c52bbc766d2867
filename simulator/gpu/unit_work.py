"""What units of a whole GPU did in a simulation: how long pipes were held, operations by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.ir.kernel import Kernel
from warpmill.simulator.estimate.shares import KINDS, operations_of
from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.code import Code
from warpmill.simulator.gpu.result import OperationsResult, UnitResult
from warpmill.simulator.gpu.spec import Spec

Numbers = npt.NDArray[np.int64]


def units(code: Code, rows: Numbers, spec: Spec, cycles: int) -> tuple[UnitResult, ...]:
    """How long instructions held each pipe, and loads the load-store unit.

    ``rows`` are the counts of each row of the code. Two pipes that do the same for some
    instructions stand together too: which one each took is not counted.
    """
    table = code.rows.reshape(-1, f.CODE_FIELDS)
    held: Counter[tuple[str, ...]] = Counter()
    longest: dict[tuple[str, ...], int] = {}
    for row in np.flatnonzero(rows[:, f.RC_ISSUES]).tolist():
        own, ticks = table[row], int(table[row, f.R_TICKS])
        pipes, times = _pipes(own, code.pipes), int(rows[row, f.RC_ISSUES])
        if own[f.R_KIND] == f.K_MEMORY and own[f.R_SPACE] in _OF_LSU:
            pipes, times = ("load-store unit",), int(rows[row, f.RC_COMPLETED])
            ticks = spec.numbers[f.LSU_TICKS]
        if pipes and ticks:
            held[pipes] += times * ticks
            longest[pipes] = max(longest.get(pipes, 0), ticks)
    return tuple(
        _unit(pipes, held, longest, spec, cycles)
        for pipes in sorted(held, key=lambda p: (len(p), p))
    )


_OF_LSU = (f.S_SHARED, f.S_LOCAL, f.S_GLOBAL)
_OF_SM = " of the SM"


def _pipes(row: Numbers, names: Sequence[str]) -> tuple[str, ...]:
    """The pipes that take an instruction: none, one, or either of two."""
    found = [names[pipe] for pipe in (row[f.R_PIPE], row[f.R_ALSO]) if pipe >= 0]
    if row[f.R_OF_SM] != 0:
        return (f"{found[0]} pipe{_OF_SM}",)
    return tuple(sorted(f"{name} pipe" for name in found))


def _unit(
    pipes: tuple[str, ...],
    held: Counter[tuple[str, ...]],
    longest: dict[tuple[str, ...], int],
    spec: Spec,
    cycles: int,
) -> UnitResult:
    """What of some pipes, or of one, is known to be theirs alone."""
    whole = pipes[0].endswith(_OF_SM) or pipes[0] == "load-store unit"
    number = spec.numbers[f.SMS] * (1 if whole else spec.numbers[f.PARTS]) * len(pipes)
    own = [each for each in held if set(each) <= set(pipes)]
    last = max(longest[each] for each in own) * _waiting(spec, whole)
    time = max(1, cycles) * f.TICKS
    return UnitResult(
        " or ".join(pipes), sum(held[each] for each in own) / number / time, last / time
    )


def _waiting(spec: Spec, whole: bool) -> int:
    """Instructions that a unit may have taken and not ended when the last warp ends."""
    if spec.numbers[f.PIPES_HOLD]:
        return spec.numbers[f.PARTS] + 1 if whole else 1
    each = spec.numbers[f.COLLECTORS] * spec.numbers[f.SCHEDULERS]
    return each if whole else -(-each // spec.numbers[f.PARTS])


def operations(
    kernels: Sequence[Kernel], places: Sequence[tuple[int, int, int]], rows: Numbers, warp_size: int
) -> tuple[OperationsResult, ...]:
    """Floating-point operations of threads by kind (``shares.KINDS``), of lanes that are on."""
    found = dict.fromkeys(KINDS, 0.0)
    most = dict.fromkeys(KINDS, 0.0)
    for row in np.flatnonzero(rows[:, f.RC_ISSUES]).tolist():
        kernel, block, instruction = places[row]
        operation = kernels[kernel].blocks[block].instructions[instruction].operation
        kind, each = operations_of(operation, warp_size)
        found[kind] += each * int(rows[row, f.RC_LANES])
        most[kind] = max(most[kind], each * warp_size)
    return tuple(OperationsResult(kind, found[kind], most[kind]) for kind in KINDS if found[kind])
