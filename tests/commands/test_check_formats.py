"""Findings of ``warpmill check`` as other programs take them: SARIF, JUnit, GitHub's commands."""

import json
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from sarif_pydantic import Sarif

from tests.commands.test_check_command import kernel, words  # noqa: F401 - a fixture
from warpmill.cli.main import main
from warpmill.report import issues
from warpmill.report.issues import Issue, IssuePlace, Issues


def shown(capsys, call, form):
    main([*call, "--format", form])
    return capsys.readouterr().out


def test_sarif_names_rule_level_and_the_line(kernel, capsys, monkeypatch):  # noqa: F811
    monkeypatch.chdir(kernel.parent)
    found = json.loads(shown(capsys, words(kernel, 3), "sarif"))
    assert Sarif.model_validate(found).version == "2.1.0"
    (run,) = found["runs"]
    assert run["automationDetails"] == {"id": "warpmill/copy.ptx/"}
    (rule,) = run["tool"]["driver"]["rules"]
    (result,) = run["results"]
    assert (result["ruleId"], rule["id"], result["ruleIndex"]) == (
        *["memcheck/out-of-bounds"] * 2,
        0,
    )
    assert (result["level"], result["occurrenceCount"]) == ("error", 3)
    (place,) = [one["physicalLocation"] for one in result["locations"]]
    assert place["artifactLocation"]["uri"] == "copy.ptx"
    assert place["region"] == {"startLine": 16, "startColumn": 3, "endColumn": 28}


def test_junit_has_a_case_for_each_tool(kernel, capsys):  # noqa: F811
    (suite,) = ET.fromstring(shown(capsys, words(kernel, 3), "junit"))
    cases = {case.get("name"): [one.tag for one in case] for case in suite}
    assert cases["memcheck"] == ["failure"]
    assert cases["synccheck"] == []
    assert (suite.get("tests"), suite.get("failures")) == (str(len(cases)), "1")


def test_github_shows_errors_at_their_lines(kernel, capsys, monkeypatch):  # noqa: F811
    monkeypatch.chdir(kernel.parent)
    (line,) = shown(capsys, words(kernel, 3), "github").splitlines()
    assert line.startswith("::error title=memcheck/out-of-bounds,file=copy.ptx,line=16,col=3::`ld.")


def test_a_clean_check_has_no_issues(kernel, capsys):  # noqa: F811
    assert shown(capsys, words(kernel, 0), "github") == ""
    (run,) = json.loads(shown(capsys, words(kernel, 0), "sarif"))["runs"]
    assert run["results"] == []


@pytest.mark.parametrize(("ending", "begins"), [("sarif", "{"), ("xml", "<?xml")])
def test_the_name_of_a_file_says_the_format(kernel, tmp_path, ending, begins):  # noqa: F811
    path = tmp_path / f"out.{ending}"
    assert main([*words(kernel, 3), "--output", str(path)]) == 1
    assert path.read_text("utf-8").startswith(begins)
    assert ("version" in path.read_text("utf-8")) == (ending in {"sarif", "xml"})


def test_what_was_not_checked_and_hostile_texts_stay_whole():
    place = IssuePlace("a,b:c.cu", 1, 2, message="x")
    told = SimpleNamespace(severity="warning", message="50% <b>\n::error::\x1b[0m", count=1)
    bad = Issue("tool/a-kind", told, (place,), (place,))
    found = Issues("t", ("tool",), {"tool/a-kind": "a kind"}, (bad,), ("wgmma, 3 times",))
    lines = issues._github(found).splitlines()
    assert lines[0] == "::warning title=not checked::wgmma, 3 times"
    assert lines[1].startswith("::warning title=tool/a-kind,file=a%2Cb%3Ac.cu,line=1,col=2::50%25 ")
    assert len(lines) == 2
    ((case,),) = ET.fromstring(issues._junit(found))
    assert [one.tag for one in case] == ["system-out", "skipped"]
    assert "\x1b" not in issues._junit(found)
    (run,) = json.loads(issues._sarif(found))["runs"]
    assert len(run["results"][0]["relatedLocations"]) == 1
    assert Sarif.model_validate({"version": "2.1.0", "runs": [run]})
