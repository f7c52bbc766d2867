"""How fast an estimate is beside a simulation of the whole GPU: Table V of the hybrid paper.

Each of the paper's six applications is estimated and simulated on each machine, in a process of its
own, where the engines have done the same with a tiny input before. Ratios are of CPU seconds.
Programs that GPGPU-Sim was timed on, on another computer, stand beside both engines too.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from operator import attrgetter
from pathlib import Path
from statistics import geometric_mean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ENGINE_TABLES, Benchmark, Goal
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

PRESET, QUICK_PRESET = "paper-hybrid", "small"
MACHINES = ("quadro_k620", "gtx480_gpgpusim", "v100")
"""The GPU of the paper's Figure 3, GPGPU-Sim's own of the paper's years, a large one."""
ROUNDS = 3
"""How often one launch is asked for; all launches are asked for once."""
TABLE_V = Path(__file__).with_name("table_v.toml")


class PaperTimes(Part):
    """A row of Table V as printed: seconds of GPGPU-Sim and of the framework, one over the other.

    ``kernels`` are those whose times of Table IV add up to ``framework_s``, by the names that the
    workload gives them; none for the mean.
    """

    gpgpusim_s: Annotated[float, Metric("GPGPU-Sim, paper", "s")]
    framework_s: Annotated[float, Metric("framework, paper", "s")]
    speedup: Annotated[float, Metric("ratio, paper", "x")]
    kernels: tuple[str, ...] = ()


@cache
def table_v() -> tuple[Mapping[str, PaperTimes], PaperTimes]:
    """The applications' rows by name, and the row of geometric means, as they are printed."""
    read = tomllib.loads(TABLE_V.read_text("utf-8"))
    rows = {name: _printed(row) for name, row in read["application"].items()}
    return rows, _printed(read["mean"])


def _printed(row: Mapping[str, Any]) -> PaperTimes:
    return PaperTimes(
        gpgpusim_s=row["gpgpusim_ms"] / 1e3,
        framework_s=row["framework_ms"] / 1e3,
        speedup=row["speedup"],
        kernels=tuple(row.get("kernels", ())),
    )


class Asked(Part):
    """What an engine took, and the time it predicts."""

    cpu_s: Annotated[float, Metric("CPU time", "s")]
    time_us: Annotated[float, Metric("predicted", "µs")]


class Compared(Part):
    """Both engines, asked for the same."""

    estimate: Asked
    simulate: Asked

    @derived("ratio", "x")
    def ratio(self) -> float:
        """Seconds of the simulation over those of the estimate."""
        return self.simulate.cpu_s / self.estimate.cpu_s

    @derived("estimated over simulated time", "x")
    def time_ratio(self) -> float:
        """Of the predicted times."""
        return self.estimate.time_us / self.simulate.time_us


class OneLaunch(Compared):
    """A launch that was asked for alone: that of its kernel which executes most."""

    kernel: Annotated[str, Metric("kernel")]
    launch: Annotated[int, Metric("launch")]


class Application(Compared):
    """All launches of an application on a machine; ``load`` is that of the computer."""

    workload: Annotated[str, Metric("application")]
    machine: Annotated[str, Metric("machine")]
    launches: Annotated[int, Metric("launches")]
    warp_instructions: Annotated[int | None, Metric("warp instructions")]
    host_s: Annotated[float, Metric("host program", "s")]
    load: float
    kernels: tuple[OneLaunch, ...]

    @derived("estimate, each kernel once", "s")
    def once_s(self) -> float:
        """Seconds of the estimates of one launch of each kernel."""
        return sum(one.estimate.cpu_s for one in self.kernels)

    @derived("ratio, each kernel once", "x")
    def once(self) -> float:
        """The simulation of all launches over these, which is what the paper's table has."""
        return self.simulate.cpu_s / self.once_s

    @derived("ratio, launch by launch", "x")
    def alone(self) -> float:
        """The simulation of those launches alone over their estimates."""
        return sum(one.simulate.cpu_s for one in self.kernels) / self.once_s


class Means(Part):
    """Geometric means over the applications on a machine."""

    machine: Annotated[str, Metric("machine")]
    once: Annotated[float, Metric("each kernel once", "x")]
    every: Annotated[float, Metric("all launches", "x")]
    alone: Annotated[float, Metric("launch by launch", "x")]
    simulate_s: Annotated[float, Metric("simulate", "s")]
    estimate_s: Annotated[float, Metric("estimate, all launches", "s")]
    once_s: Annotated[float, Metric("estimate, each kernel once", "s")]
    time_ratio: Annotated[float, Metric("estimated over simulated time", "x")]


class BesidePaper(PaperTimes):
    """A row of Table V with the same here; ``at_rate_s``: GPGPU-Sim at its median rate."""

    workload: Annotated[str, Metric("application")]
    simulate_s: Annotated[float, Metric("simulate", "s")]
    once_s: Annotated[float, Metric("estimate, each kernel once", "s")]
    once: Annotated[float, Metric("ratio", "x")]
    at_rate_s: Annotated[float | None, Metric("GPGPU-Sim at its median rate", "s")]


class Program(Part):
    """A program that GPGPU-Sim was timed on, all its launches together."""

    program: Annotated[str, Metric("program")]
    input: Annotated[str, Metric("input")]
    config: Annotated[str, Metric("configuration")]
    right: bool
    launches: Annotated[int, Metric("launches")]
    gpgpusim_s: Annotated[float, Metric("GPGPU-Sim", "s")]
    simulate_s: Annotated[float, Metric("simulate", "s")]
    estimate_s: Annotated[float, Metric("estimate", "s")]

    @derived("over simulate", "x")
    def over_simulate(self) -> float:
        """GPGPU-Sim's seconds over those of the simulation."""
        return self.gpgpusim_s / self.simulate_s

    @derived("over estimate", "x")
    def over_estimate(self) -> float:
        """GPGPU-Sim's seconds over those of the estimate."""
        return self.gpgpusim_s / self.estimate_s


class EnginesSpeed(Part):
    """All applications; ``rate`` is how many warp instructions GPGPU-Sim does a CPU second.

    It is the median of all launches that it was timed on.
    """

    preset: str
    rate: Annotated[float, Metric("GPGPU-Sim's warp instructions a CPU second")]
    rows: tuple[Application, ...]
    programs: tuple[Program, ...]

    @derived("means")
    def means(self) -> tuple[Means, ...]:
        """Geometric means of each machine; the paper's table stands beside the first."""
        machines = dict.fromkeys(row.machine for row in self.rows)
        each = [[row for row in self.rows if row.machine == name] for name in machines]
        return tuple(Means(machine=own[0].machine, **_means(own, MEANS)) for own in each)

    @property
    def mean(self) -> Means:
        """The means of the first machine."""
        return self.means[0]

    @property
    def first(self) -> list[Application]:
        """The applications on the first machine."""
        return [row for row in self.rows if row.machine == self.rows[0].machine]

    def at_rate_s(self, row: Application) -> float | None:
        """CPU seconds that GPGPU-Sim would take at its rate; None: instructions not counted."""
        return None if row.warp_instructions is None else row.warp_instructions / self.rate

    @derived("beside the paper")
    def paper(self) -> tuple[BesidePaper, ...]:
        """Table V on the first machine, then its printed means."""
        printed, mean = table_v()
        rows = [
            BesidePaper(
                workload=row.workload,
                simulate_s=row.simulate.cpu_s,
                once_s=row.once_s,
                once=row.once,
                at_rate_s=self.at_rate_s(row),
                **printed[row.workload].flat(),
            )
            for row in self.first
        ]
        own = self.mean.flat(only=("simulate_s", "once_s", "once"))
        last = BesidePaper(workload="geometric mean", at_rate_s=None, **own, **mean.flat())
        return (*rows, last)

    @derived("GPGPU-Sim's own times over those of estimates, geometric mean", "x")
    def over_estimate(self) -> float:
        """Over the programs that it was timed on."""
        return geometric_mean(one.over_estimate for one in self.programs)

    @derived("GPGPU-Sim's own times over those of simulations, geometric mean", "x")
    def over_simulate(self) -> float:
        """Over the programs that it was timed on."""
        return geometric_mean(one.over_simulate for one in self.programs)

    @derived("GPGPU-Sim at its median rate over estimates of each kernel once", "x")
    def at_rate(self) -> float | None:
        """The geometric mean on the first machine; None where instructions are not counted."""
        whole = [self.at_rate_s(row) for row in self.first]
        if None in whole:
            return None
        return geometric_mean(filter(None, whole)) / self.mean.once_s


MEANS = {
    "once": "once",
    "every": "ratio",
    "alone": "alone",
    "simulate_s": "simulate.cpu_s",
    "estimate_s": "estimate.cpu_s",
    "once_s": "once_s",
    "time_ratio": "time_ratio",
}
"""What the geometric means of a machine are of, by their names."""


def _means(rows: Iterable[Any], paths: Mapping[str, str]) -> dict[str, float]:
    return {name: geometric_mean(map(attrgetter(path), rows)) for name, path in paths.items()}


def of_paper() -> PaperTimes:
    """The geometric means that the rows of Table V have: its printed speedup is a tenth of it."""
    names = ("gpgpusim_s", "framework_s", "speedup")
    found: dict[str, Any] = _means(table_v()[0].values(), {name: name for name in names})
    return PaperTimes(**found)


def values(result: EnginesSpeed) -> dict[str, Any]:
    """What the template says beside tables."""
    printed, mean = table_v()
    hotspot = next((row for row in result.rows if row.workload == "hotspot"), None)
    spent = None if hotspot is None else result.at_rate_s(hotspot)
    stated = printed["hotspot"].gpgpusim_s
    return {
        "rounds": ROUNDS,
        "paper": of_paper(),
        "printed": mean,
        "own": result.mean,
        "hotspot_launches": hotspot.launches * stated / spent if hotspot and spent else None,
        "load": max(row.load for row in result.rows),
    }


SIMULATE, ESTIMATE = (
    Shown("simulate.cpu_s", "simulate (s)"),
    Shown("estimate.cpu_s", "estimate (s)"),
)
MACHINE = Shown("", "machine", told=lambda reader: str(reader.holder.machine))
TIMES = (Shown("simulate.time_us", "simulated (µs)"), Shown("estimate.time_us", "estimated (µs)"),
         "time_ratio")  # fmt: skip
BENCHMARK: Benchmark[EnginesSpeed] = Benchmark(
    name="engines-speed",
    about="CPU time of estimates beside simulations of the same launches: Table V of the paper.",
    takes="20 minutes",
    result=":EnginesSpeed",
    measure="measuring:measure",
    sections=(
        Table("Table V", "paper",
              ("workload", "gpgpusim_s", "framework_s", "speedup", "simulate_s", "once_s", "once",
               "at_rate_s")),
        Table("Machines", "means",
              ("machine", "once", "every", "alone", "simulate_s", "estimate_s", "once_s",
               "time_ratio")),
        Table("Applications", "rows",
              ("workload", "machine", "launches", "warp_instructions", SIMULATE, ESTIMATE, "ratio",
               "once_s", "once", "alone", "host_s"), left=(0, 1)),
        Table("One launch", "rows.kernels",
              ("kernel", "launch", MACHINE, SIMULATE, ESTIMATE, "ratio",
               *TIMES), left=(0, 2)),
        Table("What they predict", "rows", ("workload", "machine", *TIMES), left=(0, 1)),
        Table("Beside GPGPU-Sim's own times", "programs",
              ("program", "input", "config", "launches", "gpgpusim_s", "simulate_s",
               "over_simulate", "estimate_s", "over_estimate"), left=(0, 1, 2)),
    ),
    goals=(
        Goal("mean.once", paper=table_v()[1].speedup, what="each kernel once: ratio, as printed"),
        Goal("mean.once", paper=of_paper().speedup, what="the same, of the printed rows"),
        Goal("mean.simulate_s", paper=of_paper().gpgpusim_s, what="simulator (CPU s)"),
        Goal("mean.once_s", paper=of_paper().framework_s, what="estimates (CPU s)"),
        Goal("over_estimate"),
        Goal("over_simulate"),
    ),
    parts="applications",
    data=(
        *ENGINE_TABLES,
        *(f"samples/workloads/{name}/{what}" for name in table_v()[0]
          for what in ("*.sm_80.ptx*", "*.toml", "program.py")),
        "benchmarks/engines_speed/*.toml", "benchmarks/execution_inputs/gpgpusim/*",
    ),
    values=":values",
)  # fmt: skip
