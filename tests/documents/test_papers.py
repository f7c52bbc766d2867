"""benchmarks/papers.py: every figure and table of the papers has one maker, which is there."""

import re
import shlex
from dataclasses import replace

import pytest
from typer.main import get_command

from warpmill.benchmarks.papers import PAGE, TABLE, Item, checked, page, read
from warpmill.cli.app import app

ALL = [(name, item) for name, paper in read().items() for item in paper.items]
COMMANDS = sorted({item.command for _, item in ALL if item.command})
FIGURE = Item(kind="figure", number="1", what="A figure.", command="warpmill machines")


def test_the_page_is_what_the_table_gives():
    assert PAGE.read_text("utf-8") == page(checked(read())), "python -m benchmarks.papers"


def test_links_of_the_page_lead_to_files():
    links = re.findall(r"\]\(([^)]+)\)", PAGE.read_text("utf-8"))
    assert len(links) > len(ALL) / 2
    assert [link for link in links if not (PAGE.parent / link).exists()] == []


def test_every_figure_and_table_of_a_paper_is_there():
    counts = {
        "tbpoint": (13, "I II III IV V VI"),
        "gtpin": (8, "I II III"),
        "stargazer": (7, "1 2 3 4"),
        "minibench": (22, "1 2 3"),
        "hybrid": (4, "I II III IV V VI"),
    }
    assert list(read()) == list(counts)
    for name, (figures, tables) in counts.items():
        paper = read()[name]
        assert paper.numbers("figure") == [str(number) for number in range(1, figures + 1)]
        assert paper.numbers("table") == tables.split()


def test_every_command_can_be_typed():
    assert len(COMMANDS) > 20
    for command in COMMANDS:
        program, *words = shlex.split(command)
        assert program == "warpmill"
        parse(words)


@pytest.mark.parametrize("words", [["made-up"], ["dfsg", "bfs:tiny", "--made-up"], ["sample"]])
def test_what_is_no_command_is_found(words):
    with pytest.raises(Exception, match=r"made-up|TARGET"):
        parse(words)


def parse(words):
    """Read words as the command line does, and run nothing."""
    own, parent, name = get_command(app), None, "warpmill"
    while True:
        context = own.make_context(name, list(words), parent=parent)
        if not hasattr(own, "resolve_command"):
            return
        words = [*context._protected_args, *context.args]
        name, found, words = own.resolve_command(context, words)
        assert found is not None
        own, parent = found, context


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"command": ""}, "one of"),
        ({"none": "a drawing", "see": "docs/ir.md"}, "one of"),
        ({"picture": "figure_1.png"}, "without a benchmark"),
        ({"command": "", "none": "a drawing"}, "see goes with none"),
        ({"command": "ls"}, "not a command"),
    ],
)
def test_an_item_is_made_in_one_way(changes, problem):
    with pytest.raises(ValueError, match=problem):
        replace(FIGURE, **changes)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('benchmark = "tbpoint"', 'benchmark = "points"', "no benchmark points"),
        ('section = "Every kernel"', 'section = "Kernels"', "tbpoint has no section Kernels"),
        ('picture = "figure_9.png"', 'picture = "9.png"', "no docs/tbpoint/9.png"),
        ('see = "docs/simulator.md"', 'see = "docs/gpu.md"', "no docs/gpu.md"),
        ('what = "', 'colour = "red"\nwhat = "', "colour"),
    ],
)
def test_what_is_named_is_there(old, new, problem, tmp_path):
    path = tmp_path / "papers.toml"
    path.write_text(TABLE.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(ValueError, match=problem):
        checked(read(path))
