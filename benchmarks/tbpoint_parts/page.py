"""docs/tbpoint.md, written from a result of benchmarks.tbpoint."""

from __future__ import annotations

from pathlib import Path

from benchmarks.pages import rendered
from benchmarks.tbpoint_parts import measured, plots
from benchmarks.tbpoint_parts import page_tables as tables
from benchmarks.tbpoint_parts.figures import LARGE_SAMPLE, LEAST_ERROR
from benchmarks.tbpoint_parts.further import MOST_POINTS
from benchmarks.tbpoint_parts.interleaving_plot import write_interleavings
from warpmill.simulator.sampling.clustering import MOST_CLUSTERS
from warpmill.simulator.sampling.interleaving import GRID, SAMPLES, interleavings
from warpmill.simulator.sampling.region_runs import STABLE

TEMPLATE = Path(__file__).with_name("page.md.j2")


def write(result, docs, settings=GRID, samples=SAMPLES):
    """Write the page and its pictures into a folder; ``settings`` are those of Figure 5."""
    pictures = docs / "tbpoint"
    pictures.mkdir(exist_ok=True)
    found = interleavings(settings, samples)
    plots.draw(result, pictures)
    write_interleavings(found, pictures / "figure_5.png")
    (docs / "tbpoint.md").write_text(page(result, found), "utf-8")


def page(result, found):
    """Write the page: the tables of a result and of interleavings, and where pictures are."""
    return rendered(
        TEMPLATE,
        result,
        machine=measured.MACHINE,
        preset=measured.PRESET,
        seeds=measured.SEEDS,
        kernels=len(result["rows"]),
        launches=f"{sum(row['launches'] for row in result['rows']):,}",
        ctas=f"{sum(row['ctas'] for row in result['rows']):,}",
        watched=STABLE.units,
        most_points=MOST_POINTS,
        least_error=LEAST_ERROR,
        large_percent=f"{100 * LARGE_SAMPLE:g}",
        goals=tables.goals(result, found),
        missed=tables.missed(result, found),
        ways=tables.ways(result),
        rows=tables.kernels(result),
        few=[row["workload"] for row in result["rows"] if row["units"] <= MOST_CLUSTERS],
        intervals=result["intervals"],
        large=tables.large(result),
        skipped=tables.skipped(result),
        sizes=tables.sizes(result),
        rules=tables.rules(result),
        machines=tables.machines(result),
        others=tables.machine_words(result),
        methods=tables.methods(result),
        interleaving=tables.interleaving(found),
        samples=f"{found.variations[0].samples:,}",
        settings=len(found.variations),
        cost=result["cost"],
        costs=tables.costs(result),
        speedup=result["speedup"],
    )
