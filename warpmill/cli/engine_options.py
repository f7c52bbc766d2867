"""What is written beside a report is checked first."""

from __future__ import annotations

from pathlib import Path

from warpmill.analyzer.base.writable import check_files


def check_written(output: Path | None, plot: Path | None) -> None:
    """Refuse, before anything is estimated, what could not be written. UsageError."""
    check_files({"--output": output, "--plot": plot})
    if plot is not None:
        from warpmill.report.pictures import check_plot  # noqa: PLC0415 - slow to load

        check_plot(plot)
