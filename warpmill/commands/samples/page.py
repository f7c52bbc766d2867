"""The pages of ``samples``, and their rows as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from warpmill.commands.samples.result import ListedWorkload, PresetSummary, SamplesReport
from warpmill.report.page import Page
from warpmill.report.sections import Comparison, Repeated, Shown, Special, Table, add_sections
from warpmill.report.table import CsvTable, RowsOf
from warpmill.report.words import duration

_SHOWN = "small"
_LETTERS = {"hybrid": "H", "tbpoint": "T", "stargazer": "S", "minibench": "M", "gtpin": "G"}
_ALL = 1 << 30


def _samples(page: Page, report: SamplesReport) -> None:
    """Many workloads a line each, or one in full."""
    if len(report.samples) == 1:
        add_sections(page, report.samples[0], ONE)
        return
    page.title(f"workloads: {len(report.samples)}")
    page.line("samples show NAME says all of one, samples run NAME runs and checks it;")
    page.line("commands take NAME, NAME:PRESET, NAME:PRESET:BUILD where a launch file stands")
    page.line("papers: " + ", ".join(f"{letter} {paper}" for paper, letter in _LETTERS.items()))
    page.line("presets: tiny, small, and those of each paper whose letter is a capital")
    page.line(f"o: in OpenCL too; launches, threads, instructions per thread: of preset {_SHOWN}")
    add_sections(page, report, (AREAS,))


def _papers(one: ListedWorkload) -> str:
    """The letters of its papers, capitals where it has a preset of the paper's size."""
    sized = {preset.preset.partition("-")[2].partition("-")[0] for preset in one.presets}
    letters = (
        (letter if paper in sized else letter.lower()) if paper in one.form.papers else "·"
        for paper, letter in _LETTERS.items()
    )
    return "".join(letters)


def _total(name: str) -> Shown:
    """A total of the preset that the list shows."""

    def value(one: ListedWorkload) -> Any:
        found = next((p.executed for p in one.presets if p.preset == _SHOWN), None)
        return None if found is None else getattr(found.total, name)

    label = {"instructions_per_thread": "per thread"}.get(name, name)
    return Shown("", label, words=value)


AREAS = Repeated(
    "areas",
    (
        Table(
            lambda area: f"{area.area}: {len(area.samples)}",
            "samples",
            (
                Shown("name", "workload"),
                Shown("", "papers", words=_papers),
                Shown("builds", "o", words=lambda builds: "o" if "opencl" in builds else ""),
                _total("launches"),
                _total("threads"),
                _total("instructions_per_thread"),
                Shown("form.title", "description"),
            ),
            top=_ALL,
            left=(0, 1, 2, 6),
            wrap=(6,),
        ),
    ),
)


def _hybrid(facts: Any) -> str | None:
    return facts and ", ".join(f"{theirs} is {ours}" for theirs, ours in facts.kernels.items())


def _tbpoint(facts: Any) -> str | None:
    return facts and f"{facts.launches:,} launches, {facts.ctas:,} CTAs, type {facts.type}"


def _stargazer(facts: Any) -> str | None:
    counts = facts and f"{facts.thread_instructions:,} thread instructions"
    return facts and f"{facts.problem}, {facts.threads_per_block} threads a CTA, {counts}"


def _sizes(sizes: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sizes.items())


def _preset(page: Page, preset: PresetSummary) -> None:
    page.heading(f"{preset.preset}   {_sizes(preset.sizes)}")
    if preset.executed is None:
        page.line("not counted yet")


_KERNEL_TABLE = (
    "kernel", "launches", "ctas", "threads", Shown("warp_instructions", "by warps"),
    Shown("thread_instructions", "by threads"), Shown("instructions_per_thread", "per thread"),
)  # fmt: skip

ONE = (
    Special(lambda page, one: page.title(f"{one.name}: {one.form.title}")),
    Comparison(
        "",
        (
            "form.area", "form.suite", "form.papers", "builds", "form.main_kernel",
            "form.checked_by", Shown("form.left_out", words=lambda text: " ".join(text.split())),
            Shown("form.paper.hybrid", "hybrid says", words=_hybrid),
            Shown("form.paper.tbpoint", "tbpoint says", words=_tbpoint),
            Shown("form.paper.stargazer", "stargazer says", words=_stargazer),
        ),
    ),
    Repeated("presets", (Special(_preset), Table("", "executed.with_total", _KERNEL_TABLE, _ALL))),
)  # fmt: skip

PAGE = (Special(_samples),)

RUN_PAGE = (
    Special(lambda page, done: page.title(f"samples run: {done.target}")),
    Comparison(
        "",
        (
            Shown("passed", "Results", words=lambda passed: "right" if passed else "WRONG"),
            Shown("device", words=lambda at: "cpu, executed here" if at == "cpu" else at),
            Shown("sizes", words=_sizes),
            Shown(
                "seconds",
                "Duration",
                words=lambda spent: f"{duration(spent['run'])}, {duration(spent['make'])} for "
                f"inputs, {duration(spent['check'])} for checks",
            ),
        ),
    ),
    Table("Instructions executed", "executed.with_total", _KERNEL_TABLE, _ALL),
    Table(
        "Checks",
        "checks",
        (
            "name", "against", "elements", "wrong",
            Shown("worst", words=lambda worst: None if worst is None else f"{worst:.2g}"),
            "tolerance",
        ),
        top=_ALL,
        left=(0, 1, 5),
        wrap=(0, 1),
    ),
)  # fmt: skip

_COUNTS = (
    "launches", "ctas", "threads", "warp_instructions", "thread_instructions",
    "instructions_per_thread",
)  # fmt: skip
_FORM = ("title", "area", "suite", "papers")
_FACTS = {key: f".samples.form.{key}" for key in _FORM} | {
    key: f".samples.{key}" for key in ("name", "builds")
}

SAMPLES = CsvTable(
    ("name", *_FORM, "builds", "preset", "kernel", *_COUNTS, "mark"),
    (
        RowsOf(
            "samples.presets.executed.kernels",
            {**_FACTS, "preset": ".samples.presets.preset"},
            mark="launches",
        ),
        RowsOf("samples.presets", _FACTS, chosen=lambda preset: preset.executed is None),
    ),
)

SAMPLES_RUN = CsvTable(
    (
        "kind", "name", *_COUNTS, "against", "elements", "wrong", "tolerance", "worst", "passed",
        "seconds", "mark",
    ),
    (
        RowsOf("executed.kernels", {"name": "kernel"}, {"kind": "kernel"}, mark="launches"),
        RowsOf("checks", {}, {"kind": "check"}, mark="elements"),
        *(
            RowsOf(
                "",
                {"seconds": f".seconds.{name}", "passed": lambda _: None},
                {"kind": "time", "name": name},
            )
            for name in ("make", "run", "check")
        ),
    ),
)  # fmt: skip
