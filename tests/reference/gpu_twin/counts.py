"""What is counted, by the names that ``records`` gives to counts."""

from __future__ import annotations

from collections import Counter, defaultdict

from warpmill.simulator.gpu import constants as c

DOUBLINGS_OF_BINS = 2


class Counts:
    """Counts by SM, slice, channel and instruction, latencies, and what happened in which cycle."""

    def __init__(self) -> None:
        self.sms: dict[int, Counter[str]] = defaultdict(Counter)
        self.slices: dict[int, Counter[str]] = defaultdict(Counter)
        self.channels: dict[int, Counter[str]] = defaultdict(Counter)
        self.rows: dict[int, Counter[str]] = defaultdict(Counter)
        self.stalls: dict[int, Counter[int]] = defaultdict(Counter)
        self.latencies: dict[int, Counter[int]] = defaultdict(Counter)
        self.times: dict[str, Counter[int]] = defaultdict(Counter)

    def stall(self, row: int, reason: int, cycles: int) -> None:
        """Count cycles in which a warp stood before an instruction."""
        self.stalls[row][reason] += cycles

    def writeback(self, row: int, latency: int) -> None:
        """Count an access that has come back."""
        self.rows[row]["latency_cycles"] += latency
        self.rows[row]["completed"] += 1
        self.latencies[row][bin_of(latency)] += 1

    def in_bins(self, what: str, width: int) -> Counter[int]:
        """What happened by bins of so many cycles."""
        bins: Counter[int] = Counter()
        for time, number in self.times[what].items():
            bins[time // width] += number
        return bins


def bin_of(latency: int) -> int:
    """A latency's bin: 1 begins at 2, 2 at 3, 3 at 4, 4 at 6, 5 at 8, 6 at 12, and so on."""
    number, begin, step = 0, 2, 1
    while latency >= begin and number < c.HISTOGRAM - 1:
        number += 1
        begin += step
        if number % DOUBLINGS_OF_BINS == 0:
            step *= 2
    return number
