"""What was simulated: 500 random points for each of the paper's eleven workloads."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpmill.exploring.backends import PointWorkers
from warpmill.exploring.exploration import explore
from warpmill.exploring.options import Sampling
from warpmill.exploring.space_file import space_called
from warpmill.exploring.workloads import ExploredWorkload

SPACE = "stargazer"
STUDY = "benchmarks.stargazer"
PRESET = "paper-stargazer"
POINTS = 500
"""The repository of §7.3."""
SEED = 0
NAMES = {
    "aes-128": "AES", "bfs-gpgpusim": "BFS", "cp": "CP", "lps": "LPS", "ray": "RAY", "sto": "STO",
    "backprop": "backprop", "bfs": "bfs", "hotspot": "hotspot", "nw": "nw", "matmul": "matmul",
}  # fmt: skip
"""The paper's names (Table 4), by those of the workloads here."""
TAILED = "AES"
ADJUSTED = "AES-adj"
"""AES with the tail adjusted (§7.2)."""
WHOLE, WITHOUT_TAIL = "time_us", "adjusted_us"
DEFAULTS = {
    "#blk": 8, "c$": 8, "t$": 4, "smp": 2, "ccp": 2, "simd": 32, "mshr": 1, "dramq": 16,
    "intra": 8, "inter": 2,
}  # fmt: skip
"""The base machine's own values; its 5 KiB of texture cache are none of the space's."""


@dataclass(frozen=True)
class Series:
    """Samples of a workload: points, and what was measured at each (microseconds)."""

    name: str
    workload: str
    points: tuple
    measured: tuple

    def only(self, places):
        """Give some of the samples, by their places."""
        return [self.points[k] for k in places], [self.measured[k] for k in places]

    def fixed(self, **values):
        """The samples that have values of some parameters."""
        own = [k for k, point in enumerate(self.points) if values.items() <= point.items()]
        points, measured = self.only(own)
        return replace(self, points=tuple(points), measured=tuple(measured))


@dataclass(frozen=True)
class Simulated:
    """All series by the paper's names, with facts of each workload's simulations."""

    space: object
    series: dict
    facts: dict


def simulated(workloads, store, workers, told):
    """Simulate what is not known yet; all samples. SystemExit where a point cannot be."""
    space = space_called(SPACE)
    targets = [ExploredWorkload(f"{name}:{PRESET}") for name in workloads]
    found = explore(space, targets, Sampling(samples=POINTS, seed=SEED), store=store, study=STUDY,
                    backend=PointWorkers(workers), told=told)  # fmt: skip
    series, facts = {}, {}
    for name, one in zip(workloads, found.workloads, strict=True):
        problems = {sample.problem for sample in one.failures}
        if problems:
            raise SystemExit(f"{name}: {'; '.join(sorted(problems))}")
        called = NAMES[name]
        series[called] = _series(called, name, one, WHOLE)
        if called == TAILED:
            series[ADJUSTED] = _series(ADJUSTED, name, one, WITHOUT_TAIL)
        seconds = [sample.seconds for sample in one.measured]
        facts[called] = {
            "workload": name,
            "warp_instructions": one.measured[0].figures["warp_instructions"],
            "launches": one.measured[0].facts["launches"],
            "simulation_s": sum(seconds),
            "fastest_us": min(series[called].measured),
            "slowest_us": max(series[called].measured),
        }
    return Simulated(space, series, facts)


def _series(name, workload, found, figure):
    points, measured = found.with_figure(figure)
    return Series(name, workload, tuple(points), tuple(measured))
