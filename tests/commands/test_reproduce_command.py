"""``warpmill reproduce``: lists, a figure from a kept result, its picture, and what is refused."""

import json

import pytest

from tests.commands.test_cli_bad_input import fails
from warpmill.benchmarks.benchmark import every_benchmark
from warpmill.benchmarks.papers import read
from warpmill.cli.main import main


def told(capsys, *words):
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_every_figure_and_table_is_listed(capsys):
    found = json.loads(told(capsys, "reproduce", "--format", "json"))["items"]
    assert {one["paper"] for one in found} == set(read())
    wanted = [i for paper in read().values() for i in paper.items if i.kind in {"figure", "table"}]
    assert len(found) == len(wanted)
    (own,) = (one for one in found if (one["paper"], one["item"]) == ("tbpoint", "Figure 8"))
    assert own["command"] == "warpmill reproduce tbpoint --figure 8"
    (drawing,) = (one for one in found if (one["paper"], one["item"]) == ("tbpoint", "Figure 2"))
    assert (drawing["command"], drawing["note"]) == (
        None,
        "nothing is made: a drawing of the method",
    )


def test_one_paper_alone(capsys):
    found = json.loads(told(capsys, "reproduce", "gtpin", "--format", "json"))["items"]
    assert {one["paper"] for one in found} == {"gtpin"}


def test_a_figure_is_that_of_the_kept_result_with_its_picture(capsys, tmp_path):
    picture = tmp_path / "sizes.png"
    words = ("tbpoint", "--figure", "8", "--plot", str(picture), "--format", "json")
    found = json.loads(told(capsys, "reproduce", *words))
    kept = every_benchmark()["tbpoint"].kept()
    assert found["measured"] == kept.state
    cells = [row["cells"] for row in found["rows"]]
    assert [row[0] for row in cells] == [row.workload for row in kept.result.rows]
    assert found["columns"][:2] == ["workload", "type"]
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert found["picture"] == str(picture)


def test_a_table_is_found_however_it_is_written(capsys):
    for number in ("vi", "VI"):
        assert "Table VI of tbpoint" in told(capsys, "reproduce", "tbpoint", "--table", number)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tbpoin"], "there is no paper `tbpoin`"),
        (["--figure", "3"], "name the paper: tbpoint"),
        (["tbpoint", "--figure", "99"], "tbpoint has no figure 99: there are 1, 2"),
        (["tbpoint", "--figure", "2"], "see docs/guide/sample.md"),
        (["tbpoint", "--fresh"], "say which, with --figure or --table"),
        (["tbpoint", "--figure", "8", "--table", "I"], "one figure or one table at a time"),
        (["tbpoint", "--figure", "8", "--plot", "a.svg"], "its name ends in .png"),
    ],
)
def test_what_cannot_be_is_refused(capsys, words, message):
    fails(capsys, ["reproduce", *words], 2, message)
