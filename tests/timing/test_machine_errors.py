"""Machine files that users write: every error points at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.simulator.machines import load_machine

_HEAD = """\
schema = 1
[machine]
name = { value = "mine", source = "- identification" }
warp_size = { value = 32, source = "my own" }
cycle_domain = { value = "core clock", source = "my own" }
fallback = { value = "a100", source = "my own" }
[clock]
sm_mhz = { value = 1000, source = "my own" }
mem_mhz = { value = 1215, source = "my own" }
mem_gtps = { value = 2.43, source = "my own" }
"""


def _load(tmp_path: Path, text: str) -> object:
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return load_machine(str(path))


def _errors(tmp_path: Path, text: str) -> list[tuple[int, int, str]]:
    with pytest.raises(InputError) as caught:
        _load(tmp_path, text)
    found = caught.value.diagnostics
    assert all(d.file == str(tmp_path / "mine.toml") for d in found)
    return [(d.span.line, d.span.column, d.message) for d in found if d.span is not None]


def test_a_small_file_is_enough(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(_HEAD + '[sm]\ncount = { value = 99, source = "B my ruler" }\n', "utf-8")
    machine = load_machine(str(path))
    assert (machine.name, machine.chain[1:]) == ("mine", ("a100", "v100", "generic"))
    count = machine["sm.count"]
    assert (count.value, count.letter, count.source, count.origin) == (
        99,
        "B",
        "my ruler",
        str(path),
    )
    assert machine["machine.warp_size"].letter == "U"
    assert machine["l2.slices"].assumed
    assert machine.number("dram.measured_gbs") == 1539  # the a100's: bus and data rate are the same


def test_a_file_that_changes_an_input_displaces_what_its_fallback_states(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(_HEAD.replace("2.43", "1.0"), "utf-8")
    assert load_machine(str(path)).number("dram.measured_gbs") == 0.95 * 640


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        ('count = { value = 0, source = "x" }', 19, "sm.count is 1 to 4096 SMs, not 0"),
        ('count = { value = "a", source = "x" }', 19, "sm.count is a whole number, not 'a'"),
        ('cuont = { value = 1, source = "x" }', 1, "there is no machine key `sm.cuont`"),
        ("count = 7", 9, "an entry is a table with value and source"),
        ("count = { value = 7 }", 9, "an entry names its source"),
        ('count = { source = "x" }', 9, "sm.count has no value"),
        ('count = { value = 7, source = "" }', 31, "a source is a text that is not empty"),
        (
            'count = { value = 7, source = "x", unit = "SMs" }',
            43,
            "an entry has value, source and alternatives, nothing else",
        ),
        (
            'count = { value = 7, source = "x", alternatives = [{ value = 8 }] }',
            52,
            "an alternative names its source",
        ),
        (
            'count = { value = 7, source = "x", alternatives = [{ source = "y" }] }',
            52,
            "an alternative has a value",
        ),
        (
            'count = { value = 7, source = "x", alternatives = 8 }',
            51,
            "alternatives are a list of tables",
        ),
    ],
)
def test_an_entry_that_is_wrong(tmp_path: Path, line: str, column: int, words: str) -> None:
    assert _errors(tmp_path, f"{_HEAD}[sm]\n{line}\n") == [(12, column, words)]


def test_all_errors_are_told_at_once(tmp_path: Path) -> None:
    text = _HEAD.replace('sm_mhz = { value = 1000, source = "my own" }\n', "")
    text = text.replace("schema = 1", "schema = 2").replace('"a100"', '"a101"')
    found = _errors(tmp_path, text + "[cache]\nsize = 3\n[l1]\n")
    assert [(line, column) for line, column, _ in found] == [(1, 10), (10, 2), (6, 22), (7, 2)]
    assert found[0][2].startswith("a machine file says `schema = 1`")
    assert found[1][2] == "there is no table `cache`"
    assert found[2][2] == "`a101` is not a packaged machine"
    assert found[3][2].startswith("clock.sm_mhz is missing")


@pytest.mark.parametrize(
    "text", ["", "schema = true", "sm = 3", "[dram]\ntiming = 3", "[[sm]]\na = 1", "[sm.count.x]\n"]
)
def test_odd_files_end_in_an_input_error(tmp_path: Path, text: str) -> None:
    assert _errors(tmp_path, text)


def test_a_file_that_is_not_there_or_not_toml(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        load_machine(str(tmp_path / "none.toml"))
    assert _errors(tmp_path, "schema = \n")[0][:2] == (1, 10)


def test_a_count_that_is_not_whole_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(_HEAD + '[l1]\nsize_bytes = { value = 1000, source = "x" }\n', "utf-8")
    with pytest.raises(InputError, match=r"mine\.toml: error: l1\.sets"):
        load_machine(str(path))
