"""benchmarks/benchmark.py and its command line: what is measured, kept, judged, shown, refused."""

import json
from types import SimpleNamespace
from typing import Annotated

import pytest

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks import __main__ as command_line
from warpmill.benchmarks import benchmark as module
from warpmill.benchmarks.benchmark import Benchmark, Goal, Measured, Request, column
from warpmill.report.base import Part
from warpmill.report.sections import Table


class Row(Part):
    name: Annotated[str, Metric("program")]
    error: Annotated[float | None, Metric("error")]


class Errors(Part):
    rows: tuple[Row, ...]

    @derived("largest error, %")
    def largest(self) -> float | None:
        return max((row.error for row in self.rows if row.error is not None), default=None)


TABLE = Table("Programs", "rows", ("name", column("error", form="{:+.1f} %")))
ABOUT = {
    "date": "2026-01-02", "commit": "abc1234", "version": "0.1", "computer": {"processor": "a CPU"},
}  # fmt: skip
TEMPLATE = """# Errors

`{{ command }}`: {{ number(result.largest) }} %, missed: {{ missed | join }}



{{ goals }}

{{ section("Programs") }}
"""


def result(*errors):
    return Errors(rows=tuple(Row(name=f"p{k}", error=error) for k, error in enumerate(errors)))


@pytest.fixture
def made(monkeypatch, tmp_path):
    """A benchmark, what it was asked to measure, and what is kept."""
    asked, shelf = [], {}

    def measure(request):
        asked.append(request)
        return result(1.0, 12.0)

    def keep(name, data, before, own):
        assert own == "benchmarks/some"
        assert before == ("hashes", ("*.toml",))
        shelf[name] = {**ABOUT, "result": json.loads(json.dumps(data)), "changed": []}

    one = Benchmark(
        name="some", about="errors of programs", takes="an hour", result="of.here:Errors",
        measure="of.here:measure", sections=(TABLE,), parts="programs", data=("*.toml",),
        goals=(Goal("largest", 10.0), Goal("largest", paper=4.0, what="the paper's")),
    )  # fmt: skip
    places = {"of.here:Errors": Errors, "of.here:measure": measure}
    monkeypatch.setattr(Benchmark, "load", lambda _, place: places[place])
    monkeypatch.setattr(module, "keep", keep)
    monkeypatch.setattr(module, "recorded", shelf.get)
    monkeypatch.setattr(module, "snapshot", lambda data: ("hashes", data))
    (tmp_path / "page.md.j2").write_text(TEMPLATE)
    monkeypatch.setattr(Benchmark, "template", tmp_path / "page.md.j2")
    monkeypatch.setattr(module.Benchmark.write, "__defaults__", (tmp_path,))
    monkeypatch.setattr(command_line, "DOCS", tmp_path)
    monkeypatch.setattr(command_line, "every_benchmark", lambda: {"some": one})
    return SimpleNamespace(one=one, asked=asked, shelf=shelf, page=tmp_path / "some.md")


def test_nothing_is_measured_without_being_asked(made):
    with pytest.raises(SystemExit, match=r"--fresh does, and keeps it \(an hour\)"):
        command_line.main(["some"])
    assert made.asked == []


def test_what_is_measured_is_kept_and_shown_again(made, capsys):
    command_line.main(["some", "--fresh", "--store", "s.db", "--workers", "3", "--json"])
    assert made.asked == [Request(store="s.db", workers=3)]
    told = json.loads(capsys.readouterr().out)
    assert told["rows"] == [{"name": "p0", "error": 1.0}, {"name": "p1", "error": 12.0}]
    assert (told["largest"], told["fresh"], told["commit"]) == (12.0, True, "abc1234")
    assert [goal["verdict"] for goal in told["goals"]] == ["MISSED", ""]
    command_line.main(["some", "--docs"])
    assert len(made.asked) == 1
    assert "  p1       +12.0 %" in capsys.readouterr().out
    assert made.page.read_text() == made.one.page(made.one.kept())


@pytest.mark.parametrize(
    ("words", "wanted"),
    [(["p0", "p1"], Request(names=("p0", "p1"))), (["--quick"], Request(quick=True))],
)
def test_a_part_is_shown_and_not_kept(made, capsys, words, wanted):
    command_line.main(["some", *words])
    assert made.asked == [wanted]
    assert made.shelf == {}
    assert "Measured now, and not kept." in capsys.readouterr().out
    for whole in ("--fresh", "--docs"):
        with pytest.raises(SystemExit):
            command_line.main(["some", *words, whole])
    assert "leave out parts and --quick" in capsys.readouterr().err
    assert len(made.asked) == 1


@pytest.mark.parametrize(
    ("value", "changed", "is_whole", "verdict"),
    [
        (10.0, (), True, "reached"),
        (10.1, (), True, "MISSED"),
        (None, (), True, "unknown"),
        (1.0, ("a/b/c.py",), True, "within, stale"),
        (1.0, (), False, "within so far"),
    ],
)
def test_only_what_is_whole_and_fresh_reaches_a_goal(value, changed, is_whole, verdict):
    found = Measured(None, ABOUT, changed, is_whole)
    assert found.verdict(Goal("x", 10.0), value) == verdict
    assert found.verdict(Goal("x", paper=1.0), value) == ""


def test_a_goal_may_be_a_least():
    goal = Goal("x", 90.0, at_least=True)
    verdicts = [Measured(None, ABOUT, ()).verdict(goal, value) for value in (90.0, 89.9, None)]
    assert verdicts == ["reached", "MISSED", "unknown"]
    assert goal.wanted == ">= 90"


def test_the_state_says_at_which_commit_and_where_something_changed():
    about = "Measured at commit abc1234 on 2026-01-02 with warpmill 0.1."
    assert Measured(None, ABOUT, ()).state == f"{about} Nothing that it rests on has changed since."
    names = ("simulator/gpu/a.py", "simulator/gpu/b.py", "analyzer/x.py", "grammars/g.lark")
    assert Measured(None, ABOUT, names).state == (
        f"{about} Stale: what it rests on has changed since in simulator/gpu, analyzer, grammars."
    )
    many = tuple(f"room{k}/a.py" for k in range(7))
    assert Measured(None, ABOUT, many).rooms == "room0, room1, room2, room3, room4 and 2 more"


def test_the_page_says_how_fresh_it_is_first(made):
    made.one.run(Request(), keeping=True)
    text = made.one.page(made.one.kept())
    assert text.splitlines()[:3] == ["# Errors", "", made.one.kept().state]
    assert "`python -m benchmarks some`: 12.0 %, missed: largest error, %" in text
    assert "\n\n\n" not in text
    assert "| p0 | +1.0 % |" in text
    assert "| largest error, % | \\<= 10 |" in text


def test_parts_are_chosen_by_name():
    assert Request().chosen(["a", "b"]) == ["a", "b"]
    assert Request(names=("b",)).chosen(["a", "b"]) == ["b"]
    with pytest.raises(SystemExit, match="there is no c; there are a, b"):
        Request(names=("c",)).chosen(["a", "b"])


def test_the_list_says_what_is_fresh_and_what_was_missed(made):
    assert "never" in command_line.listed()
    made.one.run(Request(), keeping=True)
    line = command_line.listed().splitlines()[1]
    assert [word.strip() for word in line.split("  ") if word] == [
        "some", "errors of programs", "2026-01-02", "fresh", "1 of 1", "an hour",
    ]  # fmt: skip


def test_every_benchmark_is_found_and_its_places_exist():
    for name, one in command_line.every_benchmark().items():
        assert one.name == name
        for place in (one.result, one.measure, one.values, one.draw):
            assert not place or callable(one.load(place))
