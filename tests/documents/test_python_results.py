"""Results in Python: what they print, and the forms that they are had in."""

import csv
import io
import json
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import warpmill
from warpmill import reports
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.report.html import fragment
from warpmill.report.manifest import kinds
from warpmill.report.page import Line

SAMPLES = Path(__file__).parents[2] / "samples"
MATMUL = str(SAMPLES / "matmul" / "launch.toml")
ESTIMATE = ["estimate", MATMUL, "--machine", "a100", "--size", "n=128"]


@pytest.fixture(scope="module")
def estimated():
    return reports.estimate(MATMUL, machine="a100", sizes={"n": 128})


def written(capsys, *words):
    assert main([*words]) == 0
    return capsys.readouterr().out


def test_a_function_gives_what_the_command_writes(estimated, capsys):
    assert estimated.to_json() == written(capsys, *ESTIMATE, "--format", "json")
    assert estimated.to_dict() == json.loads(estimated.to_json())
    assert f"{estimated}\n" == written(capsys, *ESTIMATE)


def test_a_result_that_stands_alone_prints_its_beginning(estimated):
    lines = repr(estimated).splitlines()
    whole = str(estimated).splitlines()
    assert lines[:-1] == whole[: len(lines) - 1]
    assert len(lines) <= 31
    assert lines[-1] == f"... print() shows all {len(whole)} lines"
    assert not repr(reports.machines_show("t4")).endswith("lines")


class Tags(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, _attributes):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_notebook_shows_tables(estimated):
    tags = Tags()
    tags.feed(estimated._repr_html_())
    assert tags.open == []
    assert tags.seen.count("dl") >= 2
    assert fragment([Line("a < b")]) == "<p>a &lt; b</p>"


def test_pandas_has_the_rows_and_columns_of_the_csv(estimated, capsys):
    pytest.importorskip("pandas")
    header, *rows = csv.reader(io.StringIO(written(capsys, *ESTIMATE, "--format", "csv")))
    frame = estimated.to_pandas()
    assert list(frame.columns) == header
    assert len(frame) == len(rows)
    assert list(frame["machine"]) == [row[header.index("machine")] for row in rows]


def test_without_pandas_an_error_says_what_to_install(estimated, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="pip install pandas"):
        estimated.to_pandas()


def test_a_launch_by_keywords(capsys):
    ptx = str(SAMPLES / "vecadd" / "vecadd.sm_80.ptx")
    buffers = ["buffer=f32:4096"] * 3
    launch = {"grid": 16, "block": (256,), "args": [*buffers, "4096"]}
    found = reports.estimate(ptx, machines=["t4"], kernel="vecadd", regs=16, **launch)
    words = ["--machine", "t4", "--grid", "16", "--block", "256", "--regs", "16"]
    given = [f"--arg={text}" for text in (*buffers, "4096")]
    assert found.to_json() == written(capsys, "estimate", ptx, *words, *given, "-f", "json")


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({"machin": "a100"}, "takes no machin; did you mean"),
        ({"format": "json"}, "takes no format"),
        ({"grid": 4}, None),
    ],
)
def test_what_a_command_does_not_take_is_an_error(keywords, said):
    with pytest.raises(TypeError if said else UsageError, match=said):
        reports.estimate(MATMUL, **keywords)


def test_what_is_needed_is_named():
    with pytest.raises(TypeError, match=r"estimate\(\) needs target"):
        reports.estimate()
    with pytest.raises(TypeError, match="takes 1 arguments, 2 were given"):
        reports.estimate(MATMUL, "a100")


def test_a_check_that_fails_gives_its_result():
    ptx = SAMPLES / "vecadd" / "vecadd.sm_80.ptx"
    other = SAMPLES / "reduce" / "reduce.sm_80.ptx"
    found = reports.diff(str(ptx), str(other), kernel="vecadd", kernel_b="reduce", exit_code=True)
    assert found.to_dict()["report"] == "diff"


def test_there_is_a_function_for_each_kind_that_a_command_shows():
    assert "estimate" in dir(warpmill.reports)
    assert {name.replace("_", "-") for name in dir(reports)} == {
        name for name, (_, kind) in kinds().items() if kind.page
    }
    assert all(callable(getattr(reports, name)) for name in dir(reports))
    assert warpmill.explain is reports.explain
    assert warpmill.machines_show("t4").machine == "t4"
    for module in (warpmill, reports):
        with pytest.raises(AttributeError):
            _ = module.nothing
