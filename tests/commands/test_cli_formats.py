"""What machines read of warpmill: JSON, CSV and their schemas keep their promises."""

import csv
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import jsonschema
import pytest

import warpmill
from warpmill.analyzer.base.metric import Metric
from warpmill.cli.main import main
from warpmill.cli.output import emit, taking
from warpmill.report.base import Id, Marks, Part, Report, figures
from warpmill.report.fields import field_of
from warpmill.report.manifest import commands, kinds, shown
from warpmill.report.schemas import result_classes, schema_text, schemas
from warpmill.session.options import Output

ROOT = Path(__file__).parents[2]
SAMPLES = ROOT / "samples"

TWO_BUILDS = ["samples/spmv/launch.toml", "samples/spmv/launch.bc.toml"]
WITH_ALL = ["--per-cta", "--collector", "OpcodeCounts", "--machine", "v100"]
A_SPACE = ["--over", "block=16x16,32x8,32x32", "--over", "n=64,128", "--machine", "a100,v100"]
BLOCKS = ["--over", "block=32x8,32x4", "--size", "rows=64", "--size", "columns=64", "-m", "v100"]
ON_AMPERE = ["--machine", "a100", "--set", "sm.count=4", "--compare"]  # passes over CTAs
VECADD = ["samples/vecadd/launch.toml", "--size", "n=4096"]
REDUCED = ["samples/reduce/launch.toml", "--size", "n=1048576", "--machine", "t4"]
FEW = ["--samples", "24", "--no-store", "--workers", "1", "--curve", "simd", "--suggest", "2"]
PASSING = [*ON_AMPERE, "--stability", "paper"]
REDUCE_4096 = ["samples/reduce/launch.toml", "--size", "n=4096"]
COMMANDS = {
    "inspect": [
        "inspect",
        "samples/stencil5/stencil5.ll",
        "samples/spmv/spmv.sm_80.ptx",
        "tests/frontends/cubins/pair.sm_80.cubin",
    ],
    "analyze": ["analyze", "samples/spmv/launch.toml"],
    "diff": ["diff", "samples/reduce/launch.toml", "samples/reduce/launch.opencl.toml"],
    "trace": ["trace", "samples/spmv/launch.toml", "--cta", "3", "--warp", "1"],
    "run": ["run", "samples/scan/launch.toml"],
    "check": [
        "check",
        *REDUCE_4096,
        "--budget",
        "samples/reduce/budget.toml",
        "--tool",
        "memcheck",
    ],
    "profile": ["profile", "samples/reduce/launch.toml", "--size", "n=8192", *WITH_ALL],
    "record": ["record", "samples/scan/launch.toml", "--out", "RECORDING"],
    "replay": ["replay", "RECORDING"],
    "dfsg": ["dfsg", "samples/scan/launch.toml"],
    "dfsg-diff": ["dfsg", "diff", *TWO_BUILDS],
    "estimate": ["estimate", *REDUCED, "--what-if"],
    "explain": ["explain", "samples/scan/launch.toml", "--size", "n=65536"],
    "simulate": ["simulate", "samples/reduce/launch.toml", "--size", "n=16384"],
    "compare": ["compare", *TWO_BUILDS, "--machine", "a100,v100"],
    "report": ["report", "samples/reduce/launch.toml", "--size", "n=4096"],
    "correlate": ["correlate", "tests/commands/measured_launches.csv"],
    "sweep": ["sweep", "samples/matmul/launch.toml", *A_SPACE, "--pareto", "n:max", "--no-store"],
    "calibrate": ["calibrate", "--on-model", "v100", "--only", "launch"],
    "tune": ["tune", "samples/transpose/launch.toml", *BLOCKS, "--refine", "1", "--no-store"],
    "clone": ["clone", "samples/reduce/launch.toml", "--size", "n=16384", "--fail-over", "999%"],
    "sample": ["sample", "samples/vecadd/launch.toml", "--size", "n=65536", *PASSING],
    "explore": ["explore", "stargazer", *VECADD, *FEW, "--cost", "simd * _blk"],
    "machines-list": ["machines", "list"],
    "machines-show": ["machines", "show", "t4", "--set", "sm.count=41"],
    "machines-diff": ["machines", "diff", "v100", "mi100"],
    "samples": ["samples", "list"],
    "samples-run": ["samples", "run", "bfs", "--preset", "tiny"],
    "cache": ["cache"],
    "doctor": ["doctor"],
}
"""What is called for each kind of result; where none is here, the first example of its command."""

for _one in commands():
    for _kind in _one.kinds:
        if _kind.page is not None:
            COMMANDS.setdefault(_kind.name, shlex.split(next(iter(_one.examples.values()))[0])[1:])

TIMED = {"cache", "doctor", "run", "samples-run"}  # what they find, or their time, differs
TO_THE_SCREEN = {"record"}  # its output is the recording


@pytest.fixture(scope="module", autouse=True)
def recording(tmp_path_factory):
    """Make the recording that is replayed, in a folder of its own."""
    path = tmp_path_factory.mktemp("recorded") / "scan.wmrec"
    warpmill.record(SAMPLES / "scan" / "launch.toml", path)
    for kind in ("record", "replay"):
        COMMANDS[kind][-1] = str(path)


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


_EMITTED: dict[str, list[Report]] = {}


def written(capsys, kind, format_):
    """What a command writes; it runs once for all tests and formats."""
    if kind not in _EMITTED:
        with taking() as reports:
            assert main(COMMANDS[kind]) == 0
        assert capsys.readouterr().out == ""
        _EMITTED[kind] = reports
    for report in _EMITTED[kind]:
        emit(report, Output(format=format_))
    return capsys.readouterr().out


def model(kind):
    return result_classes()[kind]


@pytest.mark.parametrize("kind", list(COMMANDS))
def test_json_fits_its_schema_and_says_what_it_is(kind, capsys):
    text = written(capsys, kind, "json")
    data = json.loads(text)
    assert list(data)[:3] == ["report", "schema_version", "warpmill_version"]
    assert (data["report"], data["schema_version"]) == (kind, 2)
    assert data["warpmill_version"] == warpmill.__version__
    jsonschema.Draft202012Validator(schemas()[kind]).validate(data)


def test_the_same_input_gives_the_same_bytes(capsys):
    """In another process too, where sets have another order."""
    kinds = [k for k in COMMANDS if k not in TIMED]
    code = (
        "from warpmill.cli.main import main\n"
        f"for words in {[COMMANDS[k] for k in kinds]!r}:\n"
        "    main([*words, '--format', 'json'])"
    )
    here = "".join(written(capsys, kind, "json") for kind in kinds)
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": "1"},
        timeout=120,
        check=True,
    )
    assert done.stdout.decode() == here


def unmarked(value, schema, whole, covered, path):
    """The figures of a report that no mark covers, by dotted path."""
    while "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    if not schema.keys() - {"description", "title"}:
        return  # what a program of the user's counts
    if "anyOf" in schema:
        ways = [
            unmarked(value, each, whole, covered, path) for each in fitting(value, schema, whole)
        ]
        yield from min(map(list, ways), key=len)
    elif isinstance(value, dict):
        marks = value.get("marks")
        own, below = (covered, path) if marks is None else (marks, "")
        for key, each in value.items():
            if key in {"marks", "metrics"}:
                continue
            inner = schema.get("properties", {}).get(key) or schema["additionalProperties"]
            dotted = f"{below}.{key}".lstrip(".") if "properties" in schema else below
            yield from unmarked(each, inner, whole, own, dotted)
    elif isinstance(value, list):
        for each in value:
            inner = schema["items"] if "items" in schema else schema["prefixItems"][0]
            yield from unmarked(each, inner, whole, covered, path)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        is_figure = not schema.get("identifier")
        if is_figure and not any(path == key or path.startswith(f"{key}.") for key in covered):
            yield path


def fitting(value, schema, whole):
    """The alternatives of a schema that a value is of."""
    validator = jsonschema.Draft202012Validator
    return [
        each
        for each in schema["anyOf"]
        if validator(each | {"$defs": whole["$defs"]}).is_valid(value)
    ]


@pytest.mark.parametrize("kind", list(COMMANDS))
def test_every_figure_is_marked(kind, capsys):
    schema = schemas()[kind]
    assert set(unmarked(json.loads(written(capsys, kind, "json")), schema, schema, {}, "")) == set()


@pytest.mark.parametrize("kind", list(COMMANDS))
def test_csv_is_one_flat_table_with_documented_columns(kind, capsys):
    header, *rows = csv.reader(io.StringIO(written(capsys, kind, "csv")))
    assert header == columns(kind, json.loads(written(capsys, kind, "json")))
    assert rows
    assert {len(row) for row in rows} == {len(header)}
    cells = [cell for row in rows for cell in row]
    assert not any("['" in cell for cell in cells)  # no Python lists
    assert not any("{'" in cell for cell in cells)  # nor dicts
    marked = [i for i, column in enumerate(header) if column.startswith("mark")]
    assert all(row[i] for row in rows for i in marked)
    page = (ROOT / "docs" / "guide" / f"{kind.split('-')[0]}.md").read_text("utf-8")
    assert [column for column in shown(kind, "table").columns if f"`{column}`" not in page] == []
    empty = [
        h for h, column in zip(header, zip(*rows, strict=True), strict=True) if not any(column)
    ]
    assert set(empty) <= MAY_BE_EMPTY.get(kind, set())


def columns(kind, report):
    """A table's columns; those of axes, figures and parameters stand as words in brackets."""
    held = report | report.get("exploration", {}).get("space", {})
    named = {
        f"<{word}>": [one["name"] for one in held.get(key, ())]
        for word, key in (("axis", "axes"), ("parameter", "parameters"))
    } | {"<figure>": list(report.get("figures", ()))}
    return [name for column in shown(kind, "table").columns for name in named.get(column, [column])]


_OF_A_FINDING = {
    "tool", "kind", "severity", "kernel", "launch", "schedule", "message", "count", "file", "line",
    "source_file", "source_line", "cta", "thread", "space", "address", "bytes", "value",
    "other_file", "other_line", "other_cta", "other_thread", "other_value",
}  # fmt: skip

_OF_A_PROOF = {"answer", "memory", "in_domain", "domain", "sizes", "offset"}

MAY_BE_EMPTY = {
    "check": {*_OF_A_FINDING, *_OF_A_PROOF, "baseline", "change_fraction", "reason"},
    "analyze": {"trip_count", "trip_count_min", "trip_count_max", "wavefronts"},
    "trace": {"reason", "wavefronts"},
    "estimate": {"reason", "unmodelled"},
    "simulate": {"reason"},
    "correlate": {"measured_cycles"},
    "calibrate": {"bound", "how", "why"},
    "explore": {"measured", "reason", "l1_hit_fraction", "l2_hit_fraction"},
    "samples-run": {"worst"},
    "cache": {"folders"},
    "doctor": {"advice"},
    "reproduce": {"note"},
}


@pytest.mark.parametrize("kind", list(kinds()))
def test_the_committed_schema_is_that_of_the_code(kind):
    committed = (ROOT / "docs" / "schemas" / f"{kind}.json").read_text("utf-8")
    assert committed == schema_text(schemas()[kind]), f"warpmill schema {kind} writes it"


def test_there_is_a_schema_for_each_report_and_no_other(capsys):
    files = {p.stem for p in (ROOT / "docs" / "schemas").glob("*.json")}
    with_pages = {name for name in kinds() if shown(name, "page") is not None}
    assert with_pages == {name for name in kinds() if shown(name, "table") is not None}
    assert with_pages == set(COMMANDS)
    assert files == set(schemas()) == set(kinds())
    for name, result in result_classes().items():
        assert field_of(result, "report").default == name
    assert main(["schema"]) == 0
    assert json.loads(capsys.readouterr().out) == schemas()


@pytest.mark.parametrize("kind", list(schemas()))
def test_schemas_allow_no_unknown_keys_and_say_what_keys_mean(kind):
    schema = schemas()[kind]
    for part in (schema, *schema["$defs"].values()):
        if part["type"] == "object":
            assert part["additionalProperties"] is False
            assert part["description"]


@pytest.mark.parametrize("kind", list(COMMANDS))
def test_text_keeps_to_80_columns_and_has_no_colour(kind, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    text = written(capsys, kind, "text")
    assert "\x1b" not in text
    assert "…" not in text  # nothing is cut
    folded = [line for line in text.splitlines() if not line.startswith("  $ ")]
    assert max(map(len, folded)) <= 80  # commands to be copied are a line each
    assert all(line == line.rstrip() for line in text.splitlines())
    assert text.endswith("\n")
    assert not text.endswith("\n\n")


@pytest.mark.parametrize("kind", list(COMMANDS))
def test_a_report_in_a_file_is_the_one_on_the_screen(kind, capsys, tmp_path):
    path = tmp_path / "report"
    if kind in TIMED | TO_THE_SCREEN:
        pytest.skip("it looks at the present, or writes something else to files")
    assert main([*COMMANDS[kind], "--format", "csv", "--output", str(path)]) == 0
    assert capsys.readouterr().out == ""
    assert path.read_text("utf-8") == written(capsys, kind, "csv")


def test_a_wide_terminal_is_used(capsys, monkeypatch):
    monkeypatch.setitem(os.environ, "COLUMNS", "140")
    assert main(["machines", "show", "t4", "--verbose"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) > 100


class Numbered(Part):
    """A part whose figures are all but its number and what marks them."""

    number: Id
    name: str
    cycles: float
    rates: tuple[float | None, ...]
    marks: Annotated[Marks, Metric("marks")]


def test_figures_are_numbers_that_are_no_names():
    assert figures(Numbered) == ("cycles", "rates")
