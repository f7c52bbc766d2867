"""How far the order in which warps interleave moves IPC: TBPoint's Markov chain (§IV-A).

A warp that runs stalls with probability p at each instruction; one that is stalled wakes with
probability 1/M in each cycle, so that a stall takes M cycles on average. An SM issues one
instruction in each cycle in which any of its N warps can run, and loses the others: IPC is the
share of cycles in which not all are stalled. Everything here is modelled, nothing measured.

As warps do not wait for each other, the chain of 2^N states is N chains of two states side by side,
each of which is stalled for pM/(1 + pM) of the time. That gives the IPC of any N at once (``ipc``);
the chain as printed (``chain``) is there for small N, and gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import UsageError

Floats = npt.NDArray[np.float64]

MAX_CHAIN_WARPS = 10
"""A chain has 2^N states and its matrix 4^N entries: beyond these warps use ``ipc``."""

SAMPLES = 10_000
"""As many times the paper draws the stalls of all warps."""

DEVIATION = 0.1 / 1.96
"""Standard deviation of a warp's stall over the mean: 95 % of stalls are within 10 % of it."""

NEAR = 0.1
"""Lemma 4.1: the IPC of nearly all draws is nearer to the mean IPC than this share of it."""

LEMMA_SHARE = 0.95
"""Lemma 4.1: so many draws, at least, are that near."""

PERCENTILES = (0.0, 2.5, 25.0, 50.0, 75.0, 97.5, 100.0)


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """Equation 3 for given warps. A state's bits say who runs (1) and who is stalled (0).

    The first warp is the most significant bit: 6 of 4 warps is 0110, the second and third run.
    ``transitions`` has a row for each state before and a column for each after, ``steady`` is the
    share of cycles spent in each.
    """

    transitions: Floats
    steady: Floats

    @property
    def ipc(self) -> float:
        """Instructions a cycle: one, except where all warps are stalled."""
        return 1.0 - float(self.steady[0])


@dataclass(frozen=True)
class InterleavingPoint:
    """A point of Figure 5: stall probability, mean stall cycles and number of warps."""

    stall_probability: float
    stall_cycles: float
    warps: int

    @property
    def name(self) -> str:
        """Its name in Figure 5, such as p0.05M100N4."""
        return f"p{self.stall_probability:g}M{self.stall_cycles:g}N{self.warps}"


@dataclass(frozen=True)
class Variation:
    """The IPCs of a setting over random stalls of its warps.

    ``relative`` are IPCs over the mean IPC at ``PERCENTILES``, ``near`` is the share of samples
    whose IPC is less than 10 % from the mean. ``lengthened`` counts stalls that were drawn shorter
    than a cycle and set to one.
    """

    setting: InterleavingPoint
    samples: int
    mean_ipc: float
    relative: tuple[float, ...]
    near: float
    lengthened: int


@dataclass(frozen=True)
class Interleavings:
    """Figure 5: how IPC varies in each setting, with the seed that the stalls are drawn by."""

    seed: int
    variations: tuple[Variation, ...]

    @property
    def least_near(self) -> Variation:
        """The setting that has the fewest samples within 10 % of its mean IPC."""
        return min(self.variations, key=lambda each: each.near)

    @property
    def lemma_holds(self) -> bool:
        """Lemma 4.1: more than 95 % of the samples of each setting are within 10 %."""
        return self.least_near.near > LEMMA_SHARE


def _grid() -> tuple[InterleavingPoint, ...]:
    settings = product((0.05, 0.1, 0.2, 0.4), (100.0, 200.0, 400.0), (4, 8, 16, 32, 48))
    return tuple(InterleavingPoint(*each) for each in settings)


GRID = _grid()
"""Settings about the one that the paper's text names, p0.05M100N4; Figure 5's own are not in it.

Warps go up to the 48 of an SM of Fermi, stalls to the 400 cycles of the paper's example."""


def chain(stall_probability: float, stall_cycles: Sequence[float]) -> MarkovChain:
    """Make the chain of Equation 3 from p and the M of each warp, and let it settle.

    Example: at p = 0.1 a warp with M = 10 runs half of the time, so two have an IPC of 0.75.

    The matrix is the product of S(i, j) over warps that the paper prints, made as a Kronecker
    product. The steady state is the limit that it approaches from all warps running; it is solved
    for. UsageError for more than MAX_CHAIN_WARPS, for values that are no probability or shorter
    than a cycle, and where there is no limit: warps that stall and wake in turn, with p = M = 1.
    """
    stalls = _checked(stall_probability, stall_cycles)
    if len(stalls) > MAX_CHAIN_WARPS:
        words = f"a chain of {len(stalls)} warps has 2^{len(stalls)} states"
        raise UsageError(f"{words}: at most {MAX_CHAIN_WARPS} warps, or the closed form")
    if stall_probability == 1.0 and 1.0 in stalls:
        raise UsageError("warps that stall at each instruction for a cycle never settle")
    p = stall_probability
    each = [np.array([[1.0 - 1.0 / m, 1.0 / m], [p, 1.0 - p]]) for m in stalls]
    transitions = reduce(np.kron, each)
    return MarkovChain(transitions, _settled(transitions))


def _settled(transitions: Floats) -> Floats:
    """Solve V T = V with parts that sum to 1, which takes the place of one redundant equation."""
    equations = transitions.T - np.eye(len(transitions))
    equations[0] = 1.0
    return np.linalg.solve(equations, np.eye(len(transitions))[0])


def ipc(stall_probability: float, stall_cycles: Sequence[float]) -> float:
    """IPC of any number of warps from p and the M of each: 1 - Π pM/(1 + pM).

    UsageError for values that are no probability or shorter than a cycle.
    """
    stalls = _checked(stall_probability, stall_cycles)
    return float(_ipcs(stall_probability, stalls))


def _ipcs(p: float, stalls: Floats) -> Floats:
    """The IPC of each row of stalls."""
    ratio = p * stalls
    idle: Floats = np.prod(ratio / (1.0 + ratio), axis=-1)
    return 1.0 - idle


def variation(setting: InterleavingPoint, samples: int = SAMPLES, seed: int = 0) -> Variation:
    """Draw the stalls of all warps many times, from N(μ, 0.1 μ/1.96), and compare the IPCs.

    A stall that is drawn shorter than a cycle is set to one cycle, as 1/M is a probability; that
    happens only where the mean is a cycle or little more. The same seed gives the same stalls
    whichever other settings are drawn. UsageError as ``ipc``.
    """
    _checked(setting.stall_probability, [setting.stall_cycles] * setting.warps)
    if samples < 1:
        raise UsageError(f"{samples} samples tell nothing: at least 1")
    drawn = np.random.default_rng(seed).normal(
        setting.stall_cycles, DEVIATION * setting.stall_cycles, (samples, setting.warps)
    )
    ipcs = _ipcs(setting.stall_probability, np.maximum(drawn, 1.0))
    mean = float(ipcs.mean())
    relative = ipcs / mean
    return Variation(
        setting=setting,
        samples=samples,
        mean_ipc=mean,
        relative=tuple(np.percentile(relative, PERCENTILES).tolist()),
        near=float(np.mean(np.abs(relative - 1.0) < NEAR)),
        lengthened=int(np.count_nonzero(drawn < 1.0)),
    )


def interleavings(
    settings: Sequence[InterleavingPoint] = GRID, samples: int = SAMPLES, seed: int = 0
) -> Interleavings:
    """Draw each setting (Figure 5), by default those of ``GRID``. UsageError as ``variation``."""
    if not settings:
        raise UsageError("no setting of p, M and N is given")
    return Interleavings(seed, tuple(variation(each, samples, seed) for each in settings))


def _checked(stall_probability: float, stall_cycles: Sequence[float]) -> Floats:
    stalls = np.asarray(stall_cycles, dtype=np.float64)
    if not 0.0 <= stall_probability <= 1.0:
        raise UsageError(f"{stall_probability} is no probability of a stall: 0 to 1")
    if not stalls.size:
        raise UsageError("an SM without warps issues nothing: at least 1 warp")
    for stall in stalls[~((stalls >= 1.0) & np.isfinite(stalls))].tolist():
        raise UsageError(f"a stall cannot take {stall:g} cycles: at least 1")
    return stalls
