"""docs/gtpin.md, written from a result of benchmarks.gtpin."""

from __future__ import annotations

from pathlib import Path

from benchmarks.gtpin_parts import page_tables as tables
from benchmarks.gtpin_parts import plots
from benchmarks.gtpin_parts.figures import LEAST, THRESHOLD, WAYS
from benchmarks.gtpin_parts.runs import CLOCKS, MACHINES, PAPER_MHZ
from benchmarks.pages import rendered

TEMPLATE = Path(__file__).with_name("page.md.j2")


def write(result, docs):
    """Write the page and its pictures into a folder."""
    pictures = docs / "gtpin"
    pictures.mkdir(exist_ok=True)
    plots.draw(result, pictures)
    (docs / "gtpin.md").write_text(page(result), "utf-8")


def page(result):
    """Write the page: the tables of a result, and where its pictures are."""
    return rendered(
        TEMPLATE,
        result,
        machine=result["machine"],
        clocks=", ".join(map(str, CLOCKS)),
        paper_mhz=PAPER_MHZ,
        machines=" and ".join(f"`{name}`" for name in MACHINES),
        applications=len(result["rows"]),
        launches=f"{sum(row['launches'] for row in result['rows']):,}",
        goals=tables.goals(result),
        missed=[goal["what"] for goal in result["goals"] if not goal["reached"]],
        ways=tables.ways(result),
        rows=tables.applications(result),
        far=tables.far(result),
        best=tables.combination(result[WAYS[2]]),
        least=_kinds(result[LEAST]),
        threshold=_kinds(result[THRESHOLD]),
        samples=", ".join(row["application"] for row in plots.samples(result)),
        thresholds=tables.thresholds(result),
        universals=tables.universals(result),
        validation=tables.validation(result),
        trials=result["validation"][LEAST]["trials"],
        by_application=tables.by_application(result),
        unknown=tables.unknown(result),
        intervals=tables.intervals(result),
        estimate=_estimate(result["estimate"]),
        estimates=tables.estimates(result),
        cost=result["cost"],
        costs=tables.costs(result),
    )


def _kinds(one):
    divisions = ", ".join(f"{word} {number}" for word, number in one["divisions"].items())
    return {**one, "divisions": divisions}


def _estimate(one):
    """The figures of estimates in words; empty where none is known."""
    if not one["known"]:
        return {}
    return {**one, "errors": [one["errors"][way] for way in WAYS]}
