"""The engines that times are predicted by, by name."""

from __future__ import annotations

from collections.abc import Callable

from benchmarks.accuracy_parts.model import Case, Compiled, Prediction

Predict = Callable[[Case, Compiled], Prediction]


FULL = "simulate in full"


def engine(name: str) -> Predict:
    """What predicts a case. KeyError for an unknown name."""
    if name == "estimate":
        from benchmarks.accuracy_parts import estimating  # noqa: PLC0415 - numba is slow to load

        return estimating.estimated
    from benchmarks.accuracy_parts import simulating  # noqa: PLC0415 - what estimates do not need

    return {"simulate": simulating.simulated, FULL: simulating.simulated_in_full}[name]
