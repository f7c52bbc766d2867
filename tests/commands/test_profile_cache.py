"""``warpmill profile --cache MACHINE``."""

import csv
import io
import json

from warpmill.cli.main import main

N = 8192
VECADD = ["samples/vecadd/launch.toml", "--size", f"n={N}", "--count", "blocks"]


def written(capsys, *words, code=0):
    assert main(["profile", *VECADD, *words]) == code
    return capsys.readouterr()


def test_json_has_what_the_collector_found(capsys):
    report = json.loads(written(capsys, "--cache", "a100", "--format", "json").out)
    (found,) = report["collectors"]
    assert (found["name"], found["file"]) == ("caches of a100", None)
    assert found["marks"] == {"result": "modelled"}
    result = found["result"]
    assert (result["machine"], result["sms"], result["assumed"]) == ("a100", 108, [])
    assert result["dram_bytes"] == 2 * 4 * N and result["l1_hit_rate"] == 0
    assert len(result["launches"][0]["instructions"]) == 3


def test_text_marks_figures_as_modelled(capsys):
    out = written(capsys, "--cache", "b200").out
    lines = [line.split(maxsplit=1) for line in out.splitlines() if line.startswith("  ")]
    facts = dict(line for line in reversed(lines) if len(line) == 2)
    assert (facts["dram_bytes"], facts["l2_hit_rate"]) == ("65,536", "0")
    assert (
        "l1.line_bytes = 128" in facts["assumed"] and "collector caches of b200  (modelled)" in out
    )


def test_csv_marks_figures_as_modelled(capsys):
    rows = csv.DictReader(io.StringIO(written(capsys, "--cache", "a100", "--format", "csv").out))
    (row,) = [row for row in rows if row["key"] == "dram_bytes"]
    assert (row["value"], row["mark"]) == (str(8 * N), "modelled")


def test_other_collectors_stay_exact(capsys):
    words = ["--cache", "a100", "--collector", "OpcodeCounts", "--format", "json"]
    found = json.loads(written(capsys, *words).out)["collectors"]
    assert [(one["name"], one["marks"]["result"]) for one in found] == [
        ("OpcodeCounts", "exact"),
        ("caches of a100", "modelled"),
    ]


def test_a_machine_that_there_is_not_is_refused(capsys):
    captured = written(capsys, "--cache", "a1000", code=2)
    assert captured.out == "" and "a1000" in captured.err
