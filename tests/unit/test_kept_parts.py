"""Results that are measured part by part: what is there is not measured again while it holds."""

import json

import pytest

from benchmarks.keeping import KeptParts, kept

PATTERNS = ["tables/*.toml"]
WANTED = ["a", "b", "c"]


@pytest.fixture
def project(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/one.toml").write_text("a = 1\n")
    return tmp_path


class Measured:
    """Measures parts, and remembers which."""

    def __init__(self, project, about=None):
        self.parts = KeptParts("long", PATTERNS, WANTED, about, project)
        self.asked = []

    def of(self, name):
        def measure():
            self.asked.append(name)
            return {"name": name}

        return self.parts.of(name, measure)


def test_each_part_is_kept_as_soon_as_it_is_done(project):
    one = Measured(project)
    assert one.parts.unfinished == WANTED
    assert one.of("b") == {"name": "b"}
    found = kept("long", project)
    assert (found["parts"], found["unfinished"]) == ({"b": {"name": "b"}}, ["a", "c"])
    one.of("a")
    assert list(kept("long", project)["parts"]) == ["a", "b"], "in the order of what is wanted"


def test_what_was_interrupted_goes_on(project):
    Measured(project).of("b")
    again = Measured(project)
    for name in WANTED:
        again.of(name)
    assert again.asked == ["a", "c"]
    assert kept("long", project)["unfinished"] == []


def test_what_is_whole_is_measured_anew(project):
    first = Measured(project)
    for name in WANTED:
        first.of(name)
    assert Measured(project).parts.unfinished == WANTED


def test_parts_that_rest_on_what_has_changed_are_not_taken(project):
    Measured(project).of("a")
    (project / "tables/one.toml").write_text("a = 2\n")
    again = Measured(project)
    again.of("b")
    again.of("a")
    assert again.asked == ["b", "a"]


def test_parts_of_something_else_are_not_taken(project):
    Measured(project, {"tables": "those of May"}).of("a")
    assert Measured(project, {"tables": "those of May"}).parts.unfinished == ["b", "c"]
    assert Measured(project, {"tables": "those of June"}).parts.unfinished == WANTED


def test_a_result_of_another_form_is_not_gone_on_with(project):
    Measured(project).of("a")
    path = project / "benchmarks/results/long.json"
    record = json.loads(path.read_text())
    del record["result"]["unfinished"], record["result"]["parts"]
    path.write_text(json.dumps(record))
    assert Measured(project).parts.unfinished == WANTED


def test_a_part_that_fails_leaves_those_before_it(project):
    one = Measured(project)
    one.of("a")

    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        one.parts.of("b", fail)
    assert kept("long", project)["unfinished"] == ["b", "c"]
