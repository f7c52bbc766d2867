"""The case study of the hybrid paper (§VI): lane detection in 50 configurations on four GPUs.

Table VI's designs are swept as `warpmill sweep` does, over the whole video; times are those of a
launch, a frame that is, in µs. On one machine the frame in which a kernel executes most is also
simulated on the whole GPU. What was swept is kept in the study store.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby, pairwise
from operator import attrgetter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import Benchmark, Request, column, number, put_aside, say
from warpmill.report.base import Part
from warpmill.report.sections import Shown, Table

if TYPE_CHECKING:
    from warpmill.sweeps.sweep import MeasuredConfiguration

SIMULATED_ON = "quadro_k620"
"""The machine of the paper's Figure 3, on which the engines are compared."""
STUDY: dict[str, Any] = tomllib.loads(Path(__file__).with_name("table_vi.toml").read_text("utf-8"))
"""Table VI; its head says what its keys are."""


def sizes_of(kernel: Mapping[str, Any], configuration: Mapping[str, Any]) -> tuple[int, int]:
    """The global and the local size of a configuration of a kernel's sweep."""
    threads = configuration.get(kernel["threads"], kernel["threads"])
    return int(threads), int(configuration[kernel["local"]])


class Design(Part):
    """A configuration: µs of a frame by machine, with what launching adds.

    ``estimated_us`` and ``simulated_us`` are of the frame in which the kernel executes most, on one
    machine and without what launching adds, which simulations have not.
    """

    kernel: Annotated[str, Metric("kernel")]
    threads: Annotated[int, Metric("global size")]
    local: Annotated[int, Metric("local size")]
    launches: int
    us: Mapping[str, float]
    estimated_us: Annotated[float, Metric("estimated", "µs")]
    simulated_us: Annotated[float, Metric("simulated", "µs")]

    @property
    def name(self) -> str:
        """The kernel and both sizes."""
        return f"{self.kernel} {self.threads} {self.local}"

    @derived("error")
    def error(self) -> float:
        """Of the estimate against the simulation, in percent."""
        return 100 * (self.estimated_us / self.simulated_us - 1)


class Best(Part):
    """Of a global size the local one with the least time by machine, for people."""

    kernel: Annotated[str, Metric("kernel")]
    threads: Annotated[int, Metric("global size")]
    on: Mapping[str, str]


class Agreement(Part):
    """The engines over some designs: errors in percent, Spearman's rank correlation.

    ``same_best``: of how many global sizes both choose the same local size; None for some designs
    of each.
    """

    what: Annotated[str, Metric("designs")]
    designs: Annotated[int, Metric("number")]
    error: Annotated[float, Metric("mean error")]
    bias: Annotated[float, Metric("with its sign")]
    rank: Annotated[float, Metric("rank correlation")]
    same_best: Annotated[str | None, Metric("same local size")]


class LaneResult(Part):
    """All designs in Table VI's order: kernels, then global and local sizes."""

    rows: tuple[Design, ...]

    @property
    def by_kernel(self) -> Mapping[str, tuple[Design, ...]]:
        """Designs by kernel."""
        return {name: tuple(own) for name, own in groupby(self.rows, attrgetter("kernel"))}

    @derived("best")
    def best(self) -> tuple[Best, ...]:
        """Best local sizes, the time, and how many times as long the worst takes."""
        return tuple(
            Best(kernel=own[0].kernel, threads=own[0].threads,
                 on={machine: _best(own, machine) for machine in own[0].us})
            for own in _by_size(self.rows)
        )  # fmt: skip

    @derived("agreement")
    def agreement(self) -> tuple[Agreement, ...]:
        """The engines by kernel, and over designs put aside and the others."""
        found = [agreement(name, own, whole=True) for name, own in self.by_kernel.items()]
        aside = put_aside(row.name for row in self.rows)
        for words, is_in in (("put aside", True), ("the others", False)):
            own = [row for row in self.rows if (row.name in aside) is is_in]
            found += [agreement(words, own)] if aside else []
        return tuple(found)


def _by_size(rows: Sequence[Design]) -> list[list[Design]]:
    """Designs of one kernel and global size together."""
    return [list(own) for _, own in groupby(rows, attrgetter("kernel", "threads"))]


def _best(rows: Sequence[Design], machine: str) -> str:
    least, worst = (choose(rows, key=lambda row: row.us[machine]) for choose in (min, max))
    over = worst.us[machine] / least.us[machine]
    return f"{least.local}: {number(least.us[machine])} ({over:.1f}x)"


def agreement(what: str, rows: Sequence[Design], *, whole: bool = False) -> Agreement:
    """Compare the engines over designs."""
    from scipy.stats import spearmanr  # noqa: PLC0415 - slow to load

    ours, theirs = attrgetter("estimated_us"), attrgetter("simulated_us")
    sizes = _by_size(rows)
    same = sum(min(own, key=ours) is min(own, key=theirs) for own in sizes)
    return Agreement(
        what=what,
        designs=len(rows),
        error=fmean(abs(row.error) for row in rows),
        bias=fmean(row.error for row in rows),
        rank=float(spearmanr([*map(ours, rows)], [*map(theirs, rows)]).statistic),
        same_best=f"{same} of {len(sizes)}" if whole else None,
    )


# The sweeps over Table VI: what a user would type, through the Python API.


def measure(request: Request) -> LaneResult:
    """Sweep kernels."""
    from warpmill.studies.places import default_store  # noqa: PLC0415 - slow to load

    names = request.chosen([kernel["name"] for kernel in STUDY["kernel"]])
    shared: dict[str, Any] = {"store": request.store or default_store(), "workers": request.workers}
    rows: list[Design] = []
    for kernel in STUDY["kernel"]:
        if kernel["name"] in names:
            times = swept(STUDY, kernel, **shared)
            frame = {**STUDY, "machines": [SIMULATED_ON]}
            beside = [swept(frame, kernel, engine, "largest", **shared)
                      for engine in ("estimate", "simulate")]  # fmt: skip
            rows += designs(kernel, times, *beside)
    return LaneResult(rows=tuple(rows))


def command(kernel: Mapping[str, Any]) -> str:
    """The command line of a kernel's sweep over the whole video, in lines of a shell."""
    over = " ".join(f"--over '{name}={values}'" for name, values in kernel["over"].items())
    return (
        f"warpmill sweep {STUDY['application']} --kernel {kernel['name']} --launch all \\\n"
        f"    {over} \\\n"
        f"    --machine {','.join(STUDY['machines'])} \\\n"
        f"    --format csv --output {kernel['name']}.csv"
    )


def swept(
    study: Mapping[str, Any],
    kernel: Mapping[str, Any],
    engine: Any = "estimate",
    launches: Any = "all",
    *,
    store: str | Path,
    workers: int = 1,
) -> Sequence[MeasuredConfiguration]:
    """Sweep a kernel over all frames, or the one in which it executes most (``largest``).

    SystemExit where a design could not be measured.
    """
    from warpmill.session.options import EvaluationOptions, LaunchOptions  # noqa: PLC0415 - slow
    from warpmill.studies.options import StudyOptions  # noqa: PLC0415
    from warpmill.sweeps.api import sweep  # noqa: PLC0415

    title = f"{kernel['name']}, {engine}"
    kept = StudyOptions(
        store, workers=workers, told=lambda done: say(f"{title}: {done.over} of {done.all}")
    )
    found = sweep(
        study["application"], dict(kernel["over"]), machines=tuple(study["machines"]),
        how=EvaluationOptions(engine), kernel=kernel["name"],
        launch=LaunchOptions(launches=launches), store=kept,
    )  # fmt: skip
    if found.failures:
        raise SystemExit(f"{title}: {'; '.join(sorted({o.problem or '' for o in found.failures}))}")
    return found.measured


def designs(
    kernel: Mapping[str, Any],
    times: Sequence[MeasuredConfiguration],
    estimated: Sequence[MeasuredConfiguration],
    simulated: Sequence[MeasuredConfiguration],
) -> list[Design]:
    """The designs of a kernel, sorted by global size, then by local size. KeyError: others."""
    us: dict[tuple[int, int], dict[str, float]] = {}
    launches: dict[tuple[int, int], int] = {}
    for one in times:
        place = sizes_of(kernel, one.configuration)
        launches[place] = int(one.facts["launches"])
        own = us.setdefault(place, {})
        own[str(one.configuration["machine"])] = one.figures["time_us"] / launches[place]

    def executions(found: Sequence[MeasuredConfiguration]) -> dict[tuple[int, int], float]:
        each = ((sizes_of(kernel, one.configuration), one) for one in found)
        return {
            place: one.figures.get("execution_us", one.figures["time_us"]) / one.facts["launches"]
            for place, one in each
        }

    ours, theirs = executions(estimated), executions(simulated)
    return [
        Design(kernel=kernel["name"], threads=place[0], local=place[1], launches=launches[place],
               us=us[place], estimated_us=ours[place], simulated_us=theirs[place])
        for place in sorted(us)
    ]  # fmt: skip


def values(result: LaneResult) -> dict[str, Any]:
    """What the template says beside tables."""
    return {
        "study": STUDY,
        "commands": [command(kernel) for kernel in STUDY["kernel"]],
        "simulated_on": SIMULATED_ON,
        "launches": ", ".join(
            f"`{name}` {' or '.join(map(str, sorted({row.launches for row in own})))}"
            for name, own in result.by_kernel.items()
        ),
    }


def draw(result: LaneResult, folder: Path) -> None:
    """Draw Figure 4: times over designs, a panel for each machine and a colour for each kernel."""
    from warpmill.benchmarks.pictures import new_figure, save  # noqa: PLC0415 - numpy is slow
    from warpmill.report.pictures import COLOURS  # noqa: PLC0415

    paper = {kernel["name"]: kernel["paper"] for kernel in STUDY["kernel"]}
    machines = list(result.rows[0].us)
    lines = -(-len(machines) // 2)
    figure, axes = new_figure(9, 3 * lines, lines, 2, sharex=True, sharey=True)
    for axis, machine in zip(axes, machines, strict=False):
        begun = 0
        for (name, own), colour in zip(result.by_kernel.items(), COLOURS, strict=False):
            places = range(begun + 1, begun + 1 + len(own))
            axis.plot(places, [row.us[machine] for row in own], "o-", color=colour, markersize=2.5,
                      linewidth=0.9, label=f"{paper[name]} ({name})")  # fmt: skip
            begun += len(own)
        for place, (before, after) in enumerate(pairwise(result.rows), 1):
            if before.kernel != after.kernel:
                axis.axvline(place + 0.5, color="#000000", linewidth=0.8)
            elif before.threads != after.threads:
                axis.axvline(place + 0.5, color="#000000", linewidth=0.3, linestyle=":")
        axis.set_yscale("log")
        axis.grid(alpha=0.3, axis="y")
        axis.set_title(machine)
    axes[0].legend(fontsize="small")
    figure.supxlabel("design: local sizes within global sizes, smallest first")
    figure.supylabel("estimated time of a frame, µs")
    save(figure, folder / "figure_4.png")


def _on(machine: str, own: Mapping[str, Any]) -> Any:
    value = own.get(machine)
    return number(value) if isinstance(value, float) else value


PERCENT = "{:.1f} %"
SECTIONS = (
    Table("Best local sizes", "best",
          ("kernel", "threads", *(Shown("on", f"{m}: best, µs", words=partial(_on, m))
                                  for m in STUDY["machines"])), once=(0,)),
    Table("Agreement", "agreement",
          ("what", "designs", column("error", form=PERCENT), column("bias", form="{:+.1f} %"),
           column("rank", form="{:.3f}"), "same_best")),
    Table("Designs", "rows",
          ("kernel", "threads", "local",
           *(Shown("us", f"{m}, µs", words=partial(_on, m)) for m in STUDY["machines"]),
           *(Shown(f"{engine}_us", f"one frame: {engine}, µs", words=number)
             for engine in ("estimated", "simulated")),
           column("error", form="{:+.1f} %")), once=(0, 1)),
)  # fmt: skip

BENCHMARK: Benchmark[LaneResult] = Benchmark(
    name="lane-detection",
    about="The hybrid paper's case study: lane detection in 50 designs on four GPUs.",
    takes="20 minutes",
    result=":LaneResult",
    measure=":measure",
    sections=SECTIONS,
    parts="kernels",
    data=(
        "analyzer/**/*.toml",
        "grammars/*.lark",
        "simulator/**/*.toml",
        "samples/workloads/lane-detection/*.sm_80.ptx*",
        "samples/workloads/lane-detection/*.toml",
        "samples/workloads/lane-detection/program.py",
        "benchmarks/lane_detection/*.toml",
    ),
    put_aside="A third of the designs, drawn by a seed, from this page on; earlier work has "
    "seen them.",
    values=":values",
    draw=":draw",
)  # fmt: skip
