"""``warpmill check --proofs``: the answer first, and what it says without z3."""

import csv
import io
import json
import sys

import pytest

from tests.analyses.proof_kernels import GUARDED, ProofKernel, store
from warpmill.cli.main import main

pytest.importorskip("z3")


@pytest.fixture
def unguarded(tmp_path):
    return str(ProofKernel("unguarded", store(), ()).write(tmp_path))


@pytest.fixture
def guarded(tmp_path):
    return str(ProofKernel("guarded", GUARDED + store(), ()).write(tmp_path))


def test_the_section_leads_with_the_answer(guarded, capsys):
    assert main(["check", guarded, "--proofs"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "Clean: nothing was found in 1 launch, by memcheck," in out
    answer = "k: 1 of 1 accesses is in bounds for every n up to 2,147,483,647."
    assert f"For all sizes {answer} in bounds: 1 of 1" in out


def test_a_counterexample_is_a_warning_with_its_sizes(unguarded, capsys):
    assert main(["check", unguarded, "--tool", "proofs", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["verdict"], report["tools"]) == ("warnings", ["proofs"])
    (found,) = report["findings"]
    assert (found["kind"], found["severity"], found["count"]) == ("out of bounds", "warning", 1)
    (proof,) = [one for one in report["proofs"] if one["kind"] == "in bounds"]
    n = proof["sizes"]["n"]
    assert (proof["answer"], proof["in_domain"]) == ("refuted", True)
    assert proof["domain"] == "every n up to 2,147,483,647, n a multiple of 64"
    assert f"which has {4 * n:,} B with n = {n}" in found["message"]
    assert main(["check", unguarded, "--tool", "proofs", "--strict"]) == 1


def test_proofs_alone_execute_nothing(guarded, capsys):
    assert main(["check", guarded, "--tool", "proofs", "--size", "n=2000000000"]) == 0
    assert "every n up to" in capsys.readouterr().out


def test_rows_of_csv_are_proofs(guarded, capsys):
    main(["check", guarded, "--tool", "proofs", "--format", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    proofs = [row for row in rows if row["row"] == "proof"]
    assert [(row["kind"], row["answer"], row["memory"]) for row in proofs] == [
        ("in bounds", "proven", "a"),
        ("aligned", "proven", "a"),
        ("no 32-bit overflow", "proven", "a"),
    ]


def test_without_z3_it_says_what_to_install_and_does_not_fail(guarded, capsys, monkeypatch):
    for name in [n for n in sys.modules if n.startswith("warpmill.analyzer.analyses.proofs.")]:
        if not name.endswith("verdicts"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "z3", None)
    assert main(["check", guarded, "--proofs"]) == 0
    out = capsys.readouterr().out
    assert "Incomplete: nothing was found in 1 launch" in out
    assert "install warpmill[proofs] to have proofs" in out


def test_programs_have_no_sizes_to_prove_for(capsys):
    assert main(["check", "bfs:tiny", "--tool", "proofs"]) == 0
    assert "proofs are of launch files" in capsys.readouterr().out
