"""What docs/guide/sweep.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from tests.reference.pages import codes, shows_what_is_printed
from warpmill.studies.tables import metadata
from warpmill.sweeps.figures import LARGER_IS_BETTER, METRICS
from warpmill.sweeps.space import read_space

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "sweep.md"


def fenced(kind):
    """The piece of the page in one language."""
    (text,) = re.findall(rf"```{kind}\n((?:(?!```).*\n)*)```", PAGE.read_text("utf-8"))
    return text


@pytest.mark.slow
def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    shows_what_is_printed(PAGE, 1, capsys, request)


@pytest.mark.slow
def test_its_python_runs_and_its_query_reads_the_store(beside_samples, capsys):
    (code,) = codes(PAGE)
    exec(code, {})
    *best, front, kept = capsys.readouterr().out.splitlines()
    assert len(best) == 2
    assert re.fullmatch(r"\d beaten by none; 0 were known", front)
    assert kept == "10 kept"  # of 12, two do not meet the condition; refused ones are not kept
    query = fenced("sql")
    with sqlite3.connect("studies.db") as database:
        rows = database.execute(query).fetchall()
    assert len(rows) == 10
    assert [f"{time}" for _, time in rows[:2]] == [line.split("} ")[1].split()[0] for line in best]


def test_its_file_of_a_space_is_one(tmp_path):
    (tmp_path / "space.toml").write_text(fenced("toml"))
    space = read_space(tmp_path / "space.toml")
    assert [axis.name for axis in space.axes] == ["block", "n", "machine"]
    assert len(space.conditions) == 2


def test_every_figure_and_every_table_of_the_store_is_explained():
    text = PAGE.read_text("utf-8")
    lines = [line for line in text.splitlines() if line.startswith("| `")]
    for name in METRICS:
        (line,) = [line for line in lines if f"`{name}`" in line and line.endswith(("s |", "e |"))]
        assert line.endswith("| more |" if name in LARGER_IS_BETTER else "| less |")
    for table in metadata.tables.values():
        (line,) = [line for line in lines if line.startswith(f"| `{table.name}` |")]
        assert re.findall(r"`(\w+)`", line.split("|")[2]) == [c.name for c in table.columns]
