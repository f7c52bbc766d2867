"""Collectors out of users' files: how they are found, what they give, what goes wrong in them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.cli.main import main
from warpmill.session.collectors import load_collectors, plain

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
TARGET = [str(SAMPLES / "vecadd" / "launch.toml"), "--size", "n=1000"]
HEAD = "from warpmill import Collector\n"
COUNTS = (
    HEAD
    + """
class Blocks(Collector):
    def __init__(self):
        self.executions = 0
    def on_blocks(self, blocks):
        self.executions += int(blocks.count.sum())
    def result(self):
        return self.executions
"""
)


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Write a collector to ``mine.py`` and profile with it; gives exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def profile(text, *words, name="mine.py", target=TARGET):
        Path("mine.py").write_text(text)
        code = main(["profile", *target, "--count", "blocks", "--collector", name, *words])
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        assert "internal error" not in captured.err
        return code, captured.out, captured.err

    return profile


def result_of(run, text, *words, **named):
    code, out, err = run(text, *words, "--format", "json", **named)
    assert code == 0, err
    return json.loads(out)["collectors"]


# --------------------------------------------------------------------------------- results


def test_a_collector_is_told_and_its_result_reported(run):
    (found,) = result_of(run, COUNTS)
    assert (found["name"], found["file"], found["result"]) == ("Blocks", "mine.py", 3 * 32)
    assert found["marks"] == {"result": "exact"}
    assert "collector Blocks (mine.py)  (exact)\n  96\n" in run(COUNTS)[1]


def test_collectors_are_named_by_their_class(run):
    two = COUNTS + COUNTS.replace("Blocks", "Others").replace("return self", "return -self")
    found = result_of(run, two, "--collector", "mine.py:Blocks", name="mine.py:Others")
    assert [(c["name"], c["result"]) for c in found] == [("Others", -96), ("Blocks", 96)]
    found = result_of(run, COUNTS, "--collector", "mine.py", "--collector", "OpcodeCounts")
    assert [c["name"] for c in found] == ["Blocks", "Blocks.2", "OpcodeCounts"]
    assert found[2]["file"] is None
    assert found[2]["result"]["ret"] == 32
    (found,) = result_of(run, "", name="BlockVectors")
    assert found["result"] == [[10 / 22, 11 / 22, 1 / 22]]  # a vector for the only launch


def test_a_class_that_is_imported_is_not_the_files_own(run):
    text = "from warpmill.executor.collectors import OpcodeCounts\n" + COUNTS
    assert [c["name"] for c in result_of(run, text)] == ["Blocks"]
    found = result_of(run, text, name="mine.py:OpcodeCounts")
    assert found[0]["result"]["ret"] == 32


def test_what_stands_beside_it_can_be_imported_early_and_late(run, tmp_path):
    (tmp_path / "early.py").write_text("FIVE = 5")
    (tmp_path / "late.py").write_text("SIX = 6")
    text = HEAD + "import early\nclass A(Collector):\n    def result(self):\n"
    text += "        import late\n        return [early.FIVE, late.SIX]\n"
    assert result_of(run, text)[0]["result"] == [5, 6]


def test_dataclasses_work_in_it(run):
    text = "from __future__ import annotations\nfrom dataclasses import dataclass\n" + HEAD
    text += "@dataclass(frozen=True)\nclass A(Collector):\n    size: int = 3\n"
    text += "    def result(self):\n        return self.size\n"
    assert result_of(run, text)[0]["result"] == 3


def test_counts_that_it_wants_are_counted(run):
    text = HEAD + "class A(Collector):\n    counts = {'memory', 'lanes'}\n"
    text += "    def on_profile(self, profile):\n        self.found = len(profile.accesses)\n"
    text += "    def result(self):\n        return self.found\n"
    code, out, _ = run(text, "--format", "json")
    assert code == 0
    report = json.loads(out)
    assert report["collectors"][0]["result"] == 3
    assert report["counted"] == ["lanes", "memory"]
    assert report["rules"]["memory"]["sector_bytes"] == 32


def test_what_it_prints_is_not_in_the_report(run):
    text = COUNTS.replace("return self.executions", "print('hello'); return 1")
    code, out, err = run("print('early')\n" + text, "--format", "json")
    assert code == 0
    json.loads(out)
    assert err == "early\nhello\n"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ("None", None),
        ("'two\\nlines'", "two\nlines"),
        ("(1, 2.5, True, None)", [1, 2.5, True, None]),
        ("{'a': {'b': [1]}, 2: 'c'}", {"a": {"b": [1]}, "2": "c"}),
        ("[float('nan'), float('inf')]", [None, None]),
        ("np.arange(4).reshape(2, 2)", [[0, 1], [2, 3]]),
        ("{np.int64(3): np.float32(0.5)}", {"3": 0.5}),
        ("'\\ud800'", "\\ud800"),
        ("2 ** 70", 2**70),
        ("''", ""),
        ("{}", {}),
    ],
)
def test_results_of_any_form(given, wanted, run):
    text = HEAD + f"import numpy as np\nclass A(Collector):\n    def result(self): return {given}\n"
    assert result_of(run, text)[0]["result"] == wanted
    for format_ in ("text", "csv"):
        code, out, err = run(text, "--format", format_)
        assert (code, err) == (0, "")
        assert "A" in out


def test_how_results_are_shown(run):
    text = HEAD + "class A(Collector):\n    def result(self): return RESULT\n"

    def shown(result, *words):
        _, out, _ = run(text.replace("RESULT", result), *words)
        told = out.partition("collector A (mine.py)  (exact)\n")[2]
        return told.partition("\n\nAssumptions and provenance")[0].rstrip("\n")

    assert shown("None") == "  no result"
    assert shown("'two\\nlines'") == "  two\n  lines"
    assert shown("{'a': 1234, 'bc': [1, {'d': False}]}") == "  a   1,234\n  bc  1, d no"
    assert shown("['x', None]") == "  · x\n  · -"
    many = "list(range(20))"
    assert "and 4 more (--verbose)" in shown(many)
    assert "· 19" in shown(many, "--verbose")
    assert "and 4 more (--verbose)" in shown("{str(k): k for k in range(20)}")
    assert "and 100 characters more" in shown("['x' * 300]").replace("\n    ", " ")


# ----------------------------------------------------------------------------- what is wrong


def a_class(body):
    return HEAD + f"class A(Collector):\n    {body}\n"


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("class A: pass", "mine.py", ["mine.py: error: no class here", "warpmill.Collector"]),
        ("", "mine.py", ["no class here"]),
        (HEAD, "mine.py", ["no class here"]),
        (COUNTS + COUNTS.replace("Blocks", "B"), "mine.py", ["several", "there are Blocks, B"]),
        (COUNTS, "mine.py:Other", ["no class `Other`", "there are Blocks"]),
        (COUNTS, "mine.py:not-a-name", ["`not-a-name` is no name of a class"]),
        ("import nothing_there", "mine.py", ["mine.py:1:1", "ModuleNotFoundError"]),
        ("class A(\n", "mine.py", ["mine.py:1:8: error: no Python"]),
        ("raise SystemExit(0)", "mine.py", ["the collector ended itself with 0"]),
        (a_class("def __init__(self, n): pass"), "mine.py", ["mine.py:2:1", "`A` needs `n`"]),
        (a_class("def __init__(self): 1 / 0"), "mine.py", ["mine.py:3:5", "ZeroDivisionError"]),
        (a_class("counts = {'loops'}"), "mine.py", ["mine.py:2:1", "not `loops`", "edges, lanes"]),
        (a_class("counts = 'edges'"), "mine.py", ["mine.py:2:1", "`A.counts` has to be a set"]),
        (a_class("counts = property(lambda s: 1 / 0)"), "mine.py", ["mine.py:3", "ZeroDiv"]),
        (a_class("def on_launch(self, launch): launch.n"), "mine.py", ["mine.py:3:5", "Attribute"]),
        (a_class("def on_blocks(self, blocks): exit(3)"), "mine.py", ["ended itself with 3"]),
        (a_class("def on_accesses(self): pass"), "mine.py", ["TypeError"]),
        (a_class("def on_profile(self, p): p.blocks[99]"), "mine.py", ["mine.py:3:5", "IndexErr"]),
        (a_class("def result(self): return self.x"), "mine.py", ["mine.py:3:5", "Attribute"]),
        (a_class("def result(self): return {1, 2}"), "mine.py", ["`A.result` gives `set`"]),
        (a_class("def result(self): return {1: 2, '1': 3}"), "mine.py", ["keys that read `1`"]),
        (a_class("def result(self): return {(1,): 2}"), "mine.py", ["a key that is `tuple`"]),
        (a_class("def result(self): a = []; a.append(a); return a"), "mine.py", ["32 deep"]),
        (a_class("def result(self): return 1j"), "mine.py", ["`complex`"]),
        ("\x00", "mine.py", ["mine.py", "error"]),
    ],
)
def test_what_goes_wrong_is_told_at_its_line(text, name, expected, run):
    code, out, err = run(text, name=name)
    assert (code, out) == (2, "")
    assert err.count("error:") == 1
    for word in expected:
        assert word in err, err


@pytest.mark.parametrize("name", ["Opcodecounts", "opcodecounts", "OpcodeCount"])
def test_a_collector_of_warpmill_that_is_misspelt(name, run):
    code, out, err = run("", name=name)
    assert (code, out) == (2, "")
    assert f"error: --collector {name}: there is no such file" in err
    assert "did you mean `OpcodeCounts`?" in err
    assert "FILE.py:CLASS, OpcodeCounts or BlockVectors" in err


def test_an_error_below_a_program_names_both_lines(run):
    Path("program.py").write_text(
        f"def main(device):\n    add = device.load({str(VECADD)!r})['vecadd']\n"
        "    x = device.zeros(32)\n    device.launch(add, 1, 32, [x, x, x, 32])\n"
    )
    text = a_class("def on_profile(self, profile): raise KeyError('gone')")
    code, _, err = run(text, target=["program.py"])
    assert code == 2
    assert "mine.py:3:5: error: the collector raised KeyError: 'gone'" in err
    assert "program.py:4:5: note: the program came to it here" in err


def test_what_warpmill_raises_in_it_keeps_its_words(run):
    text = a_class("def on_profile(self, profile): __import__('warpmill').load('nothing.ptx')")
    code, _, err = run(text)
    assert code == 2
    assert "nothing.ptx" in err
    assert "mine.py:3:5: note: the collector came to it here" in err


def test_a_file_that_is_no_text(tmp_path):
    path = tmp_path / "mine.py"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="no text"):
        load_collectors([str(path)])


def test_plain_values():
    assert plain({"a": np.array([math.inf, 1.0])}) == {"a": [None, 1.0]}
    with pytest.raises(TypeError, match="object"):
        plain(np.array([object()]))


def test_only_what_a_class_defines_is_asked_for(tmp_path):
    """The wrapping of methods must not make a collector of profiles one of events."""
    from warpmill.executor.collectors import wants  # noqa: PLC0415

    path = tmp_path / "mine.py"
    path.write_text(a_class("def on_profile(self, profile): pass"))
    (loaded,) = load_collectors([str(path)])
    told = ("on_blocks", "on_accesses", "on_profile")
    assert [wants(loaded.collector, method) for method in told] == [False, False, True]


def test_programs_may_hold_dataclasses_too(tmp_path, capsys):
    path = tmp_path / "program.py"
    path.write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Size:\n    n: int\n"
        "def main(device):\n    return device.zeros(Size(3).n)\n"
    )
    assert main(["run", str(path)]) == 0
    assert "f32[3]" in capsys.readouterr().out
