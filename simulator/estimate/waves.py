"""How the CTAs of a launch come to the SMs: full waves, and what is left for the last one.

Hybrid paper, §IV-B, Equation 8 takes every SM to run ⌈CTAs / SMs⌉ CTAs in rounds that may be
fractions; hardware hands out whole CTAs, and the last wave takes as long as its CTAs do.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from warpmill.analyzer.base.linear import number_of, place_of, places_of

Triple = tuple[int, int, int]


@dataclass(frozen=True)
class Waves:
    """CTAs of a launch on ``sms`` SMs of which each holds ``per_sm`` at once."""

    grid: Triple
    sms: int
    per_sm: int

    @property
    def ctas(self) -> int:
        """CTAs of the launch."""
        x, y, z = self.grid
        return x * y * z

    @property
    def size(self) -> int:
        """CTAs of a full wave."""
        return self.sms * self.per_sm

    @property
    def full(self) -> int:
        """Waves that fill the GPU."""
        return self.ctas // self.size

    @property
    def rest(self) -> int:
        """CTAs of the last wave, where it does not fill the GPU."""
        return self.ctas % self.size

    @property
    def rest_per_sm(self) -> int:
        """CTAs of the last wave on the SMs that have the most of them."""
        return -(-self.rest // self.sms)

    @property
    def rest_sms(self) -> int:
        """SMs that have CTAs of the last wave."""
        return min(self.rest, self.sms)

    @property
    def active_sms(self) -> int:
        """SMs that have CTAs at all."""
        return min(self.ctas, self.sms)

    @property
    def most_per_sm(self) -> int:
        """CTAs that an SM runs in all (Equation 8)."""
        return -(-self.ctas // self.sms)

    def of_sm(self, wave: int, count: int, active: int | None = None) -> tuple[Triple, ...]:
        """Give ``count`` CTAs that an SM in the middle runs from a wave on.

        CTAs go to SMs in turn, so those of one SM are as far apart as there are SMs.
        """
        step = active or self.active_sms
        start = min(wave * self.size, max(0, self.ctas - count * step)) + step // 2
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self._cta(max(0, i)) for i in ids)

    def beside(self, number: int, before: int, count: int) -> tuple[Triple, ...]:
        """Give ``count`` CTAs that the SM of a CTA runs, from ``before`` waves before it on.

        ``number`` is the CTA's (see ``number``); it is the first of its wave there.
        """
        step = self.active_sms
        wave, place = divmod(number, self.size)
        start = max(0, wave - before) * self.size + place % step
        start = max(place % step, min(start, self.ctas - 1 - (count - 1) * step))
        ids = (min(start + k * step, self.ctas - 1 - (count - 1 - k)) for k in range(count))
        return tuple(self._cta(max(0, i)) for i in ids)

    def wave_of(self, number: int | None) -> int:
        """Give the wave that a CTA runs in; without one, that in the middle."""
        return self.full // 2 if number is None else number // self.size

    def number(self, cta: Triple) -> int:
        """Give a CTA's number in the order in which they go to SMs."""
        return number_of(cta, self.grid)

    def of_wave(self, wave: int, most: int) -> tuple[Triple, ...]:
        """Give the CTAs of a wave on all SMs, at most so many."""
        start = wave * self.size
        end = min(self.ctas, start + min(self.size, most))
        return places_of(np.arange(start, end), self.grid)

    def _cta(self, index: int) -> Triple:
        return place_of(index, self.grid)
