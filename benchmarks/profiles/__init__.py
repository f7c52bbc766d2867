"""How fast and how right profiles, traces and replays are.

Rates are 10^9 thread instructions a second of CPU time on one core, over the kernels of
``benchmarks.execution`` at its sizes. What is equal: artefacts of samples all of whose launches,
recorded, saved, loaded and replayed, leave the recorded memory and give the recorded profiles;
launches that no data decide, whose static traces are the executed ones, event by event with all
addresses; launches for which GPGPU-Sim counts the same lanes, bank conflicts and sectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks import checks
from warpmill.benchmarks.benchmark import Benchmark, Goal, column
from warpmill.benchmarks.checks import Checked, Right
from warpmill.benchmarks.execution import geometric_mean
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Table


class ProfiledKernel(Part):
    """A kernel: rates, and bare execution over execution with each collector."""

    kernel: Annotated[str, Metric("kernel")]
    thread_insts: Annotated[int, Metric("thread instructions")]
    warp_insts: Annotated[int, Metric("warp instructions")]
    bare_ginst_per_s: Annotated[float, Metric("10^9 a second")]
    trace_ginst_per_s: Annotated[float, Metric("traced")]
    trace_saved_ginst_per_s: Annotated[float, Metric("and written")]
    trace_bytes: Annotated[int, Metric("bytes of traces")]
    overhead: Mapping[str, float]

    @derived("profiled")
    def profile_ginst_per_s(self) -> float:
        """With everything of a profile, memory statistics too."""
        return self.bare_ginst_per_s / self.overhead["profile"]


class OverheadRow(Part):
    """A collector's cost over all kernels: bare execution over execution with it."""

    collector: Annotated[str, Metric("collector")]
    mean: Annotated[float, Metric("bare over it")]
    least: Annotated[float, Metric("least")]
    most: Annotated[float, Metric("most")]


class DecidedLaunch(Part):
    """A launch that data decide, whose static traces assume something."""

    launch: Annotated[str, Metric("launch that data decide")]
    covers: Annotated[bool, Metric("static traces cover it")]
    warp_overshoot: Annotated[float | None, Metric("warp instructions too many", "%")]
    thread_overshoot: Annotated[float | None, Metric("thread instructions", "%")]


class ProfilesResult(Checked):
    """Checks and speeds; None of parts that were not asked for."""

    replay_equal: Annotated[Right | None, Metric("artefacts replayed as recorded")] = None
    static_equals_executed: Annotated[Right | None, Metric("static traces as executed")] = None
    reference_memory_equal: Annotated[Right | None, Metric("memory as GPGPU-Sim's")] = None
    racing_off: Annotated[
        float | None, Metric("a race beside GPGPU-Sim: figures off by at most", "%")
    ] = None
    static_overshoot: tuple[DecidedLaunch, ...] = ()
    speed_rows: tuple[ProfiledKernel, ...] = ()
    peak_mb_profiling_1e9: Annotated[
        float | None, Metric("peak memory of profiling 10^9 thread instructions, MB")
    ] = None
    recording_ratio: Annotated[
        float | None, Metric("recorded application of 1,000 launches over its buffers")
    ] = None

    def _mean(self, of: Callable[[ProfiledKernel], float]) -> float | None:
        return geometric_mean([of(row) for row in self.speed_rows]) if self.speed_rows else None

    @derived("profiled, 10^9 thread instructions a second")
    def profile_ginst_per_s(self) -> float | None:
        """Geometric mean over kernels."""
        return self._mean(lambda row: row.profile_ginst_per_s)

    @derived("traced, 10^9 thread instructions a second")
    def trace_ginst_per_s(self) -> float | None:
        """Geometric mean: every event of every CTA with all lane addresses, as arrays."""
        return self._mean(lambda row: row.trace_ginst_per_s)

    @derived("the same written to a file")
    def trace_saved_ginst_per_s(self) -> float | None:
        """Geometric mean."""
        return self._mean(lambda row: row.trace_saved_ginst_per_s)

    @derived("bytes of a trace a warp instruction")
    def trace_bytes_per_warp_inst(self) -> float | None:
        """Over all kernels."""
        warps = sum(row.warp_insts for row in self.speed_rows)
        return sum(row.trace_bytes for row in self.speed_rows) / warps if warps else None

    @derived("collectors")
    def overhead(self) -> tuple[OverheadRow, ...]:
        """The cost of each over all kernels."""
        each = {n: [r.overhead[n] for r in self.speed_rows] for r in self.speed_rows[:1]
                for n in r.overhead}  # fmt: skip
        return tuple(
            OverheadRow(collector=n, mean=geometric_mean(own), least=min(own), most=max(own))
            for n, own in each.items()
        )


RATE, FACTOR = "{:.3f}", "{:.2f}x"
BENCHMARK: Benchmark[ProfilesResult] = Benchmark(
    name="profiles",
    about="How fast launches are profiled and traced, whether replays and static traces are right.",
    takes="20 minutes",
    result=":ProfilesResult",
    measure="measuring:measure",
    parts="replays, static, memory, recording, speed",
    sections=(
        *checks.SECTIONS,
        Comparison("Over all kernels",
                   ("trace_saved_ginst_per_s", "trace_bytes_per_warp_inst", "racing_off")),
        Table("Kernels", "speed_rows",
              ("kernel", *(column(f"{name}_ginst_per_s", form=RATE)
                           for name in ("bare", "profile", "trace", "trace_saved")))),
        Table("Collectors", "overhead",
              ("collector", *(column(n, form=FACTOR) for n in ("mean", "least", "most")))),
        Table("Launches that data decide", "static_overshoot",
              ("launch", "covers", "warp_overshoot", "thread_overshoot")),
    ),
    goals=(Goal("not_right", 0.0), Goal("profile_ginst_per_s", 0.5, at_least=True),
           Goal("trace_ginst_per_s", 0.3, at_least=True),
           Goal("peak_mb_profiling_1e9", 500.0), Goal("recording_ratio", 2.0)),
)  # fmt: skip
