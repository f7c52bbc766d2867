"""What docs/guide/profile.md shows is what is printed; ``pytest --bless`` renews it."""

from __future__ import annotations

from pathlib import Path

from tests.reference.pages import codes, shows_what_is_printed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "guide" / "profile.md"


def test_the_page_shows_what_is_printed(beside_samples, capsys, request):
    (collector,) = (code for code in codes(PAGE) if "class WrittenLines" in code)
    assert len([line for line in collector.splitlines() if line]) <= 12
    (beside_samples / "written_lines.py").write_text(collector)
    shows_what_is_printed(PAGE, 2, capsys, request)


def test_its_python_runs(beside_samples, capsys):
    (code,) = (code for code in codes(PAGE) if "warpmill.profile(" in code)
    exec(code, {})
    assert "bra" in capsys.readouterr().out
