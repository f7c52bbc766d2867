"""Whether two runs left the same in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.session.runs import Buffer

TOLERANCES = {"f64": 1e-9, "f32": 1e-4, "f16": 2e-2, "bf16": 1e-1}
"""How far two numbers may be apart, as a share of the number, or of the median of its buffer where
that is larger: sums in another order differ so much. Other elements must be equal."""

DIFFER = "its results differ"

_NUMPY = {"float64": "f64", "float32": "f32", "float16": "f16"}

_Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Verdict:
    """Verdict on a choice: ``same`` None where nobody knows.

    ``reason`` says why, or what differs, ``kind`` the same in few words that many choices share.
    ``apart`` is the largest difference of two numbers, as a share as ``TOLERANCES`` has it; 0 where
    nothing could be compared.
    """

    same: Annotated[bool | None, INTERNAL]
    kind: str | None = None
    reason: str | None = None
    apart: Annotated[float, INTERNAL] = 0.0

    @derived("Largest difference", "%")
    def difference_fraction(self) -> float | None:
        """How far numbers are apart at most, as a share of the number or of its buffer's median.

        Null where nothing was compared or one of them is not finite.
        """
        return self.apart if self.same is not None and math.isfinite(self.apart) else None


def compared(expected: tuple[Buffer, ...], found: tuple[Buffer, ...]) -> Verdict:
    """Compare buffers by their places: of variants, parameters may have other names."""
    if len(expected) != len(found):
        words = f"it has {len(found)} buffers, the default {len(expected)}"
        return Verdict(None, "it has other buffers", words)
    apart = 0.0
    for wanted, own in zip(expected, found, strict=True):
        if (wanted.element, wanted.values.shape) != (own.element, own.values.shape):
            words = f"{own.name} is {_shape(own)}, of the default {_shape(wanted)}"
            return Verdict(None, "it has buffers of another shape", words)
        verdict = _compared(wanted, own)
        if not verdict.same:
            return verdict
        apart = max(apart, verdict.apart)
    return Verdict(True, apart=apart)


def _shape(buffer: Buffer) -> str:
    return f"{buffer.element} of {' x '.join(map(str, buffer.values.shape))}"


def _compared(wanted: Buffer, own: Buffer) -> Verdict:
    if wanted.sha256 == own.sha256:
        return Verdict(True)
    most = TOLERANCES.get(_NUMPY.get(wanted.element, wanted.element))
    if most is None:
        left, right = wanted.values.ravel(), own.values.ravel()
        return _differing(wanted, np.flatnonzero(left != right), left, right)
    left, right = _numbers(wanted), _numbers(own)
    share = _shares(left, right)
    wrong = np.flatnonzero(share > most)
    return _differing(wanted, wrong, left, right, float(share.max(initial=0.0)))


def _differing(
    wanted: Buffer, places: npt.NDArray[Any], left: Any, right: Any, apart: float = 0.0
) -> Verdict:
    if not places.size:
        return Verdict(True, apart=apart)
    words = f"{places.size:,} of {left.size:,} elements of {wanted.name} differ"
    first = places[0]
    values = f"{_value(right[first])}, not {_value(left[first])}"
    return Verdict(False, DIFFER, f"{words}, the first at {first:,}: {values}", apart)


def _value(number: Any) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)


def _shares(left: _Numbers, right: _Numbers) -> _Numbers:
    """How far numbers are apart; infinity where one of two is no finite number.

    What is no number in both is alike, and so are infinities of one sign.
    """
    finite = np.isfinite(left) & np.isfinite(right)
    alike = (left == right) | (np.isnan(left) & np.isnan(right))
    there = np.abs(left[np.isfinite(left) & (left != 0)])
    scale = np.maximum(np.abs(left), np.median(there) if there.size else 0.0)
    share = np.full(left.shape, np.inf)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        np.divide(np.abs(left - right), scale, out=share, where=finite & (scale > 0))
    share[alike] = 0.0
    return share


def _numbers(buffer: Buffer) -> _Numbers:
    """Elements as numbers; bf16 are kept as their bits, the upper half of an f32's."""
    values: npt.NDArray[Any] = buffer.values.ravel()
    if buffer.element == "bf16":
        values = (values.astype(np.uint32) << 16).view(np.float32)
    return values.astype(np.float64)
