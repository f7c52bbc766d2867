"""One page of a kernel: its parts are the results of the commands that make them alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from warpmill import reports
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main

REDUCE, VECADD = "samples/reduce/launch.toml", "samples/vecadd/launch.toml"
SIZES = {"n": 4096}
SIZE = ["--size", "n=4096", "--machine", "a100"]


@pytest.fixture(scope="module")
def found():
    return reports.report(REDUCE, machine="a100", sizes=SIZES)


def test_parts_are_the_results_of_commands(found):
    explained = reports.explain(REDUCE, machine="a100", sizes=SIZES).to_dict()
    made = found.to_dict()
    for result, is_asked in ((made["time"], True), (explained, False)):
        for launch in result["launches"]:
            launch["answers"] = {}  # which name what-ifs
            for one in launch["estimates"]:
                assert (one.pop("what_if") is not None) is is_asked
                del one["what_if_noise_fraction"]
    assert made["time"] == explained
    simulated = reports.simulate(REDUCE, machine="a100", waves=1, sizes=SIZES).to_dict()
    assert made["simulation"] == simulated
    assert made["analysis"] == reports.analyze(REDUCE, sizes=SIZES).to_dict()
    assert made["execution"] == reports.dfsg(REDUCE, sizes=SIZES).to_dict()
    assert made["check"] == reports.check(REDUCE, sizes=SIZES).to_dict()
    assert made["missing"] == []


def test_the_answer_is_that_of_the_parts(found):
    estimated, simulated, code, checked = found.answer
    (answer,) = found.time.launches[0].answers.values()
    assert estimated == f"Estimated: {answer.text}"
    told = " ".join(found.simulation.simulations[0].answer)
    assert simulated == f"Simulated, without launch overhead: {told}"
    assert code == f"The code: {' '.join(found.analysis.analyses[0].answer)}"
    assert checked == f"Checked: {found.check.sentence}"
    assert found.check.verdict == "clean"
    assert str(found).splitlines()[0] == "reduce on a100"


def test_pages_of_parts_stand_below_titles_of_their_own(tmp_path, capsys):
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    for file in (page, data):
        assert main(["report", REDUCE, *SIZE, "-o", str(file)]) == 0
    assert capsys.readouterr().out == ""
    text = page.read_text(encoding="utf-8")
    titles = ("Time, estimated", "Cycle by cycle, simulated", "Control flow and memory accesses")
    places = [text.index(f">{title}</h1>") for title in titles]
    assert places == sorted(places)
    for kind in ("bars", "xy", "flow", "graph", "timeline"):
        assert f'data-chart="{kind}"' in text
    assert "Missing parts" not in text
    assert "Findings of sanitizers" not in text  # nothing
    assert '<details class="part">' not in text  # a single kernel is open from above to below
    held = text.partition('id="warpmill-data">')[2].partition("</script>")[0]
    assert json.loads(held) == json.loads(data.read_text(encoding="utf-8"))


def test_parts_are_left_out_where_asked(capsys):
    words = ["report", VECADD, *SIZE, "--without", "simulate,dfsg,check", "--without", "what-if"]
    assert main([*words, "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["simulation"], made["execution"], made["check"]) == (None, None, None)
    assert made["missing"] == []
    assert made["analysis"] is not None
    assert made["time"]["launches"][0]["estimates"][0]["what_if"] is None


def test_a_part_that_is_none_is_refused(capsys):
    assert main(["report", VECADD, "--without", "simulate,timing"]) == 2
    told = capsys.readouterr().err
    assert "--without timing: the parts are what-if, simulate, analyze, dfsg, check" in told


def test_a_part_that_cannot_be_made_is_told(tmp_path, capsys):
    kernel = tmp_path / "k.ptx"
    kernel.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
        ".reg .b64 %rd<3>; .reg .b32 %r<3>;\nld.param.u64 %rd1, [p];\n"
        "cvta.to.global.u64 %rd2, %rd1;\nld.global.u32 %r1, [%rd2+4096];\n"
        "st.global.u32 [%rd2], %r1;\nret;\n}\n"
    )
    words = ["report", str(kernel), "--grid", "1", "--block", "32", "--arg", "buffer=i32:8"]
    assert main([*words, "--machine", "a100", "--format", "json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["execution"] is None
    reasons = {one["part"]: one["reason"] for one in made["missing"]}
    assert "4,064 B past the end of `p`" in reasons["dfsg"]
    assert main([*words, "--machine", "a100"]) == 0
    captured = capsys.readouterr()
    assert "There is no dfsg: `ld.global.u32` of 4 B" in captured.out.splitlines()[1]
    assert "Checked: 1 error in 1 launch" in " ".join(captured.out.split())
    assert "\nmemcheck: out of bounds  (error, " in captured.out
    assert "there is no dfsg: `ld.global.u32` of 4 B" in captured.err


def test_findings_stand_in_the_page_with_their_code(tmp_path):
    kernel, page = tmp_path / "same.ptx", tmp_path / "r.html"
    kernel.write_text(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry same(.param .u64 p)\n{\n"
        ".reg .b64 %rd;\n.reg .b32 %r;\nld.param.u64 %rd, [p];\nmov.u32 %r, %ctaid.x;\n"
        "st.global.u32 [%rd], %r;\nret;\n}\n"
    )
    words = ["report", str(kernel), "--grid", "2", "--block", "1", "--arg", "buffer=i32:1"]
    assert main([*words, "--without", "simulate,what-if", "-o", str(page)]) == 0
    text = page.read_text("utf-8")
    found = text.partition(">Findings of sanitizers</h1>")[2]
    assert 'class="toned error">racecheck: race <small>error, once</small>' in found
    assert found.count("<mark>st.global.u32 [%rd], %r</mark>;") == 2
    assert "<td>mov.u32 %r, %ctaid.x;</td>" in found  # a line above


def test_a_launch_that_fits_nowhere_has_no_report():
    with pytest.raises(UsageError):
        reports.report(VECADD, machine="no_such_machine")


def test_an_application_has_its_launches_as_a_tree_and_a_timeline(tmp_path):
    page = tmp_path / "r.html"
    words = ["report", "bfs:tiny", "--machine", "a100", "--without", "what-if"]
    assert main([*words, "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert 'data-chart="tree"' in text
    assert re.search(r"Estimated: 2 of \d+ launches, .*; --launch all takes all\.", text)
    assert "Time of launches by kernel on a100" in text
    assert "Launches on a100" in text


@pytest.mark.parametrize(
    ("name", "begins"),
    [("r.md", "## "), ("r.csv", "kernel,"), ("r.json", "{"), ("r.txt", "reduce")],
)
def test_the_name_of_a_file_says_the_format(tmp_path: Path, name: str, begins: str):
    file = tmp_path / name
    words = ["report", REDUCE, *SIZE, "--without", "what-if,simulate,dfsg"]
    assert main([*words, "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith(begins)
    assert main([*words, "-o", str(file), "--format", "csv"]) == 0
    assert file.read_text(encoding="utf-8").startswith("kernel,")


def test_the_answers_stand_above_alone(found):
    text = " ".join(str(found).split())
    for said in found.answer:
        assert text.count(" ".join(said.split())[:60].partition(": ")[2]) == 1


PAGE = "samples/simulated_ncu.csv"
NO_PARTS = ["--without", "what-if,simulate,analyze,dfsg,check"]


def test_measurements_stand_beside_the_estimate(tmp_path, capsys):
    """As correlate has them; the GPU is that of the page, and no other where it names one."""
    words = ["report", "samples/scan/launch.toml", *NO_PARTS, "--measured", PAGE]
    page, data = tmp_path / "r.html", tmp_path / "r.json"
    assert main([*words, "-o", str(data), "--html", str(page)]) == 0
    capsys.readouterr()
    found = json.loads(data.read_text("utf-8"))
    alone = reports.correlate(PAGE, target="samples/scan/launch.toml").to_dict()
    own = ("groups", "rows", "columns")
    assert {key: found["measured"][key] for key in own} == {key: alone[key] for key in own}
    assert found["measured"]["correlation"]["counters"] == alone["correlation"]["counters"]
    assert {row["machine"] for row in alone["rows"]} == {"a100"}  # and not the v100 of reports
    assert found["missing"] == []
    assert any(line.startswith("Correlated: Estimated times are ") for line in found["answer"])
    text = page.read_text("utf-8")
    assert "Measured, beside estimated" in text
    assert "Estimated times against measured ones" in text  # the chart
    assert "Active threads per warp" in text


def test_measurements_without_a_gpu_are_of_the_one_machine(tmp_path, capsys):
    table = tmp_path / "m.csv"
    table.write_text("kernel,time_us,n\nvecadd,2.0,4096\n")
    words = ["report", VECADD, *NO_PARTS, "--measured", str(table), "-f", "json"]
    assert main([*words, "--machine", "t4"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["measured"]["rows"]
    assert (row["machine"], row["sizes"], row["measured_us"]) == ("t4", {"n": 4096}, 2.0)
    assert main([*words, "--machine", "t4,v100"]) == 2
    assert "no column is known as the machine" in capsys.readouterr().err
    assert main([*words[:-4], "--measured", str(tmp_path / "none.csv")]) == 2
    assert "there is no such file" in capsys.readouterr().err
    table.write_text("kernel,time_us\nother,2.0\n")
    assert main([*words, "--machine", "t4"]) == 0
    (missing,) = json.loads(capsys.readouterr().out)["missing"]
    assert missing["part"] == "measured"
    assert "launches no kernel other" in missing["reason"]
