"""Commands that cannot be: refused before anything is done, in words that say what is wrong."""

import pytest

from tests.commands.refusals import LIMIT, VECADD, refusals, words_of
from tests.commands.test_cli_bad_input import fails

FILES = ("usage", "choices", "calibrate", "correlate", "sample", "sweep", "tune")


CASES = [case for name in FILES for case in refusals(name)]


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("command", "said"), CASES, ids=[command for command, _ in CASES])
def test_they_are_refused(command, said, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    times, here = tmp_path / "m.csv", tmp_path / "here"
    times.write_text(f"target,gpu,time_ms\n{VECADD},a100,1\n")
    here.mkdir()
    monkeypatch.chdir(here)
    code = 3 if LIMIT in said else 2
    told = fails(capsys, words_of(command, {"$TIMES": str(times)}), code)
    missing = [words for words in said if words not in " ".join(told.split())]
    assert missing == [LIMIT] * (code == 3)
    assert list(here.iterdir()) == []
