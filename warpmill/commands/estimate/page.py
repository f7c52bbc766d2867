"""The page of ``estimate``: machines side by side; and its rows as CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warpmill.commands.estimate.parts import MachineEstimate, WhatIfFacts
from warpmill.commands.estimate.result import EstimateReport, LaunchEstimates
from warpmill.commands.estimate.totals_page import add_totals, longest
from warpmill.report.assumed_words import add_assumed_values, assumed_lines, ends
from warpmill.report.base import Mark
from warpmill.report.facts import KernelIdentity
from warpmill.report.page import UNKNOWN, Page, figure, percent, size
from warpmill.report.table import CsvRow, CsvTable
from warpmill.report.words import add_kernel, plural, timed_lines, variable

_NAMES_WIDTH = 26
_MACHINE_WIDTH = 17
_WIDEST = 24
_ASSUMPTIONS = 5

_LEAST = 0.01
"""Causes below are put together, unless everything is asked for."""

_BUSY = "busy, share of the round"
_WAITING = "waiting of warps, by reason"
_SPARSE = (_BUSY, _WAITING)
"""Sections whose rows are left out where they are 0.0% everywhere."""

Column = MachineEstimate


def estimate_page(report: EstimateReport, page: Page) -> None:
    """Show each launch with its estimates, and all of them together."""
    shown = report.launches if page.style.verbose else longest(report)
    for launch in shown:
        _launch(report, launch, page)
    add_totals(report, page)
    if len(shown) < len(report.launches):
        page.line(f"pages: of the {len(shown)} launches that take longest (--verbose: of all)")


def _launch(report: EstimateReport, launch: LaunchEstimates, page: Page) -> None:
    more = []
    if report.overrides:
        more.append(("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items())))
    if report.mode == "eq8":
        more.append(("pipeline", "as in the paper: a warp waits for each result, Equation 8"))
    if report.l2 == "warm":
        more.append(("L2", "has what an equal launch before has left"))
    more += timed_lines(report.timed)
    if report.pruned:
        more.append(("pruned", "only arithmetic, memory accesses and barriers cost time"))
    more += assumed_lines(launch.assumed)
    more += [(m.machine, f"no estimate: {m.reason}") for m in launch.not_estimated]
    add_kernel(page, "estimate", launch.kernel, launch.launch, more)
    per_table = max(1, (page.style.width - _NAMES_WIDTH) // _MACHINE_WIDTH)
    for start in range(0, len(launch.estimates), per_table):
        _side_by_side(launch.estimates[start : start + per_table], launch.kernel, page)
    _rests_on(launch.estimates, page)


def _side_by_side(columns: Sequence[Column], kernel: KernelIdentity, page: Page) -> None:
    header = ("", *(c.machine for c in columns))
    width = (page.style.width - _NAMES_WIDTH - 4) // len(columns) - 2
    widths = [_NAMES_WIDTH - 2, *(min(width, _WIDEST) for _ in columns)]
    for title, rows in (
        ("time", _time_rows()),
        ("what the time goes to", _share_rows(columns, page.style.verbose)),
        ("occupancy of an SM", _occupancy_rows()),
        (_BUSY, _utilisation_rows(columns)),
        *([(_WAITING, _wait_rows(columns))] if page.style.verbose else []),
        ("arithmetic and its roof", _roofline_rows()),
        ("memory", _memory_rows()),
        ("to and from DRAM, by buffer", _traffic_rows(columns, kernel, "dram_bytes", size)),
        ("hits in L2, by buffer", _traffic_rows(columns, kernel, "l2_hit_fraction", percent)),
    ):
        shown = [(name, *(cell(c) for c in columns)) for name, cell in rows]
        whole = page.style.verbose or title not in _SPARSE
        kept = [
            row
            for row in shown
            if (whole and not row[0].startswith("…")) or any(_says(cell) for cell in row[1:])
        ]
        if kept:
            page.heading(title)
            page.table(header, kept, widths=widths)
    add_what_if(columns, page, widths)


def _says(cell: str) -> bool:
    return cell.rstrip("~≈?") not in ("0.0%", "-", "")


Row = tuple[str, Callable[[Column], str]]


def _time_rows() -> list[Row]:
    return [
        ("time in µs", lambda c: figure(c.time_us, c.marks["time_us"])),
        ("… as assumed, µs", lambda c: _ends(c, "time_us", None)),
        ("execution, µs", lambda c: figure(c.execution_us, c.marks["execution_us"])),
        ("launching, µs", lambda c: figure(c.launch_us, c.marks["launch_us"])),
        (
            "cycles of execution",
            lambda c: figure(c.estimated_cycles, c.marks["estimated_cycles"], digits=0),
        ),
        ("… as assumed, cycles", lambda c: _ends(c, "estimated_cycles", 0)),
        ("clock in MHz", lambda c: figure(c.clock_mhz, c.marks["clock_mhz"])),
        ("bound by", lambda c: c.bound),
        (
            "cycles of a round",
            lambda c: (
                figure(c.round.cycles, c.marks["round.cycles"], digits=0)
                + (" extrapolated" if c.round.extrapolated else "")
            ),
        ),
        ("CTAs of a round on an SM", lambda c: figure(c.round.ctas, c.marks["round.ctas"])),
        ("rounds", lambda c: figure(c.round.rounds, c.marks["round.rounds"])),
        ("warp instructions a cycle", lambda c: figure(c.warp_ipc, c.marks["warp_ipc"])),
    ]


def _ends(column: Column, key: str, digits: int | None) -> str:
    """Write what a range that was assumed makes of a figure: ``12.3 .. 45.6?``."""
    if column.ranges is None:
        return UNKNOWN
    found = getattr(column.ranges, key)
    return ends(found.low, found.high, column.marks[f"ranges.{key}"], digits)


def _occupancy_rows() -> list[Row]:
    return [
        (
            "CTAs resident",
            lambda c: figure(c.occupancy.ctas_per_sm, c.marks["occupancy.ctas_per_sm"]),
        ),
        (
            "warps resident",
            lambda c: (
                f"{figure(c.occupancy.warps_per_sm, c.marks['occupancy.warps_per_sm'])} "
                f"({percent(c.occupancy.occupancy_fraction)})"
            ),
        ),
        (
            "mean over time",
            lambda c: percent(
                c.achieved_occupancy_fraction, c.marks["achieved_occupancy_fraction"]
            ),
        ),
        ("limited by", lambda c: ", ".join(c.occupancy.limiting).replace("_", " ")),
        (
            "registers a thread",
            lambda c: figure(
                c.registers.registers_per_thread, c.marks["registers.registers_per_thread"]
            ),
        ),
        ("registers from", lambda c: c.registers.source.partition(" (")[0]),
        ("shared a CTA", lambda c: size(c.shared_bytes, c.marks["shared_bytes"])),
    ]


def _utilisation_rows(columns: Sequence[Column]) -> Iterator[Row]:
    for name in _ordered(u.resource for c in columns for u in c.utilisation):
        yield name, _share("utilisation", "resource", name)


def _wait_rows(columns: Sequence[Column]) -> Iterator[Row]:
    for name in _ordered(w.reason for c in columns for w in c.waits):
        yield name, _share("waits", "reason", name)


def _share(part: str, key: str, name: str) -> Callable[[Column], str]:
    def cell(column: Column) -> str:
        found = [x.fraction for x in getattr(column, part) if getattr(x, key) == name]
        return percent(found[0] if found else None, column.marks[f"{part}.fraction"])

    return cell


def _share_rows(columns: Sequence[Column], verbose: bool) -> Iterator[Row]:
    """Give the causes, the greatest first; what is little everywhere is put together."""
    most: dict[str, float] = {}
    for share in (s for c in columns for s in c.shares):
        most[share.cause] = max(most.get(share.cause, 0.0), share.fraction)
    names = sorted(most, key=lambda name: -most[name])
    shown = [name for name in names if most[name] >= _LEAST or (verbose and most[name] > 0)]
    for name in shown:
        yield name, _share("shares", "cause", name)
    if any(most[name] for name in set(names) - set(shown)):
        yield "all else", _rest(frozenset(shown))


def _rest(shown: frozenset[str]) -> Callable[[Column], str]:
    return lambda c: percent(
        sum(s.fraction for s in c.shares if s.cause not in shown), c.marks["shares.fraction"]
    )


def _roofline_rows() -> list[Row]:
    def row(name: str, key: str) -> Row:
        mark = f"roofline.{key}"
        return name, lambda c: figure(getattr(c.roofline, key), c.marks[mark])

    return [
        ("operations of kind", lambda c: c.roofline.kind or UNKNOWN),
        row("operations a byte", "flops_per_dram_byte"),
        row("GFLOP/s", "achieved_gflops"),
        row("GFLOP/s at the roof", "roof_gflops"),
        (
            "of the roof",
            lambda c: percent(c.roofline.roof_fraction, c.marks["roofline.roof_fraction"]),
        ),
    ]


def _memory_rows() -> list[Row]:
    def share(name: str, key: str) -> Row:
        return name, lambda c: percent(getattr(c.memory, key), c.marks[f"memory.{key}"])

    def moved(name: str, key: str) -> Row:
        return name, lambda c: size(getattr(c.memory, key), c.marks[f"memory.{key}"])

    return [
        share("loads that L1 has", "l1_hit_fraction"),
        moved("SMs ask of L2", "l2_bytes"),
        share("of it L2 has", "l2_hit_fraction"),
        moved("to and from DRAM", "dram_bytes"),
        (
            "DRAM, GB/s",
            lambda c: figure(c.memory.dram_gb_per_s, c.marks["memory.dram_gb_per_s"]),
        ),
    ]


def _traffic_rows(
    columns: Sequence[Column],
    kernel: KernelIdentity,
    key: str,
    written: Callable[[float | None, Mark | None], str],
) -> Iterator[Row]:
    for name in _ordered(t.region for c in columns for t in c.traffic):
        yield variable(name, kernel), _traffic(name, key, written)


def _traffic(
    name: str, key: str, written: Callable[[float | None, Mark | None], str]
) -> Callable[[Column], str]:
    def cell(column: Column) -> str:
        found = [getattr(t, key) for t in column.traffic if t.region == name]
        return written(found[0] if found else None, column.marks[f"traffic.{key}"])

    return cell


def _ordered(names: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))


def _rests_on(estimates: Sequence[Column], page: Page) -> None:
    """Say what the figures rest on; what all machines share is said once."""
    if not estimates:
        return
    first = estimates[0]
    verbose = page.style.verbose
    page.heading("what this rests on")
    page.facts([("trace", f"{first.trace}: {first.trace_reason}")])
    assumptions = _ordered(a for e in estimates for a in e.assumptions)
    page.line(f"assumptions of the trace: {len(assumptions) or 'none'}")
    page.items(assumptions, None if verbose else _ASSUMPTIONS, " (--verbose)")
    unmodelled = _ordered(
        f"{u.op_class} ({plural(u.warp_instructions, 'warp instruction')} a round)"
        for e in estimates[:1]
        for u in e.unmodelled
    )
    page.line(f"classes without a model: {', '.join(unmodelled) or 'none'}")
    page.line("left out of the model:")
    page.items(_ordered(s for e in estimates for s in e.simplifications))
    for words in _ordered(f"{e.machine}: {b}" for e in estimates for b in e.beyond_machine):
        page.line(f"warning: {words}, so this estimate is wrong: please report it")
    for note in _ordered(f"{e.machine}: {n}" for e in estimates for n in e.occupancy.notes):
        page.line(f"note: {note}")
    for estimate in estimates:
        add_assumed_values(estimate.machine, estimate.assumed_values, page)


# What a launch would take on changed machines, side by side, in the text of ``estimate``.

TITLE = "what if: time in µs, over that of now"

_FACTORS = {2.0: "twice", 0.5: "half"}

Key = tuple[str, float]


def add_what_if(columns: Sequence[MachineEstimate], page: Page, widths: Sequence[int]) -> None:
    """Show the changes beyond noise on one of the machines, the greatest gain first."""
    found = [{(w.name, w.factor): w for w in c.what_if or ()} for c in columns]
    if all(c.what_if is None for c in columns):
        return
    gains = _gains(found)
    rows = [key for key in gains if page.style.verbose or _has_gain(key, found)]
    page.heading(TITLE)
    if rows:
        header = ("", *(c.machine for c in columns))
        cells = [_row(key, columns, found) for key in rows]
        page.table(header, cells, widths=widths)
    else:
        page.line("twice or half of no one thing makes a difference beyond noise")
    noise = [(c.machine, c.what_if_noise_fraction, c.marks) for c in columns]
    page.facts(
        [
            (
                "noise",
                ", ".join(
                    f"{percent(least, marks['what_if_noise_fraction'])} on {name}"
                    for name, least, marks in noise
                    if least is not None
                ),
            )
        ]
    )
    _problems(columns, found, page)


def _gains(found: Sequence[dict[Key, WhatIfFacts]]) -> list[Key]:
    """List all changes: first what makes most faster, on the machine where it does most."""
    least: dict[Key, float] = {}
    for one in found:
        for key, change in one.items():
            ratio = 1.0 if change.ratio is None else change.ratio
            least[key] = min(least.get(key, ratio), ratio)
    return sorted(least, key=lambda key: least[key])


def _has_gain(key: Key, found: Sequence[dict[Key, WhatIfFacts]]) -> bool:
    """Whether a change makes a difference beyond noise on one of the machines."""
    some = [one[key] for one in found if key in one]
    return any(c.ratio is not None and not c.within_noise for c in some)


def _row(
    key: Key, columns: Sequence[MachineEstimate], found: Sequence[dict[Key, WhatIfFacts]]
) -> tuple[str, ...]:
    cells = (_cell(c, one.get(key)) for c, one in zip(columns, found, strict=True))
    return (_words(key), *cells)


def _words(key: Key) -> str:
    name, factor = key
    return f"{_FACTORS.get(factor, f'{factor:g} times')} the {name}"


def _cell(column: MachineEstimate, change: WhatIfFacts | None) -> str:
    if change is None or change.ratio is None:
        return UNKNOWN
    if change.within_noise:
        return "within noise"
    time = figure(change.time_us, column.marks["what_if.time_us"])
    return f"{time} ({change.ratio:.2f})"


def _problems(
    columns: Sequence[MachineEstimate], found: Sequence[dict[Key, WhatIfFacts]], page: Page
) -> None:
    """Say why there is no estimate of a change."""
    for column, one in zip(columns, found, strict=True):
        for key, change in one.items():
            if change.problem:
                page.line(f"{column.machine}, {_words(key)}: {change.problem}")


ESTIMATE_COLUMNS = (
    "kernel", "launch", "machine", "time_us", "execution_us", "launch_us", "estimated_cycles",
    "clock_mhz", "bound", "ctas_per_sm", "warps_per_sm", "occupancy_fraction",
    "achieved_occupancy_fraction", "limiting", "registers_per_thread", "registers_source",
    "shared_bytes", "round_cycles", "rounds", "warp_instructions", "warp_ipc", "flops_kind",
    "flops", "achieved_gflops", "roof_gflops", "l1_hit_fraction", "l2_hit_fraction",
    "l2_bytes", "dram_bytes", "unmodelled", "assumptions", "assumed_values", "what_if",
    "factor", "ratio", "within_noise", "reason", "mark",
)  # fmt: skip

_COUNTED = {"unmodelled", "assumptions", "assumed_values", "what_if"}


def _estimate(report: EstimateReport) -> Iterator[CsvRow]:
    columns = set(ESTIMATE_COLUMNS)
    for launch in report.launches:
        names = {"kernel": launch.kernel.name, "launch": launch.launch.name}
        for e in launch.estimates:
            yield {
                **names,
                **e.flat(only=columns - _COUNTED),
                **e.occupancy.flat(only=columns),
                **e.roofline.flat(only=columns),
                **e.memory.flat(only=columns),
                "flops_kind": e.roofline.kind,
                "registers_per_thread": e.registers.registers_per_thread,
                "registers_source": e.registers.source,
                "round_cycles": e.round.cycles,
                "rounds": e.round.rounds,
                "unmodelled": [f"{u.op_class} {u.warp_instructions}" for u in e.unmodelled],
                "assumptions": len(e.assumptions),
                "assumed_values": len(e.assumed_values),
                "mark": e.marks["time_us"].value,
            }
            for change in e.what_if or ():
                figures = change.flat(but={"name", "problem", "settings", "marks"})
                row = {"machine": e.machine, "what_if": change.name, "reason": change.problem}
                yield {**names, **row, **figures, "mark": e.marks["what_if.time_us"].value}
        for missing in launch.not_estimated:
            yield {**names, "machine": missing.machine, "reason": missing.reason}


ESTIMATE = CsvTable(ESTIMATE_COLUMNS, _estimate)
