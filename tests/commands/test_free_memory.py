"""warpmill.session.runs: what Linux tells, and what a run takes of it."""

from __future__ import annotations

from pathlib import Path

from warpmill.session.runs import available_bytes, cap_at_half_of_free_memory


def test_what_linux_tells_is_in_kib(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    file.write_text("MemTotal:       24689764 kB\nMemAvailable:   20000000 kB\nBuffers: 1 kB\n")
    assert available_bytes(file) == 20_000_000 * 1024


def test_what_is_not_told_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "meminfo"
    assert available_bytes(file) is None
    file.write_text("MemTotal:       24689764 kB\n")  # Linux before 3.14
    assert available_bytes(file) is None


def test_half_of_what_is_free_is_left() -> None:
    assert cap_at_half_of_free_memory(16, 100) == 16
    assert cap_at_half_of_free_memory(16, 20) == 10
    assert cap_at_half_of_free_memory(16, 0) == 1
    assert cap_at_half_of_free_memory(16, None) == 16
