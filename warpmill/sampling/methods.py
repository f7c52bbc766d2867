"""The methods of sampling behind one name each: what they choose of an application's launches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.sampling.warming import WARM_UPS
from warpmill.simulator.sampling.baselines import (
    PER_STRATUM,
    SHARE,
    by_blocks,
    counted_off,
    drawn,
    stratified,
)
from warpmill.simulator.sampling.gtpin import explore, select, under_threshold
from warpmill.simulator.sampling.gtpin_features import FEATURES, FeatureVectors, launch_vectors
from warpmill.simulator.sampling.gtpin_intervals import DIVISIONS
from warpmill.simulator.sampling.model import LaunchCounts, Selection, units_of_launches
from warpmill.simulator.sampling.region_runs import STABILITIES
from warpmill.simulator.sampling.tbpoint_launches import METHOD as INTER
from warpmill.simulator.sampling.tbpoint_launches import inter_features, inter_launch

Floats = npt.NDArray[np.float64]

METHODS = ("tbpoint", "gtpin", "simpoint", "stratified", "systematic", "random")
BY_CTA = frozenset({"tbpoint"})
"""Methods that look at what each CTA executes, and pass CTAs over inside of launches."""
GROWING = frozenset({"stratified", "systematic", "random"})
"""Methods that meet a target error by measuring more units until their interval is as narrow."""
BY_TIMES = frozenset({"gtpin"})
"""Methods that meet a target error by an estimated time of each launch."""
DIVISION, FEATURE = "sync", "BB"
"""GT-Pin's best universal combination (§V-B)."""


@dataclass(frozen=True)
class SampleOptions:
    """How launches are chosen. ``share`` is that of random and systematic sampling.

    ``per_stratum`` is how many launches of a stratum stratified sampling measures. ``division`` and
    ``feature`` are GT-Pin's, by the words of Tables II and III. ``target_error`` is in percent: of
    GT-Pin the smallest selection is taken whose error by estimated times is no larger; random,
    systematic and stratified sampling measure more until half of the 95 % interval is no larger.
    ``inside`` lets TBPoint pass over CTAs inside of the launches that are simulated, whatever chose
    them; None: where the method is TBPoint's own. ``stability`` names the rule of ``STABILITIES``
    by which that begins. ``warm_up`` is how many launches before a chosen one are simulated too, at
    most; None: none with TBPoint's own method, else ``WARM_UPS``.
    """

    method: str = "tbpoint"
    share: float = SHARE
    per_stratum: int = PER_STRATUM
    division: str = DIVISION
    feature: str = FEATURE
    target_error: float | None = None
    inside: bool | None = None
    stability: str = "steady"
    warm_up: int | None = None
    seed: int = 0

    @property
    def passes_over(self) -> bool:
        """Whether CTAs are passed over inside of launches."""
        return self.method in BY_CTA if self.inside is None else self.inside

    @property
    def warm_ups(self) -> int:
        """How many launches before a chosen one are simulated too, at most."""
        if self.warm_up is not None:
            return self.warm_up
        return 0 if self.method in BY_CTA else WARM_UPS

    @property
    def needs_ctas(self) -> bool:
        """Whether it must be known what each CTA executes."""
        return self.method in BY_CTA or self.passes_over


@dataclass(frozen=True, eq=False)
class Chosen:
    """What was chosen; ``features`` has a row for each unit, of what made units alike, if any.

    ``expected_error`` is in percent, by the estimated times that it was chosen by; None: by none.
    """

    selection: Selection
    features: Floats | None
    expected_error: float | None = None


def choose(
    launches: Sequence[LaunchCounts],
    options: SampleOptions,
    estimated: Callable[[], Sequence[float]] | None = None,
) -> Chosen:
    """Choose what to simulate. ``estimated`` gives a time for each launch where one is needed.

    UsageError as ``check_options``, where nothing is executed, and for GT-Pin with a target error
    without ``estimated``. The other methods' target errors are met by whoever simulates.
    """
    check_options(options)
    if not sum(each.warp_instructions for each in launches):
        raise UsageError("the launches execute nothing, so there is nothing to sample")
    return _CHOICES[options.method](launches, options, estimated)


def check_options(options: SampleOptions) -> None:
    """Refuse an unknown method, division or feature, and a share or target error that is none.

    UsageError.
    """
    for what, word, there in (
        ("method", options.method, METHODS),
        ("division into intervals", options.division, tuple(DIVISIONS)),
        ("feature vector", options.feature, tuple(FEATURES)),
        ("rule of stability", options.stability, tuple(STABILITIES)),
    ):
        if word not in there:
            raise UsageError(f"there is no {what} `{word}`: {', '.join(there)}")
    if not 0.0 < options.share <= 1.0:
        raise UsageError(f"a share of {options.share * 100:.6g}%: it is above 0%, up to 100%")
    if options.warm_up is not None and options.warm_up < 0:
        raise UsageError(f"{options.warm_up} launches to warm up with: 0 or more")
    if options.target_error is None:
        return
    if not options.target_error > 0:
        raise UsageError(f"a target error of {options.target_error:g}%: it is more than 0")
    if options.method not in GROWING | BY_TIMES:
        able = ", ".join(method for method in METHODS if method in GROWING | BY_TIMES)
        words = f"{options.method} takes no target error, as its thresholds say what it chooses"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=f"methods that take one: {able}"))


def features_of(launches: Sequence[LaunchCounts], selection: Selection) -> Floats | None:
    """Give what made the units of a selection alike, a row for each; None: its method has nothing.

    The launches are those that it was made of, or others that are equal.
    """
    if selection.method == INTER:
        return _inter_features(launches)
    if selection.method in ("gtpin", "simpoint"):
        return _frequencies(unit_features(launches, selection))
    return None


def unit_features(launches: Sequence[LaunchCounts], selection: Selection) -> FeatureVectors:
    """Count the keys of each unit: GT-Pin's by its feature, else what basic blocks execute."""
    feature = dict(selection.options).get("feature", "BB")
    return launch_vectors(launches, feature).of_units(selection.units)


_Times = Callable[[], Sequence[float]] | None


def _tbpoint(launches: Sequence[LaunchCounts], _: SampleOptions, __: _Times) -> Chosen:
    selection = inter_launch(launches)
    return Chosen(selection, features_of(launches, selection))


def _inter_features(launches: Sequence[LaunchCounts]) -> Floats:
    """Give the features of all launches; those of different kernels are as far apart as they are.

    Columns are those that any kernel has, 0 where a kernel has none.
    """
    names: dict[str, int] = {}
    rows: dict[int, dict[str, float]] = {}
    kernels: dict[int, list[int]] = {}
    for place, one in enumerate(launches):
        kernels.setdefault(id(one.profile.kernel), []).append(place)
    for places in kernels.values():
        found = inter_features([launches[k] for k in places])
        for place, values in zip(places, found.values.tolist(), strict=True):
            rows[place] = dict(zip(found.names, values, strict=True))
            for name in found.names:
                names.setdefault(name, len(names))
    made = np.zeros((len(launches), len(names)))
    for place, row in rows.items():
        for name, value in row.items():
            made[place, names[name]] = value
    return made


def _gtpin(launches: Sequence[LaunchCounts], options: SampleOptions, times: _Times) -> Chosen:
    if options.target_error is None:
        selection = select(launches, options.division, options.feature, seed=options.seed)
        return Chosen(selection, features_of(launches, selection))
    if times is None:
        raise UsageError("GT-Pin's selection under an error needs a time of each launch")
    every = explore(launches, list(times()), seed=options.seed)
    best = under_threshold(every, options.target_error)
    return Chosen(best.selection, features_of(launches, best.selection), best.error)


def _frequencies(vectors: FeatureVectors) -> Floats:
    """Give the share that each key has of a unit."""
    sums = vectors.counts.sum(axis=1, keepdims=True)
    shares: Floats = vectors.counts / np.where(sums > 0, sums, 1.0)
    return shares


def _simpoint(launches: Sequence[LaunchCounts], options: SampleOptions, _: _Times) -> Chosen:
    units = units_of_launches(launches)
    vectors = launch_vectors(launches, "BB").of_units(units)
    dense = _frequencies(vectors)
    return Chosen(by_blocks(units, dense, seed=options.seed), dense)


def _stratified(launches: Sequence[LaunchCounts], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(stratified(launches, per_stratum=options.per_stratum), None)


def _systematic(launches: Sequence[LaunchCounts], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(counted_off(units_of_launches(launches), options.share, options.seed), None)


def _random(launches: Sequence[LaunchCounts], options: SampleOptions, _: _Times) -> Chosen:
    return Chosen(drawn(units_of_launches(launches), options.share, options.seed), None)


_CHOICES: Mapping[str, Callable[[Sequence[LaunchCounts], SampleOptions, _Times], Chosen]] = {
    "tbpoint": _tbpoint,
    "gtpin": _gtpin,
    "simpoint": _simpoint,
    "stratified": _stratified,
    "systematic": _systematic,
    "random": _random,
}
