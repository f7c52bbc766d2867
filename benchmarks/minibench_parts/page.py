"""docs/clones.md, written from a result of benchmarks.minibench."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

from benchmarks.minibench_parts import page_tables as tables
from benchmarks.minibench_parts import plots
from benchmarks.minibench_parts.extras import READ_AT, SERIES_ON, SHORTENED_ON, SPACE_ON
from benchmarks.minibench_parts.further import MOST_ERROR
from benchmarks.pages import rendered

TEMPLATE = Path(__file__).with_name("page.md.j2")


def write(result, docs):
    """Write the page and its pictures into a folder."""
    pictures = docs / "clones"
    pictures.mkdir(exist_ok=True)
    plots.draw(result, pictures)
    (docs / "clones.md").write_text(page(result), "utf-8")


def page(result):
    """Write the page: the tables of a result, and where its pictures are."""
    return rendered(
        TEMPLATE,
        result,
        goals=tables.goals(result),
        with_loops=result["workloads_with_loops"],
        machines=len(result["machines"]),
        ranks=result["ranks_kept"]["workloads"],
        swapped=tables.swapped(result["ranks_kept"]["swapped"]),
        over=tables.over(result["over_10"]),
        without_loops=tables.pairs(r for r in result["rows"] if not r["loops"]),
        hard=tables.hard(result["rows"]),
        rows=tables.rows(result["rows"]),
        alike=tables.alike(result),
        problems=tables.problems(result["problems"]),
        **_extras(result),
    )


def _extras(result):
    """What only a whole result has; empty where it was not measured."""
    auto = result.get("auto") or {}
    short = result.get("one_iteration") or {}
    space = result.get("space") or {}
    graph = result.get("figure_13")
    own = {r["name"]: r["error_percent"] for r in result["rows"] if r["machine"] == SHORTENED_ON}
    both = [name for name in short if name in own]
    return {
        "series": tables.series(result.get("series") or {}),
        "series_on": SERIES_ON,
        "auto": auto,
        "most_error": f"{MOST_ERROR:.0%}",
        "auto_machines": len(auto.get("speedup", ())),
        "search_s": _seconds(auto.get("search_cpu_s")),
        "original_s": _seconds(auto.get("search_original_cpu_s")),
        "auto_table": tables.automatic(auto),
        "auto_rows": tables.automatic_rows(result),
        "shortened_on": SHORTENED_ON,
        "one_iteration": tables.one_iteration(short, own),
        "one_iteration_mean": _mean(short[name] for name in both),
        "clones_mean": _mean(own[name] for name in both),
        "flows": tables.flows(result.get("figure_22")),
        "space": tables.space(space),
        "space_on": SPACE_ON,
        "read_at": f"{READ_AT:.0%}",
        "space_means": _space_means(space),
        "figure_3": tables.figure_3(result.get("figure_3")),
        "figure_13": graph,
        "figure_13_nodes": tables.nodes(graph),
        "figure_13_edges": tables.edges(graph),
        "accepted": tables.accepted(result.get("accepted")),
    }


def _seconds(value):
    return "-" if value is None else f"{value:,.0f}"


def _mean(values):
    each = [abs(value) for value in values]
    return f"{fmean(each):.1f} %" if each else "not measured"


def _space_means(space):
    ways = next(iter(space.values()), {})
    each = {way: [abs(one[way]["error_percent"]) for one in space.values()] for way in ways}
    return ", ".join(f"{way} {fmean(errors):.1f} %" for way, errors in each.items())
