"""docs/stargazer.md, written from a result of benchmarks.stargazer."""

from __future__ import annotations

from pathlib import Path

from benchmarks.pages import rendered
from benchmarks.stargazer_parts import page_tables as tables
from benchmarks.stargazer_parts import page_words as words
from benchmarks.stargazer_parts import plots
from benchmarks.stargazer_parts.accuracy import FEW, MOST, SIZES, TESTED, TRIES
from benchmarks.stargazer_parts.beside import workloads
from benchmarks.stargazer_parts.figures import TRACED, WIDE
from benchmarks.stargazer_parts.measuring import AS_PRINTED, REASONABLE
from benchmarks.stargazer_parts.samples import ADJUSTED, PRESET, TAILED
from warpmill.exploring.space_file import space_called
from warpmill.simulator.regression.fit import FIXED_TERMS
from warpmill.simulator.regression.model import words_of_term

TEMPLATE = Path(__file__).with_name("page.md.j2")


def write(result, docs):
    """Write the page and its pictures into a folder."""
    pictures = docs / "stargazer"
    pictures.mkdir(exist_ok=True)
    plots.draw(result, pictures)
    (docs / "stargazer.md").write_text(page(result), "utf-8")


def page(result):
    """Write the page: the tables of a result, and where its pictures are."""
    space = space_called(result["space"]["name"])
    figures = result["figures"]
    return rendered(
        TEMPLATE,
        result,
        space=result["space"],
        base=space.base,
        parameters=len(space.parameters),
        values=", ".join(map(str, words.sampled_blocks())),
        preset=PRESET,
        workloads=len(workloads(result)),
        adjusted=ADJUSTED,
        tailed=TAILED,
        least_drawn=f"{plots.LEAST_DRAWN:g}",
        few=FEW,
        most=MOST,
        sizes=SIZES,
        tested=TESTED,
        tries=TRIES,
        as_printed=f"{AS_PRINTED:g}",
        reasonable=f"{REASONABLE:g}",
        goals=tables.goals(result),
        missed=tables.missed(result),
        explanations=tables.explanations(result),
        beside=tables.beside_paper(result),
        sampled=tables.sampled(result),
        errors=tables.errors(result),
        thresholds=tables.thresholds(result),
        at_reasonable=result[f"at_{REASONABLE:g}"],
        found=result,
        knowledge=tables.knowledge(result),
        contributions=tables.contributions(result),
        named=", ".join(f"`{term}`" for term in plots.important(result)),
        first=words.dominant(result, "contributions", AS_PRINTED),
        first_of_wide=words.dominant(result, "contributions_of_wide", AS_PRINTED),
        wide=WIDE,
        wide_samples=words.wide_samples(result),
        traced=TRACED,
        trace=tables.trace(result),
        trace_thresholds=figures.get("table_1", {}).get("thresholds"),
        figure_4=words.figure_4(result, (TAILED, ADJUSTED)),
        sensitivities=words.sensitivities(result),
        fixed_terms=", ".join(f"`{words_of_term(term)}`" for term in FIXED_TERMS),
        fixed=tables.fixed(result),
        worse=words.worse_than_fixed(result),
        others=tables.others(result),
        others_by_workload=tables.others_by_workload(result),
        speed=result["speed"],
    )
