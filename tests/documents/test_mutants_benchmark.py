"""benchmarks/mutants: what is broken and how, and whether a small tree's tests notice it."""

import ast
from pathlib import Path

import pytest

from warpmill.benchmarks.mutants import Mutant, MutantsResult, running
from warpmill.benchmarks.mutants.places import ROOMS, BrokenPlace, drawn, places_of, room_of

ROOT = Path(__file__).parents[2]
TEXT = '''"""A module: 1 + 1."""

MOST = 1 + 2


def over(values: "list[int | None]", most=3) -> int | None:
    """Give 1 or 2."""
    if len(values) > most and not values[0]:
        raise ValueError(f"{1 + 1} é" + " 2")
    total = 0
    for value in values:
        total += value * 2
    return total if total is not None else "a" + "b"
'''


def changes(text=TEXT):
    return {(one.line, one.before(text), one.after) for one in places_of("m.py", text)}


def test_each_kind_of_place_is_broken_and_only_what_runs():
    assert changes() == {
        (8, "len(values) > most and not values[0]", "(len(values) > most or not values[0])"),
        (8, "len(values) > most", "(len(values) >= most)"),
        (8, "not values[0]", "(values[0])"),
        (8, "0", "(1)"),
        (10, "0", "(1)"),
        (12, "total += value * 2", "total -= value * 2"),
        (12, "value * 2", "(value + 2)"),
        (12, "2", "(3)"),
        (
            13,
            'total if total is not None else "a" + "b"',
            "(total if not total is not None else 'a' + 'b')",
        ),
        (13, "total is not None", "(total is None)"),
    }  # fmt: skip


def test_a_broken_text_differs_there_alone():
    text = "def f(é):\n    return é + 1  # é\n"
    own = {one.after: one.broken(text) for one in places_of("m.py", text)}
    assert own == {
        "(é - 1)": "def f(é):\n    return (é - 1)  # é\n",
        "(2)": "def f(é):\n    return é + (2)  # é\n",
    }


def test_files_belong_to_the_room_of_the_longest_folder():
    assert room_of("simulator/memory/cache.py") == "memory"
    assert room_of("simulator/streams.py") == "timing"
    assert room_of("warpmill/session/jobs.py") == "commands"
    assert room_of("samples/build.py") is None


def test_every_module_of_the_product_is_protected_by_a_room():
    tops = ("analyzer", "codegen", "executor", "simulator", "warpmill")
    files = [path for top in tops for path in (ROOT / top).rglob("*.py")]
    names = [path.relative_to(ROOT).as_posix() for path in files]
    without = {name for name in names if room_of(name) is None}
    assert {name for name in without if name.count("/") > 1} == {"warpmill/reports/__init__.py"}
    text = (ROOT / "tests" / "README.md").read_text("utf-8")
    assert all(f"| `{room}` |" in text for room in ROOMS)


def test_places_are_drawn_by_seed_and_evenly_over_rooms():
    chosen = drawn(ROOT, 22, 3)
    assert sorted(room_of(one.file) for one in chosen) == sorted([*ROOMS] * 2)
    of_traces = drawn(ROOT, 3, 3, ["traces"])
    assert of_traces == drawn(ROOT, 3, 3, ["traces"]) != drawn(ROOT, 3, 4, ["traces"])
    assert {room_of(one.file) for one in of_traces} == {"traces"}
    for one in chosen:
        text = (ROOT / one.file).read_text("utf-8")
        assert ast.dump(ast.parse(one.broken(text))) != ast.dump(ast.parse(text))


@pytest.fixture
def tree(tmp_path):
    (tmp_path / "analyzer" / "ir").mkdir(parents=True)
    (tmp_path / "analyzer" / "ir" / "m.py").write_text("def f(x):\n    return x + 1, x * 1\n")
    (tmp_path / "test_m.py").write_text(
        "from analyzer.ir.m import f\n\n\ndef test_f():\n    assert f(1)[0] == 2\n"
    )
    (tmp_path / "conftest.py").write_text(
        "def pytest_addoption(parser):\n    parser.addoption('--every', action='store_true')\n"
    )
    return tmp_path


@pytest.mark.parametrize(
    ("column", "end", "after", "by"),
    [(11, 16, "x - 1", "test_m.py::test_f"), (18, 23, "x + 1", ""), (11, 16, "(", "test_m.py")],
)
def test_a_mutant_is_seen_where_a_test_fails(tree, column, end, after, by):
    path = tree / "analyzer" / "ir" / "m.py"
    text = path.read_text()
    place = BrokenPlace("analyzer/ir/m.py", 2, column, 2, end, after)
    found = running.judge(place, tree, ["test_m.py::test_f"])
    assert (found.room, found.by, found.is_seen) == ("ir", by, bool(by))
    assert found.before == text.encode().split(b"\n")[1][column:end].decode()
    assert path.read_text() == text


def test_a_mutant_that_the_first_tests_miss_is_judged_by_the_rest(tree, monkeypatch):
    monkeypatch.setattr(running, "FIRST_TESTS", 1)
    text = (tree / "test_m.py").read_text()
    (tree / "test_m.py").write_text(f"{text}\n\ndef test_g():\n    assert f(1)[1] == 1\n")
    place = BrokenPlace("analyzer/ir/m.py", 2, 18, 2, 23, "x + 1")
    found = running.judge(place, tree, ["test_m.py::test_f", "test_m.py::test_g"])
    assert (found.by, found.tests) == ("test_m.py::test_g", 2)


def test_tests_of_a_files_own_room_judge_first():
    tests = [f"tests/{room}/t.py::t[{n}]" for room in ("ir", "traces") for n in range(90)]
    found = running.in_order(tests, "traces")
    first = found[: running.FIRST_TESTS]
    assert sorted(found) == sorted(tests)
    assert [one.split("/")[1] for one in first] == [
        *["traces"] * 30,
        *["ir"] * 18,
        *["traces"] * 12,
    ]
    assert found[48] == "tests/traces/t.py::t[1]"


@pytest.mark.parametrize("busy", ["pass", "re.match('(a*)*b', 'a' * 60)"])
def test_a_mutant_that_does_not_end_is_seen(tree, monkeypatch, busy):
    """In Python, and in native code that keeps the interpreter's lock."""
    monkeypatch.setattr(running, "LIMIT_S", 3)
    (tree / "test_m.py").write_text(
        "import re\n\nfrom analyzer.ir.m import f\n\n\n"
        f"def test_f():\n    while f(1)[0] == 0: {busy}\n"
    )
    place = BrokenPlace("analyzer/ir/m.py", 2, 11, 2, 16, "x - 1")
    assert running.judge(place, tree, ["test_m.py::test_f"]).by == "it does not end"


def test_rooms_of_which_least_is_seen_stand_first():
    own = {"place": "p", "before": "a", "after": "b", "tests": 1, "seconds": 1.0}
    found = MutantsResult(seed=1, mutants=tuple(
        Mutant(room=room, by=by, **own)
        for room, by in (("ir", "t"), ("ir", ""), ("traces", "t"), ("memory", ""))
    ))  # fmt: skip
    assert found.seen == 50.0
    assert [(one.room, one.seen, one.mutants) for one in found.rooms] == [
        ("memory", 0, 1), ("ir", 1, 2), ("traces", 1, 1),
    ]  # fmt: skip
