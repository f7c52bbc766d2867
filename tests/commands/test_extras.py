"""Libraries of extras: what needs one says so before it begins, and nothing else needs them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from warpmill.analyzer.base.extras import extras_of

ROOT = Path(__file__).parents[2]
OPTIONAL = ("matplotlib", "sklearn", "sqlalchemy", "statsmodels", "patsy", "z3", "cryptography")
LAUNCH = "samples/vecadd/launch.toml"
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({missing!r}))
from warpmill.cli.main import main
print("codes", *(main(line.split()) for line in {lines!r}))
"""


def without(missing, *lines, folder):
    """Exit codes of commands in one process that has no such modules, and what they say."""
    code = WITHOUT.format(missing=missing, lines=lines)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    found = re.search(r"^codes (.*)$", done.stdout, re.MULTILINE)
    assert found, done.stderr
    return [*map(int, found[1].split())], done.stderr


@pytest.mark.parametrize(
    ("module", "line", "extra"),
    [
        ("matplotlib", f"simulate {LAUNCH} --size n=4096 --plot p.png", "plots"),
        ("sqlalchemy", f"sweep {LAUNCH} --over n=1024,2048", "studies"),
        ("sqlalchemy", f"tune {LAUNCH}", "studies"),
        ("sklearn", "sample bfs:tiny --method simpoint", "sampling"),
        ("statsmodels", "explore stargazer bfs:tiny", "regression"),
    ],
)
@pytest.mark.one_in(1)
def test_what_lacks_its_extra_says_which(module, line, extra, tmp_path):
    codes, said = without((module,), line, folder=tmp_path)
    assert codes == [2]
    assert f"pip install 'warpmill[{extra}]'" in said
    assert not [*tmp_path.iterdir()]


def test_all_else_works_without_them(tmp_path):
    lines = (
        "inspect samples/vecadd/vecadd.sm_80.ptx",
        f"analyze {LAUNCH}",
        f"estimate {LAUNCH} -m a100 --html page.html",
        f"explain {LAUNCH} -m a100",
        f"check {LAUNCH} --size n=4096",
        f"dfsg {LAUNCH} --size n=4096",
        f"report {LAUNCH} --size n=4096 -o report.html",  # which simulates
    )
    codes, said = without(OPTIONAL, *lines, folder=tmp_path)
    assert codes == [0] * len(lines), said


def test_the_extra_of_each_library_is_known():
    own = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    names = {re.match(r"[\w.-]+", each)[0].lower() for each in own["dependencies"]}
    assert not names & {"matplotlib", "scikit-learn", "sqlalchemy", "statsmodels", "patsy"}
    for module, extra in (("sklearn", "sampling"), ("patsy", "regression"), ("z3", "proofs")):
        assert extra in extras_of(module)
    assert not [*extras_of("numpy")]
