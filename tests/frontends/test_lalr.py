"""The kept tables of the grammars: used where they fit, made anew where not, never needed."""

import sys
from pathlib import Path

import pytest

from warpmill.analyzer.base import lalr

EXPRESSION = "ceil(n / 16) + 1"


@pytest.fixture
def tables(tmp_path, monkeypatch):
    path = tmp_path / "expression.tables"
    monkeypatch.setattr(lalr, "_tables", lambda _: str(path))
    return path


def parsed():
    return lalr.lalr_parser("expression.lark").parse(EXPRESSION)


def test_kept_tables_parse_alike(tables, monkeypatch):
    first = parsed()
    assert tables.stat().st_size > 1000
    monkeypatch.setattr("lark.lark.load_grammar", None)  # only who makes tables needs it
    assert parsed() == first


@pytest.mark.parametrize("damage", [b"", b"\x00" * 200, b"not a table\n"])
def test_damaged_tables_are_made_anew(tables, damage):
    first = parsed()
    whole = tables.read_bytes()
    for broken in (damage, whole[: len(whole) // 2], whole[:70]):
        tables.write_bytes(broken)
        assert parsed() == first
        assert tables.read_bytes()[:64] == whole[:64]


def test_a_changed_grammar_makes_other_tables(tables, monkeypatch):
    parsed()
    old = tables.read_bytes()
    text = lalr.grammar_text("expression.lark")
    monkeypatch.setattr(lalr, "grammar_text", lambda _: text + "\n// changed\n")
    parsed()
    assert tables.read_bytes() != old


def test_a_folder_that_cannot_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(lalr, "_tables", lambda _: str(tmp_path / "missing" / "x.tables"))
    assert parsed().children
    assert list(tmp_path.iterdir()) == []


def test_where_tables_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = Path(lalr._tables("ptx.lark"))
    assert path.parent.name == "__pycache__" or sys.pycache_prefix
    assert path.name == f"ptx.lark.{sys.implementation.cache_tag}.tables"
    beside, own = lalr.table_folders()
    assert (beside, own) == (path.parent, tmp_path / "cache" / "warpmill")
    monkeypatch.setattr("os.access", lambda folder, _: folder != beside)
    assert lalr._tables("ptx.lark") == str(own / path.name)
    monkeypatch.setattr("os.access", lambda *_: False)
    assert lalr._tables("ptx.lark") is False
