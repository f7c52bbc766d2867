"""Exit codes of commands that measure many points: 3 where all of them reach a limit."""

import json
from pathlib import Path

import pytest

from warpmill.cli.main import main

LOOP = Path(__file__).parents[1] / "cases" / "90-long-data-loop" / "kernel.ptx"

LAUNCH = f"""
[sizes]
n = 30000000
[[launch]]
module = "{LOOP}"
grid = 2
block = 64
args = [
  {{ buffer = "f32", shape = [262144], init = {{ uniform = [0, 1] }}, seed = 1 }},
  {{ buffer = "f32", shape = [64] }}, {{ u32 = "n" }},
]
"""

SPACE = """
schema = 1
base = "quadro_fx5800_gpgpusim"
[set]
"sm.count" = 2
[parameters.simd]
values = [8, 16]
realise = "simd"
"""

FEW = "--max-instructions 100000 --no-store"


@pytest.fixture
def ended(tmp_path, monkeypatch, capsys):
    """Run a command beside a launch of a loop that data end after as many steps as its size."""
    (tmp_path / "loop.toml").write_text(LAUNCH)
    (tmp_path / "space.toml").write_text(SPACE)
    (tmp_path / "m.csv").write_text("target,gpu,time_us\nloop.toml,a100,1\nloop.toml,v100,2\n")
    monkeypatch.chdir(tmp_path)

    def ran(words):
        code = main(words.split())
        out, err = capsys.readouterr()
        return code, out, err

    return ran


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (f"sweep loop.toml --over n=20000000,30000000 -m a100 {FEW}", "--max-instructions"),
        (f"tune loop.toml -m a100 --over block=32,64 {FEW}", "--max-instructions"),
        ("correlate m.csv --max-instructions 100000", "--max-instructions"),
        ("simulate loop.toml --size n=99 -m a100,v100 --max-cycles 10", "--max-cycles"),
        ("sample loop.toml --size n=99 -m a100,v100 --max-cycles 10", "--max-cycles"),
        (
            "explore space.toml loop.toml --size n=9 --max-cycles 10 --samples 2 --no-store "
            "--workers 1",
            "--max-cycles",
        ),
    ],
    ids=lambda word: word.split()[0],
)
def test_limits_that_all_points_reach_end_with_3(ended, words, flag):
    code, _, said = ended(words)
    assert code == 3, said
    assert flag in said, said


def test_points_that_fail_in_other_ways_too_end_with_2(ended):
    """A higher limit does not help: one block has more threads than there may be."""
    code, _, said = ended(f"sweep loop.toml --over block=64,2048 -m a100 {FEW}")
    assert code == 2, said
    assert "2048" in said


def test_points_that_are_measured_are_shown_beside_those_at_a_limit(ended):
    words = f"sweep loop.toml --over n=2,30000000 -m a100 {FEW} --format json"
    code, out, said = ended(words)
    assert code == 0, said
    found = json.loads(out)
    assert (found["configurations"], found["not_measured"]) == (2, 1)
    assert "--max-instructions" in found["reasons"][0]["reason"]


@pytest.mark.parametrize("workers", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_machines_that_end_below_a_limit_answer(ended, workers):
    """Two machines take different numbers of cycles; the limit lies between."""
    words = f"simulate loop.toml --size n=64 --workers {workers} --format json"
    cycles = []
    for machine in ("a100", "gtx480"):
        code, out, said = ended(f"{words} -m {machine}")
        assert code == 0, said
        cycles.append(json.loads(out)["simulations"][0]["result"]["cycles"])
    assert cycles[0] != cycles[1]
    limit = int(sum(cycles) / 2)
    code, out, said = ended(f"{words} -m a100,gtx480 --max-cycles {limit}")
    assert code == 0, said
    found = json.loads(out)
    assert len(found["simulations"]) == len(found["not_simulated"]) == 1
    assert "--max-cycles" in said
