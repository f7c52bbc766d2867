"""The page of ``estimate``: machines side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from warpmill.reports.estimate import EstimateReport, LaunchEstimates, MachineEstimate
from warpmill.views.page import Page, figure, percent, size
from warpmill.views.words import add_kernel, plural

_NAMES_WIDTH = 26
_MACHINE_WIDTH = 16
_ASSUMED = 3
_ASSUMPTIONS = 5

Column = MachineEstimate


def estimate_page(report: EstimateReport, page: Page) -> None:
    """Show each launch with its estimates."""
    for launch in report.launches:
        _launch(report, launch, page)


def _launch(report: EstimateReport, launch: LaunchEstimates, page: Page) -> None:
    add_kernel(page, "estimate", launch.kernel, launch.launch)
    if report.overrides:
        page.facts([("set", ", ".join(f"{k} = {v}" for k, v in report.overrides.items()))])
    if report.paper_pipeline:
        page.facts([("pipeline", "as in the paper: a warp waits for each result")])
    for missing in launch.not_estimated:
        page.facts([(missing.machine, f"no estimate: {missing.reason}")])
    per_table = max(1, (page.style.width - _NAMES_WIDTH) // _MACHINE_WIDTH)
    for start in range(0, len(launch.estimates), per_table):
        _side_by_side(launch.estimates[start : start + per_table], page)
    _rests_on(launch.estimates, page)


def _side_by_side(columns: Sequence[Column], page: Page) -> None:
    header = ("", *(c.machine for c in columns))
    for title, rows in (
        ("time", _time_rows()),
        ("occupancy of an SM", _occupancy_rows()),
        ("busy, share of the round", _utilisation_rows(columns)),
        ("waiting of warps, by reason", _wait_rows(columns)),
        ("traffic to L2, by buffer", _traffic_rows(columns)),
    ):
        shown = [(name, *(cell(c) for c in columns)) for name, cell in rows]
        kept = [row for row in shown if page.style.verbose or any(_says(cell) for cell in row[1:])]
        if kept:
            page.heading(title)
            page.table(header, kept)


def _says(cell: str) -> bool:
    return cell.rstrip("~≈?") not in ("0.0%", "-", "")


Row = tuple[str, Callable[[Column], str]]


def _time_rows() -> list[Row]:
    return [
        ("time in µs", lambda c: figure(c.time_us, c.marks["time_us"])),
        (
            "cycles",
            lambda c: figure(c.estimated_cycles, c.marks["estimated_cycles"], digits=0),
        ),
        ("clock in MHz", lambda c: figure(c.clock_mhz, c.marks["clock_mhz"])),
        ("bound by", lambda c: c.bound),
        (
            "cycles of a round",
            lambda c: figure(c.round.cycles, c.marks["round.cycles"], digits=0)
            + (" extrapolated" if c.round.extrapolated else ""),
        ),
        ("rounds", lambda c: figure(c.round.rounds, c.marks["round.rounds"])),
    ]


def _occupancy_rows() -> list[Row]:
    return [
        (
            "CTAs resident",
            lambda c: figure(c.occupancy.ctas_per_sm, c.marks["occupancy.ctas_per_sm"]),
        ),
        (
            "warps resident",
            lambda c: f"{figure(c.occupancy.warps_per_sm, c.marks['occupancy.warps_per_sm'])} "
            f"({percent(c.occupancy.occupancy_fraction)})",
        ),
        ("limited by", lambda c: ", ".join(c.occupancy.limiting).replace("_", " ")),
        (
            "registers a thread",
            lambda c: figure(
                c.registers.registers_per_thread, c.marks["registers.registers_per_thread"]
            ),
        ),
        ("registers from", lambda c: c.registers.source),
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


def _traffic_rows(columns: Sequence[Column]) -> Iterator[Row]:
    for name in _ordered(t.region for c in columns for t in c.traffic):
        yield name, _traffic(name)


def _traffic(name: str) -> Callable[[Column], str]:
    def cell(column: Column) -> str:
        for t in column.traffic:
            if t.region == name:
                asked = size(t.requested_bytes, column.marks["traffic.requested_bytes"])
                hits = percent(t.l2_hit_fraction, column.marks["traffic.l2_hit_fraction"])
                return f"{asked}, {hits} hit"
        return "-"

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
    for note in _ordered(f"{e.machine}: {n}" for e in estimates for n in e.occupancy.notes):
        page.line(f"note: {note}")
    for estimate in estimates:
        _assumed_values(estimate, page)


def _assumed_values(estimate: Column, page: Page) -> None:
    found = estimate.assumed_values
    page.line(f"{estimate.machine}: {plural(len(found), 'machine value')} assumed")
    if page.style.verbose:
        page.table(
            ("key", "value", "unit", "from", "source"),
            [(v.key, v.value, v.unit, f"{v.origin} ({v.status})", v.source) for v in found],
            left=(0, 2, 3, 4),
        )
        return
    lines = [f"{v.key} = {v.value} {v.unit}".rstrip() + f" ({v.status})" for v in found]
    page.items(lines, _ASSUMED, " (--verbose)")
