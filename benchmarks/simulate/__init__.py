"""How near the simulator is to another one, and how fast it is.

Beside GPGPU-Sim 4.2.0, over the launches that it timed on SM75_RTX2060 and SM7_QV100; the machines
are its own configurations, imported. Speeds are warp instructions a second of CPU time, over the
reference's large inputs and all workloads at preset `small`: of the engine, and in all, from
loading the kernels to the result. Registers are estimated, as no compiler for these chips is asked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import correlation, fmean, geometric_mean
from typing import Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ENGINE_TABLES, Benchmark, Goal, column, mean
from warpmill.benchmarks.execution.gpgpusim import RACING
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

COUNTS = {
    "thread_insts": "thread instructions",
    "warp_insts": "warp instructions",
    "global_read_transactions": "sectors read from L2",
    "global_write_transactions": "sectors written to L2",
    "l1d_accesses": "sectors at L1",
}
"""Counts that are to be equal, by the reference's names."""
Pair = tuple[int, int]
Rates = tuple[float | None, float | None]


class Launch(Part):
    """A launch here and in GPGPU-Sim: pairs have ours first."""

    suite: Annotated[str, Metric("suite")]
    program: Annotated[str, Metric("program")]
    input: Annotated[str, Metric("input")]
    config: Annotated[str, Metric("configuration")]
    launch: Annotated[int, Metric("launch")]
    cycles: Pair
    counts: Mapping[str, Pair]
    l1_hit_rate: Rates
    l2_hit_rate: Rates
    beside: Mapping[str, Pair]
    ctas_per_sm: Pair
    limiters: tuple[tuple[str, ...], tuple[str, ...]]
    registers: Annotated[int, Metric("registers")]

    @derived("error of cycles", "%")
    def error(self) -> float:
        """A share of the reference's cycles."""
        return self.cycles[0] / self.cycles[1] - 1

    @property
    def place(self) -> str:
        """The program, its input, the launch, the configuration and the suite."""
        return f"{self.program} {self.input}, launch {self.launch}, {self.config}, {self.suite}"

    def off(self, count: str) -> float:
        """How far a count is off, as a share of the reference's."""
        ours, theirs = self.counts[count]
        return (ours - theirs) / max(1, theirs)

    def is_equal(self, count: str) -> bool:
        """Whether a count is equal, within what the order of CTAs decides where threads race."""
        return abs(self.off(count)) <= RACING.get(self.program, 0)


class CountOff(Part):
    """A count that is not equal."""

    launch: Annotated[str, Metric("launch")]
    count: Annotated[str, Metric("count")]
    ours: Annotated[int, Metric("here")]
    theirs: Annotated[int, Metric("there")]
    off: Annotated[float, Metric("off", "%")]


class CountSums(Part):
    """In how many launches a count is equal."""

    count: Annotated[str, Metric("count")]
    equal: Annotated[int, Metric("equal")]
    exact: Annotated[int, Metric("without any difference")]
    of: Annotated[int, Metric("launches")]


class ProgramErrors(Part):
    """The errors of a program's launches."""

    program: Annotated[str, Metric("program")]
    launches: Annotated[int, Metric("launches")]
    error: Annotated[float, Metric("mean error", "%")]
    bias: Annotated[float, Metric("with its sign", "%")]
    least: Annotated[float, Metric("from", "%")]
    most: Annotated[float, Metric("to", "%")]


class Speed(Part):
    """How fast a program is simulated: CPU seconds, medians of three rounds.

    ``spread`` is the slowest over the fastest round, ``load`` how busy the computer was.
    """

    name: Annotated[str, Metric("program")]
    launches: Annotated[int, Metric("launches")]
    warp_insts: Annotated[int, Metric("warp instructions")]
    cycles: Annotated[float, Metric("cycles")]
    engine_s: Annotated[float, Metric("engine", "s")]
    total_s: Annotated[float, Metric("in all", "s")]
    spread: Annotated[float, Metric("spread")]
    load: Annotated[float, Metric("load")]

    @derived("engine, warp instructions a second")
    def warp_inst_per_s(self) -> float:
        """Of the engine."""
        return self.warp_insts / self.engine_s

    @derived("in all, warp instructions a second")
    def total_warp_inst_per_s(self) -> float:
        """From loading the kernels to the result."""
        return self.warp_insts / self.total_s


class Growth(Part):
    """A program simulated with more work, or on more SMs: ``of`` says which.

    ``over_linear`` is how much longer it takes than the first of its kind, over how much more
    there is; 1 is linear.
    """

    of: Annotated[str, Metric("more")]
    program: Annotated[str, Metric("program")]
    input: Annotated[str, Metric("input")]
    sms: Annotated[int, Metric("SMs")]
    warp_insts: Annotated[int, Metric("warp instructions")]
    engine_s: Annotated[float, Metric("engine", "s")]
    over_linear: Annotated[float, Metric("over linear")]


INSTRUCTIONS, SMS, SMS_AND_WORK = "instructions", "SMs, the same work", "SMs and work"


class SimulateResult(Part):
    """Launches beside GPGPU-Sim, speeds, and how time and memory grow.

    ``peak_bytes`` is the peak memory of a fresh process that simulates ``peak_warp_insts``,
    ``idle_bytes`` what it has before; None where that was not measured.
    """

    launches: tuple[Launch, ...]
    speeds: tuple[Speed, ...]
    growth: tuple[Growth, ...]
    peak_bytes: Annotated[int | None, Metric("peak memory", "B")]
    idle_bytes: Annotated[int | None, Metric("before simulating", "B")]
    peak_warp_insts: Annotated[int | None, Metric("warp instructions for it")]
    failures: Annotated[tuple[str, ...], Metric("programs with wrong results")]

    @derived("launches")
    def compared(self) -> int:
        """How many GPGPU-Sim has timed."""
        return len(self.launches)

    @property
    def by_program(self) -> Mapping[str, list[Launch]]:
        """The launches of each program."""
        found: dict[str, list[Launch]] = {}
        for row in self.launches:
            found.setdefault(row.program, []).append(row)
        return found

    @derived("programs")
    def programs(self) -> tuple[ProgramErrors, ...]:
        """The errors by program, the largest first."""
        found = []
        for name, own in self.by_program.items():
            errors = [row.error for row in own]
            found.append(
                ProgramErrors(program=name, launches=len(own), error=fmean(map(abs, errors)),
                              bias=fmean(errors), least=min(errors), most=max(errors))
            )  # fmt: skip
        return tuple(sorted(found, key=lambda one: -one.error))

    @derived("mean error of cycles, over programs", "%")
    def mape(self) -> float | None:
        """The mean over programs of the mean error of their launches."""
        return mean(one.error for one in self.programs)

    @derived("mean error with its sign, over launches", "%")
    def bias(self) -> float | None:
        """None without launches."""
        return mean(row.error for row in self.launches)

    @derived("correlation of log cycles (Pearson)")
    def pearson(self) -> float | None:
        """None where cycles do not differ."""
        ours, theirs = ([math.log(row.cycles[k]) for row in self.launches] for k in (0, 1))
        return correlation(ours, theirs) if len(set(theirs)) > 1 else None

    @derived("hit rate of L1 off by, points")
    def l1_hit_error_points(self) -> float | None:
        """The mean over programs; None where nothing was accessed."""
        return self._hit_error("l1_hit_rate")

    @derived("hit rate of L2 off by, points")
    def l2_hit_error_points(self) -> float | None:
        """The mean over programs; None where nothing was accessed."""
        return self._hit_error("l2_hit_rate")

    def _hit_error(self, name: str) -> float | None:
        pairs = [[getattr(row, name) for row in own] for own in self.by_program.values()]
        means = [
            mean(100 * abs((a or 0) - (b or 0)) for a, b in own if (a, b) != (None, None))
            for own in pairs
        ]
        return mean(one for one in means if one is not None)

    @derived("counts")
    def counts(self) -> tuple[CountSums, ...]:
        """In how many launches each count is equal, the worst first."""
        found = [
            CountSums(
                count=words,
                equal=sum(row.is_equal(name) for row in self.launches),
                exact=sum(not row.off(name) for row in self.launches),
                of=len(self.launches),
            )
            for name, words in COUNTS.items()
        ]
        return tuple(sorted(found, key=lambda one: (one.equal, one.exact)))

    @derived("counts that differ")
    def counts_off(self) -> tuple[CountOff, ...]:
        """Those that are not equal, the farthest off first."""
        found = [
            CountOff(launch=row.place, count=COUNTS[name], ours=row.counts[name][0],
                     theirs=row.counts[name][1], off=row.off(name))
            for row in self.launches for name in COUNTS if not row.is_equal(name)
        ]  # fmt: skip
        return tuple(sorted(found, key=lambda one: -abs(one.off)))

    @derived("launches with as many CTAs an SM, %")
    def ctas_per_sm_equal(self) -> float | None:
        """None without launches."""
        return mean(100 * (row.ctas_per_sm[0] == row.ctas_per_sm[1]) for row in self.launches)

    @derived("launches limited by the same resources, %")
    def limiters_equal(self) -> float | None:
        """None without launches."""
        return mean(100 * (row.limiters[0] == row.limiters[1]) for row in self.launches)

    @derived("engine, warp instructions a second")
    def warp_inst_per_s(self) -> float | None:
        """The geometric mean over programs."""
        return mean((one.warp_inst_per_s for one in self.speeds), geometric_mean)

    @derived("in all, warp instructions a second")
    def total_warp_inst_per_s(self) -> float | None:
        """The geometric mean over programs."""
        return mean((one.total_warp_inst_per_s for one in self.speeds), geometric_mean)

    @derived("in all, warp instructions a second, the slowest")
    def slowest_total(self) -> float | None:
        """The slowest program's."""
        return min((one.total_warp_inst_per_s for one in self.speeds), default=None)

    @derived("time over instructions")
    def time_over_instructions(self) -> float | None:
        """The most that time grows beyond linear; the first of a kind is 1 by itself."""
        return self._worst(INSTRUCTIONS)

    @derived("time over SMs, the same work")
    def time_over_sms(self) -> float | None:
        """The same of more SMs."""
        return self._worst(SMS)

    @derived("time over SMs and work")
    def time_over_sms_and_work(self) -> float | None:
        """The same of more SMs that each have as much to do."""
        return self._worst(SMS_AND_WORK)

    def _worst(self, of: str) -> float | None:
        each = (row.over_linear for row in self.growth if row.of == of)
        return max((over for over in each if over != 1), default=None)


def _pair(pair: Sequence[Any]) -> str:
    """Two figures; one where they are equal."""
    words = [f"{n:,.10g}" for n in pair]
    return words[0] if words[0] == words[1] else " / ".join(words)


def _rates(pair: Rates) -> str:
    return " / ".join("-" if rate is None else f"{rate:.1%}" for rate in pair)


BENCHMARK: Benchmark[SimulateResult] = Benchmark(
    name="simulate",
    about="How near the simulator is to GPGPU-Sim, and how fast it is.",
    takes="15 minutes",
    result=":SimulateResult",
    measure="speed:measure",
    parts="programs and workloads",
    goals=(
        Goal("total_warp_inst_per_s", 4e6, at_least=True),
        Goal("slowest_total", 6e5, at_least=True),
        *(Goal(name) for name in (
            "warp_inst_per_s", "compared", "mape", "bias", "pearson", "l1_hit_error_points",
            "l2_hit_error_points", "ctas_per_sm_equal", "limiters_equal", "time_over_instructions",
            "time_over_sms", "time_over_sms_and_work", "peak_bytes", "peak_warp_insts",
        )),
    ),
    sections=(
        Table("Programs beside GPGPU-Sim", "programs",
              ("program", "launches", "error", column("bias", form="{:+.1%}"),
               column("least", form="{:+.1%}"), column("most", form="{:+.1%}"))),
        Table("Counts", "counts", ("count", "equal", "exact", "of")),
        Table("Counts that differ", "counts_off",
              ("launch", "count", "ours", "theirs", column("off", form="{:+.2%}")), left=(0, 1)),
        Table("Launches", "launches",
              (column("error", form="{:+.1%}"), "suite", "program", "input", "config", "launch",
               Shown("cycles", "cycles / GPGPU-Sim", _pair),
               Shown("l1_hit_rate", "L1 hits", _rates), Shown("l2_hit_rate", "L2 hits", _rates),
               Shown("counts.global_read_transactions", "reads", _pair),
               Shown("counts.global_write_transactions", "writes", _pair),
               Shown("ctas_per_sm", "CTAs", _pair)),
              left=(1, 2, 3, 4), order=lambda row: abs(row.error)),
        Table("Speeds", "speeds",
              ("name", "launches", "warp_insts", column("warp_inst_per_s", "engine/s", "{:,.0f}"),
               column("total_warp_inst_per_s", "in all/s", "{:,.0f}"), "engine_s", "load"),
              order=lambda row: -row.total_warp_inst_per_s),
        Table("Growth", "growth",
              ("of", "program", "input", "sms", "warp_insts", column("engine_s", form="{:.2f}"),
               column("over_linear", form="{:.2f}")), left=(0, 1, 2)),
    ),
    data=(
        *ENGINE_TABLES, "samples/workloads/*/*.sm_80.ptx*", "samples/workloads/*/*.toml",
        "samples/workloads/*/program.py",
        *(f"benchmarks/execution_inputs/gpgpusim/*.{kind}" for kind in ("ptx", "csv", "json")),
    ),
)  # fmt: skip
