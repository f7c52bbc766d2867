"""What warpmill predicts of the launches that ``benchmarks.silicon`` has timed on a GPU.

``--data`` is a folder that ``python -m benchmarks.silicon --out`` wrote. The machine is that of the
GPU's name, or ``machine.toml`` of the folder, as ``warpmill calibrate`` writes it. It needs no GPU.
Launches are those of the small presets, of tiny ones for a look. Times are compared in the state of
L2 that an engine has it in: estimates with flushed times, simulations, whose launches follow each
other, with warm ones. What launching adds is what a kernel took that does next to nothing.
Predictions are kept in the study store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.accuracy.figures import kendall_tau
from warpmill.benchmarks.benchmark import Benchmark, Goal, Request, column, mean, put_aside
from warpmill.benchmarks.silicon.readings import LaunchRow, Silicon, read_silicon
from warpmill.benchmarks.silicon.subjects import CLONE
from warpmill.measurements.machines import find_machine
from warpmill.report.base import Part
from warpmill.report.sections import Comparison, Table
from warpmill.simulator.assembler.costs import LaunchOverhead, launch_overhead, near_empty_us
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

LEAST_MS = 0.01
"""Workloads that take less count in no mean: what they take is launching."""
FEWEST = 5
"""Launches from which on there is something to choose."""
SEED = 2026
"""Which workloads are put aside."""
STATE = {"estimate": "flushed", "simulate": "warm"}
"""What L2 holds before a launch, as engines have it: nothing, or what launches before it left."""
CLONES, GTPIN = "clones", "gtpin"
PARTS = (*STATE, CLONES, GTPIN)
_MEMORY = {"flushed": "dram.latency", "warm": "l2.latency"}

Found = Mapping[str, Mapping[str, Any]]
"""By target: ``launch_cycles`` of its execution, or the ``problem`` that there is instead."""


class BesideRow(Part):
    """A workload, or a kernel of it, on a GPU; ``error`` in percent of the measured time.

    ``counts``: it is long enough to be part of means.
    """

    engine: Annotated[str, Metric("engine")]
    target: Annotated[str, Metric("target")]
    kernel: Annotated[str | None, Metric("kernel")]
    launches: Annotated[int, Metric("launches")]
    measured_ms: Annotated[float, Metric("measured, ms")]
    predicted_ms: Annotated[float, Metric("predicted, ms")]

    @derived("error, %")
    def error(self) -> float:
        """Of the sums of launches."""
        return 100 * (self.predicted_ms / self.measured_ms - 1)

    @property
    def counts(self) -> bool:
        """Whether it is long enough to be part of means."""
        return self.measured_ms > LEAST_MS


class Problem(Part):
    """A target that an engine, or what selects launches, has no figures of."""

    of: Annotated[str, Metric("of")]
    target: Annotated[str, Metric("target")]
    why: Annotated[str, Metric("why")]


class EngineSums(Part):
    """Workloads of more than 10 µs that an engine predicts; errors in percent."""

    engine: Annotated[str, Metric("engine")]
    mape: Annotated[float | None, Metric("mean error, %")]
    aside: Annotated[float | None, Metric("put aside, %")]
    bias: Annotated[float | None, Metric("bias, %")]
    kendall_tau: Annotated[float | None, Metric("τ")]
    kernels_mape: Annotated[float | None, Metric("by kernel, %")]
    workloads: Annotated[int, Metric("workloads")]
    short: Annotated[int, Metric("shorter ones")]


class CloneRow(Part):
    """A clone beside its original, both on the GPU; points of rates are means over launches.

    ``ipc_error`` is in percent of the original's (GPGPU-MiniBench, Equation 4), of the launches
    that a profiler looked at of both, all together. None where nothing was counted or timed.
    """

    workload: Annotated[str, Metric("workload")]
    preset: Annotated[str, Metric("preset")]
    launches: Annotated[int, Metric("launches")]
    ipc: Annotated[float | None, Metric("IPC")]
    clone_ipc: Annotated[float | None, Metric("clone")]
    occupancy_pct_apart: Annotated[float | None, Metric("occupancy, points")]
    l1_hit_pct_apart: Annotated[float | None, Metric("L1 hits, points")]
    l2_hit_pct_apart: Annotated[float | None, Metric("L2 hits, points")]
    speedup: Annotated[float | None, Metric("speed-up", "x")]

    @derived("IPC error, %")
    def ipc_error(self) -> float | None:
        """None where one IPC is unknown."""
        if not self.ipc or self.clone_ipc is None:
            return None
        return 100 * (self.clone_ipc / self.ipc - 1)


class Clones(Part):
    """How many clones ran, and how near they are."""

    clones: Annotated[int, Metric("clones")]
    ran: Annotated[int, Metric("ran")]
    equal_to_executor: Annotated[int, Metric("with the executor's results")]
    cuda: Annotated[int, Metric("in CUDA")]
    cuda_built: Annotated[int, Metric("of these built")]
    cuda_ran: Annotated[int, Metric("of these ran")]
    rows: tuple[CloneRow, ...]

    @derived("mean IPC error, %")
    def mean_ipc_error(self) -> float | None:
        """Over workloads, of sizes."""
        return mean(None if row.ipc_error is None else abs(row.ipc_error) for row in self.rows)


class SelectionRow(Part):
    """Launches of a program selected by simulated times and judged by the GPU's, in percent."""

    target: Annotated[str, Metric("target")]
    way: Annotated[str, Metric("way")]
    launches: Annotated[int, Metric("launches")]
    expected: Annotated[float, Metric("expected error, %")]
    error: Annotated[float, Metric("error, %")]
    speedup: Annotated[float, Metric("speed-up", "x")]


class SiliconModel(Part):
    """A GPU's launches beside what is predicted of them as a machine."""

    gpu: Annotated[str, Metric("GPU")]
    machine: Annotated[str, Metric("machine")]
    rows: tuple[BesideRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    clones: Clones | None = None
    selections: tuple[SelectionRow, ...] = ()

    @property
    def put_aside(self) -> frozenset[str]:
        """Workloads that no work on the models looks at."""
        return put_aside({row.target.partition(":")[0] for row in self.rows}, SEED)

    @derived("engines")
    def sums(self) -> tuple[EngineSums, ...]:
        """Each engine that was asked."""
        return tuple(self._summed(e) for e in dict.fromkeys(row.engine for row in self.rows))

    def _summed(self, engine: str) -> EngineSums:
        own = [row for row in self.rows if row.engine == engine]
        whole = [row for row in own if row.kernel is None]
        counting = [row for row in whole if row.counts]
        times = np.array([(row.predicted_ms, row.measured_ms) for row in counting]).reshape(-1, 2)
        aside = [row for row in counting if row.target.partition(":")[0] in self.put_aside]
        return EngineSums(
            engine=engine,
            mape=mean(abs(row.error) for row in counting),
            aside=mean(abs(row.error) for row in aside),
            bias=mean(row.error for row in counting),
            kendall_tau=kendall_tau(times),
            kernels_mape=mean(abs(row.error) for row in own if row.kernel is not None),
            workloads=len(counting),
            short=len(whole) - len(counting),
        )

    @property
    def by_engine(self) -> Mapping[str, EngineSums]:
        """Sums by engine."""
        return {one.engine: one for one in self.sums}


# ----------------------------------------------------------------------------------- predictions


def measure(request: Request) -> SiliconModel:
    """Predict what was timed. SystemExit without a folder; InputError for what is none."""
    if request.data is None:
        raise SystemExit("--data FOLDER says where `python -m benchmarks.silicon --out` wrote")
    silicon, parts = read_silicon(request.data), request.chosen(PARTS)
    machine = machine_of(silicon, request.data)
    targets = timed_targets(silicon, "tiny" if request.quick else "small")
    engines = [e for e in STATE if e in parts or (e == "simulate" and GTPIN in parts)]
    found = {engine: predicted(engine, targets, machine, request) for engine in engines}
    rows, problems = [], []
    for engine in (e for e in engines if e in parts):
        own, without = beside(silicon, engine, found[engine], load_machine(machine))
        rows += own
        problems += without
    selected: tuple[SelectionRow, ...] = ()
    if GTPIN in parts:
        selected, without = selections(silicon, found["simulate"], request)
        problems += without
    return SiliconModel(
        gpu=silicon.gpu,
        machine=machine,
        rows=tuple(rows),
        problems=tuple(problems),
        clones=clones_beside(silicon) if CLONES in parts else None,
        selections=selected,
    )


def machine_of(silicon: Silicon, folder: Path) -> str:
    """The folder's machine file, else the machine of the GPU's name. InputError without any."""
    own = folder / "machine.toml"
    return str(own) if own.exists() else find_machine(silicon.gpu).machine


def timed_targets(silicon: Silicon, preset: str) -> list[str]:
    """The targets of a preset that were timed."""
    return [
        target
        for target, (first, *_) in silicon.by_target.items()
        if first.preset == preset or first.preset.startswith(f"{preset}-")
    ]


def predicted(engine: str, targets: Sequence[str], machine: str, request: Request) -> Found:
    """Predict all launches of targets: each by itself, or one after another on a whole GPU."""
    from warpmill.benchmarks import launch_times  # noqa: PLC0415 - engines are slow to load
    from warpmill.benchmarks.gtpin.measuring import STUDY  # noqa: PLC0415
    from warpmill.benchmarks.points import Rows  # noqa: PLC0415

    is_estimate = engine == "estimate"
    points = {t: STUDY.point("estimated", t, machine=machine) if is_estimate
              else launch_times.wanted(t, machine) for t in targets}  # fmt: skip
    rows = Rows(STUDY if is_estimate else launch_times.STUDY, request)
    rows.measure(points.values())
    return {target: rows.at(point) for target, point in points.items()}


def launch_ms(
    machine: Machine, state: str, floor_us: float | None, cycles: float, ctas: int
) -> float:
    """The milliseconds of a launch of so many CTAs, whose execution takes ``cycles``.

    What launching adds is that of two events around each launch, which waits behind a kernel.
    ``floor_us`` is what a kernel took that does next to nothing; without it (None) the machine's
    ``launch.event_us`` is taken.
    """
    own = launch_overhead(machine, ctas, "event")
    if floor_us is not None:
        fixed = floor_us - near_empty_us(machine, _MEMORY[state])
        own = LaunchOverhead("event", max(0.0, fixed), floor_us, own.dispatch_us)
    return own.total_us(cycles / float(machine.number("clock.sm_mhz"))) / 1e3


def beside(
    silicon: Silicon, engine: str, found: Found, machine: Machine
) -> tuple[list[BesideRow], list[Problem]]:
    """Rows of workloads and of the kernels of those that count, and what has none."""
    rows, problems, state = [], [], STATE[engine]
    for target, one in found.items():
        why = one.get("problem") or silicon.mismatch(target, len(one["launch_cycles"]))
        launches = [r for r in silicon.by_target[target] if r.ms[state] is not None]
        if why or not launches:
            why = why or "the GPU told no times"
            problems.append(Problem(of=engine, target=target, why=why))
            continue
        by_kernel: dict[str | None, list[LaunchRow]] = {None: launches}
        for launch in launches:
            by_kernel.setdefault(launch.kernel, []).append(launch)
        floor_us, cycles = silicon.floor_us(state), one["launch_cycles"]
        made = [
            BesideRow(
                engine=engine,
                target=target,
                kernel=kernel,
                launches=len(own),
                measured_ms=sum(each.ms[state] or 0.0 for each in own),
                predicted_ms=sum(
                    launch_ms(machine, state, floor_us, cycles[each.number], each.ctas)
                    for each in own
                ),
            )
            for kernel, own in by_kernel.items()
        ]
        rows += made if made[0].counts else made[:1]
    return rows, problems


# ------------------------------------------------------------------------ clones and selections


def clones_beside(silicon: Silicon) -> Clones:
    """How near clones are, by workload; speed-ups are of times with L2 warm."""
    titles = sorted({(row.workload, row.preset) for row in silicon.timed if row.is_clone})
    ends = [one for one in silicon.runs if one["build"] == CLONE]
    built = [one for one in silicon.cuda_clones if not one["built"]]
    return Clones(
        clones=len(ends),
        ran=sum(not one.get("error") for one in ends),
        equal_to_executor=sum(one.get("equal") == "True" for one in ends),
        cuda=len(silicon.cuda_clones),
        cuda_built=len(built),
        cuda_ran=sum(not one["ran"] for one in built),
        rows=tuple(_clone(silicon, *title) for title in titles),
    )


def _clone(silicon: Silicon, workload: str, preset: str) -> CloneRow:
    def of(rows: Iterable[LaunchRow], is_clone: bool) -> dict[int, LaunchRow]:
        title = (workload, preset, is_clone)
        return {r.number: r for r in rows if (r.workload, r.preset, r.is_clone) == title}

    own, clones = of(silicon.counted, False), of(silicon.counted, True)
    pairs = [(own[number].values, clones[number].values) for number in own if number in clones]
    there, here = (_warm_ms(of(silicon.timed, is_clone).values()) for is_clone in (False, True))
    return CloneRow(
        workload=workload,
        preset=preset,
        launches=len(pairs),
        ipc=_ipc([pair[0] for pair in pairs]),
        clone_ipc=_ipc([pair[1] for pair in pairs]),
        occupancy_pct_apart=_apart(pairs, "occupancy_pct"),
        l1_hit_pct_apart=_apart(pairs, "l1_hit_pct"),
        l2_hit_pct_apart=_apart(pairs, "l2_hit_pct"),
        speedup=there / here if there and here else None,
    )


def _ipc(counted: Sequence[Mapping[str, float]]) -> float | None:
    """Warp instructions of all SMs a cycle; None where a launch lacks one of both."""
    if not counted or not all(one.get("warp_inst") and one.get("sm_cycles") for one in counted):
        return None
    return sum(one["warp_inst"] for one in counted) / sum(one["sm_cycles"] for one in counted)


def _apart(
    pairs: Iterable[tuple[Mapping[str, float], Mapping[str, float]]], name: str
) -> float | None:
    return mean(there[name] - here[name] for here, there in pairs if name in here and name in there)


def _warm_ms(launches: Iterable[LaunchRow]) -> float | None:
    """The sum of times; None where one is unknown."""
    each = [row.ms["warm"] for row in launches]
    known = [ms for ms in each if ms is not None]
    return sum(known) if len(known) == len(each) else None


def selections(
    silicon: Silicon, simulated: Found, request: Request
) -> tuple[tuple[SelectionRow, ...], list[Problem]]:
    """Select launches of each program of several, all of them timed, in each of GT-Pin's ways."""
    from warpmill.benchmarks.gtpin import measuring  # noqa: PLC0415 - engines are slow to load
    from warpmill.benchmarks.points import Rows  # noqa: PLC0415

    times, timed = {}, {}
    for target, one in simulated.items():
        if "problem" in one or silicon.mismatch(target, len(one["launch_cycles"])):
            continue
        if (ms := _launch_times(silicon, target)) is not None:
            times[target], timed[target] = ms, (target, dict(one))
    found = measuring.explored(Rows(measuring.STUDY, request), timed)
    known = {target: row for target, row in found.items() if "problem" not in row}
    explored = {target: measuring.combinations(row) for target, row in known.items()}
    rows = []
    for target, places in (measuring.places(explored) if explored else {}).items():
        for way, place in places.items():
            made = known[target]["combinations"][place]
            rows.append(
                SelectionRow(
                    target=target,
                    way=way,
                    launches=len(times[target]),
                    expected=made["error"],
                    error=measuring.error_of(
                        made["picks"], times[target], timed[target][1]["instructions"]
                    ),
                    speedup=1 / made["share"],
                )
            )
    problems = [Problem(of=GTPIN, target=target, why=row["problem"])
                for target, row in found.items() if "problem" in row]  # fmt: skip
    return tuple(rows), problems


def _launch_times(silicon: Silicon, target: str) -> list[float] | None:
    """The time of each launch in order, L2 warm; None where not all have one, or are few."""
    rows = sorted(silicon.by_target[target], key=lambda row: row.number)
    known = [row.ms["warm"] for row in rows if row.ms["warm"] is not None]
    return known if len(known) == silicon.launches(target) >= FEWEST else None


ONE, TWO = "{:.1f}", "{:+.1f}"
BENCHMARK: Benchmark[SiliconModel] = Benchmark(
    name="silicon-model",
    about="What warpmill predicts of launches that benchmarks.silicon has timed on a GPU.",
    takes="hours",
    result=":SiliconModel",
    measure=":measure",
    parts=", ".join(PARTS),
    sections=(
        Comparison("GPU", ("gpu", "machine")),
        Table("Engines", "sums",
              ("engine", *(column(one, form=ONE) for one in ("mape", "aside", "bias")),
               column("kendall_tau", form="{:.2f}"), column("kernels_mape", form=ONE), "workloads",
               "short")),
        Table("Launches", "rows",
              ("engine", "target", "kernel", "launches", "measured_ms", "predicted_ms",
               column("error", form=TWO)), left=(0, 1, 2), order=lambda row: abs(row.error)),
        Table("Without figures", "problems", ("of", "target", "why"), left=(0, 1, 2), wrap=(2,)),
        Comparison("Clones", tuple(f"clones.{one}" for one in (
            "clones", "ran", "equal_to_executor", "cuda", "cuda_built", "cuda_ran",
            "mean_ipc_error"))),
        Table("Clones beside their originals", "clones.rows",
              ("workload", "preset", "launches", "ipc", "clone_ipc",
               column("ipc_error", form=TWO), column("occupancy_pct_apart", form=TWO),
               column("l1_hit_pct_apart", form=TWO), column("l2_hit_pct_apart", form=TWO),
               "speedup"), left=(0, 1), order=lambda row: abs(row.ipc_error or 0.0)),
        Table("Selected launches", "selections",
              ("target", "way", "launches", column("expected", form="{:.2f}"),
               column("error", form="{:.2f}"), column("speedup", form=ONE)),
              left=(0, 1), order=lambda row: row.error),
    ),
    goals=tuple(
        Goal(f"by_engine.{engine}.{figure}", what=f"{engine}: {words}")
        for engine in STATE
        for figure, words in (("mape", "mean error, %"), ("aside", "the same, put aside, %"))
    ),
    put_aside="A third of the workloads by a seed, since November 2026: earlier work has seen it.",
)  # fmt: skip
