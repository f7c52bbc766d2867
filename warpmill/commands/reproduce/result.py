"""Result of ``reproduce``: figures and tables of papers, and the rows behind one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from warpmill.analyzer.base.metric import Metric
from warpmill.report.base import Part, Report

if TYPE_CHECKING:
    from pathlib import Path

    from warpmill.benchmarks.benchmark import Benchmark, Measured
    from warpmill.benchmarks.papers import Item, Paper


class PaperItem(Part):
    """A figure or table of a paper: what it has, and the command that makes it.

    ``command`` is null where nothing is made; ``note`` says why, or where ours is another.
    """

    paper: Annotated[str, Metric("Paper")]
    item: Annotated[str, Metric("Figure")]
    description: Annotated[str, Metric("Description")]
    command: Annotated[str | None, Metric("Command")]
    note: Annotated[str | None, Metric("Remark")]


class ShownRow(Part):
    """A row of the table behind a figure, as texts."""

    cells: Annotated[tuple[str, ...], Metric("Values")]


class ReproduceReport(Report):
    """Items of papers; of one that a benchmark has measured also when, and its rows.

    ``measured`` says when and at which commit it was measured, and whether that is stale; null for
    several items, and for one that no benchmark makes. ``picture`` is the file that was written.
    """

    report: Literal["reproduce"] = "reproduce"
    items: tuple[PaperItem, ...]
    measured: Annotated[str | None, Metric("Measured")] = None
    columns: Annotated[tuple[str, ...], Metric("Columns")] = ()
    rows: tuple[ShownRow, ...] = ()
    picture: Annotated[str | None, Metric("Picture")] = None


def item_of(name: str, item: Item) -> PaperItem:
    """An item of a paper by its short name."""
    kind = "table" if item.kind == "table" else "figure"
    command = item.command or f"warpmill reproduce {name} --{kind} {item.number}"
    why = f"nothing is made: {item.none}" if item.none else ""
    return PaperItem(
        paper=name,
        item=item.title,
        description=item.what,
        command=None if item.none else command,
        note=item.note or why or None,
    )


def listed(papers: dict[str, Paper]) -> ReproduceReport:
    """The figures and tables of papers."""
    return ReproduceReport(
        items=tuple(
            item_of(name, item)
            for name, paper in papers.items()
            for item in paper.items
            if item.kind in {"figure", "table"}
        )
    )


def shown(
    name: str, item: Item, benchmark: Benchmark[Part], found: Measured[Part], plot: Path | None
) -> ReproduceReport:
    """An item that a benchmark makes: its rows, and its picture where a file is given."""
    from warpmill.report.page import Page, PageTable, Style  # noqa: PLC0415 - slow to load
    from warpmill.report.read import Reader  # noqa: PLC0415

    page = Page(Style(verbose=True))
    for section in benchmark.sections:
        if getattr(section, "title", "") == item.section:
            section.add(page, Reader(found.result))
    table = next((block for block in page.blocks if isinstance(block, PageTable)), None)
    if plot is not None:
        _draw(item, benchmark, found, plot)
    return ReproduceReport(
        items=(item_of(name, item),),
        measured=found.state,
        columns=() if table is None else table.header,
        rows=() if table is None else tuple(ShownRow(cells=cells) for cells in table.rows),
        picture=None if plot is None else str(plot),
    )


def _draw(item: Item, benchmark: Benchmark[Part], found: Measured[Part], plot: Path) -> None:
    """Write the picture of an item: the benchmark draws all of its own, one is kept."""
    import tempfile  # noqa: PLC0415 - only where asked for
    from pathlib import Path  # noqa: PLC0415

    from warpmill.analyzer.base.whole_files import write_whole  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder:
        benchmark.load(benchmark.draw)(found.result, Path(folder))
        write_whole(plot, (Path(folder) / item.picture).read_bytes())
