"""benchmarks/kept_command.py: what is measured, kept, printed and refused."""

import json

import pytest

from benchmarks import kept_command
from benchmarks.kept_command import KeptBenchmark, chosen


@pytest.fixture
def made(monkeypatch, tmp_path):
    """A benchmark, what it was asked to measure, and what is kept."""
    asked, shelf = [], {}

    def measure(names, store, workers, *, brief):
        asked.append((names, store, workers, brief))
        return {"names": list(names)}

    def keep(name, result, before):
        assert before == ("hashes", ("*.toml",))
        shelf[name] = {**result, "fresh": True}

    monkeypatch.setattr(kept_command, "keep", keep)
    monkeypatch.setattr(kept_command, "kept", shelf.get)
    monkeypatch.setattr(kept_command, "snapshot", lambda data: ("hashes", data))
    monkeypatch.setattr(kept_command, "DOCS", tmp_path)
    one = KeptBenchmark(
        "some", "about it", ("*.toml",), "apps", measure,
        lambda result: [f"names {len(result['names'])}"],
        lambda result, docs: (docs / "some.md").write_text(json.dumps(result)),
        (("brief", "not all"),),
    )  # fmt: skip
    return one, asked, shelf, tmp_path / "some.md"


def test_nothing_is_measured_without_being_asked(made):
    one, asked, _, _ = made
    with pytest.raises(SystemExit, match="nothing was measured: --fresh does"):
        one.main([])
    assert asked == []


def test_what_is_measured_is_kept_and_printed_again(made, capsys):
    one, asked, shelf, page = made
    one.main(["--fresh", "--store", "s.db", "--workers", "3", "--json"])
    assert asked == [((), "s.db", 3, False)]
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "names 0"
    assert json.loads(lines[1]) == shelf["some"] == {"names": [], "fresh": True}
    one.main(["--docs"])
    assert len(asked) == 1
    assert json.loads(page.read_text()) == shelf["some"]


@pytest.mark.parametrize(
    ("words", "names", "brief"),
    [(["--apps", "a,b"], ("a", "b"), False), (["--brief"], (), True)],
)
def test_a_part_is_not_kept(made, words, names, brief):
    one, asked, shelf, page = made
    one.main([*words, "--store", "s.db"])
    assert asked == [(names, "s.db", 1, brief)]
    assert shelf == {}
    assert not page.exists()


@pytest.mark.parametrize("part", [["--apps", "a"], ["--brief"]])
@pytest.mark.parametrize("whole", ["--fresh", "--docs"])
def test_a_part_is_not_the_whole(made, capsys, part, whole):
    one, asked, _, _ = made
    with pytest.raises(SystemExit) as end:
        one.main([*part, whole])
    assert end.value.code == 2
    assert "leave out --apps and --brief" in capsys.readouterr().err
    assert asked == []


def test_workloads_are_chosen_by_name():
    assert chosen((), ("a", "b")) == ["a", "b"]
    assert chosen(("b",), ("a", "b")) == ["b"]
    with pytest.raises(SystemExit, match="nothing here is named c; there are a, b"):
        chosen(("c",), ("a", "b"))
