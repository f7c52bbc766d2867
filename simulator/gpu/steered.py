"""A simulation that is watched and steered: stopped where CTAs end, and told what to pass over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from warpmill.simulator.gpu import fields as f
from warpmill.simulator.gpu.pool import Numbers
from warpmill.simulator.gpu.simulate import Simulation

_PIECES = 50
"""A stretch has no more than one part in so many too much."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """A part of a simulation: what was issued between two cycles, by rows of the code too.

    A row of the code is an instruction of a kernel; ``issues`` counts those by warps.
    """

    begin_cycle: int
    end_cycle: int
    warp_instructions: int
    issues: Numbers


class Steered(Simulation):
    """Launches one after another, whose CTAs to come may be passed over.

    What is passed over is not simulated; where later CTAs may depend on what it does to memory it
    is executed all the same, when their traces are made.
    """

    def begin_next(self) -> bool:
        """Let the next launch begin, whose predecessor has ended; gives whether there is one."""
        assert self.armed == 0 or self.counts[-1].launches == self.armed, "the last one runs"
        if self.armed == len(self.works):
            return False
        self._begin_group()
        return True

    def run_to_end_of(self, launch: int, cta: int) -> bool:
        """Go on until a CTA has ended, about; gives whether its launch goes on. Errors as ``run``.

        False: the launch has ended.
        """
        words = self.state.words
        words[f.G_WATCH] = self.state.number(f.AT_CTA_LOG) + self._log(launch, cta) * f.LOG_FIELDS
        try:
            return self.run_group() == f.RUN_PAUSED
        finally:
            words[f.G_WATCH] = 0

    def stretches(self, warp_instructions: int) -> Iterator[Stretch]:
        """Run to the end, in parts of about so many warp instructions; the last may have fewer.

        Errors as ``run``.
        """
        begin, issued, rows = 0, 0, self._issues()
        while True:
            done = self._run_on(issued + warp_instructions, warp_instructions // _PIECES)
            now, total, of_rows = self.reached, self.issued(), self._issues()
            if total > issued:
                yield Stretch(begin, now, total - issued, of_rows - rows)
            if done:
                return
            begin, issued, rows = now, total, of_rows

    def _run_on(self, issued: int, least: int) -> bool:
        """Go on until so many instructions have been issued in all; whether all is over.

        In pieces in which no more can be issued than are left, or ``least`` where fewer are: rates
        change by orders of magnitude from one piece to the next, and tell nothing ahead.
        """
        a_cycle = self.spec.numbers[f.SMS] * self.spec.numbers[f.SCHEDULERS]
        a_cycle *= self.spec.numbers[f.ISSUE_WIDTH]
        while (left := issued - self.issued()) > 0:
            cycles = max(1, max(left, least) // a_cycle)
            if self.run(self.reached + cycles) == f.RUN_DONE:
                return True
        return False

    def issued(self) -> int:
        """Give the warp instructions that were issued on all SMs up to the cycle reached."""
        counts = self.state.part(f.AT_SM_COUNT, self.state.number(f.SMS), f.SM_COUNTS)
        return int(counts[:, f.N_WARP_INSTRUCTIONS].sum())

    def _issues(self) -> Numbers:
        rows = self.state.part(f.AT_ROW_COUNT, self.state.number(f.ROWS), f.ROW_COUNTS)
        found: Numbers = rows[:, f.RC_ISSUES].copy()
        return found

    def pass_over(self, launch: int, end: int) -> int:
        """Pass over the CTAs of a launch that have not begun, up to before ``end``; gives that.

        Where no CTA runs, the last one is kept, as a launch ends with a CTA.
        """
        row = self._row(launch)
        first, every = int(row[f.LA_NEXT]), int(row[f.LA_CTAS])
        if end == every and row[f.LA_DONE] == first:
            end -= 1
        if end <= first:
            return first
        row[f.LA_NEXT] = end
        row[f.LA_DONE] += end - first
        self.state.words[f.G_WAITING] -= end - first
        feed = self._feeds[launch]
        feed.order.next = max(feed.order.next, end)
        if launch in self.pool.windows:
            self.pool.drop_begun(launch, min(end, feed.loaded), int(row[f.LA_WARPS]))
        feed.loaded = max(feed.loaded, end)
        self.refresh()
        row[f.LA_LOADED] = feed.loaded
        return end

    def resident(self, launch: int) -> int:
        """Give how many CTAs of a launch the machine holds at once: the system occupancy."""
        return self.occupancies[launch].blocks_per_sm * self.machine.integer("sm.count")

    def dispatched(self, launch: int) -> int:
        """Give how many CTAs of a launch have begun or were passed over: the number of the next."""
        return int(self._row(launch)[f.LA_NEXT])

    def alive(self, launch: int) -> Numbers:
        """Give the CTAs of a launch that run, ascending."""
        log = self._lives(launch)
        there = log[:, f.CL_LAUNCH] > 0
        return np.flatnonzero(there & (log[:, f.CL_END] == f.NEVER))

    def life(self, launch: int, cta: int) -> tuple[int, int]:
        """Give when a CTA has begun and ended."""
        row = self._lives(launch)[cta]
        return int(row[f.CL_BEGIN]), int(row[f.CL_END])

    def first_begun(self, launch: int, cycle: int) -> int:
        """Give the first CTA of a launch that has begun at a cycle or later; else the next one."""
        log = self._lives(launch)
        begun = (log[:, f.CL_LAUNCH] > 0) & (log[:, f.CL_BEGIN] >= cycle)
        found = np.flatnonzero(begun)
        return int(found[0]) if len(found) else self.dispatched(launch)

    def span(self, launch: int) -> tuple[int, int]:
        """Give the cycles at which a launch began and ended."""
        row = self._row(launch)
        return int(row[f.LA_BEGIN]), int(row[f.LA_END])

    def _row(self, launch: int) -> Numbers:
        row: Numbers = self.state.part(f.AT_LAUNCH, len(self.works), f.LAUNCH_FIELDS)[launch]
        return row

    def _log(self, launch: int, cta: int) -> int:
        return int(self._row(launch)[f.LA_LOG]) + cta

    def _lives(self, launch: int) -> Numbers:
        """Give the log of a launch's CTAs up to the next one that will begin."""
        first = self._log(launch, 0)
        kept = self.state.part(f.AT_CTA_LOG, self.state.number(f.CTA_LOG), f.LOG_FIELDS)
        rows: Numbers = kept[first : first + self.dispatched(launch)]
        return rows
