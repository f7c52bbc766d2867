"""Every case is tried by a test of this room."""

from __future__ import annotations

from pathlib import Path

CASES = Path(__file__).parent


def test_every_case_is_tried() -> None:
    tests = "".join(path.read_text() for path in CASES.glob("test_*.py"))
    folders = [path.name for path in CASES.iterdir() if path.is_dir() and path.name[0] != "_"]
    assert len(folders) > 35
    assert [name for name in sorted(folders) if f'"{name}"' not in tests] == []
