"""Which page shows which report."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from warpmill.report.page import Page

if TYPE_CHECKING:
    from warpmill.report.base import Report
    from warpmill.report.style import Style

_PAGES = {
    "inspect": ("inspect_text", "inspect_page"),
    "analyze": ("analyze_text", "analyze_page"),
    "diff": ("diff_text", "diff_page"),
    "trace": ("trace_text", "trace_page"),
    "run": ("run_text", "run_page"),
    "profile": ("profile_text", "profile_page"),
    "record": ("record_text", "record_page"),
    "replay": ("replay_text", "replay_page"),
    "dfsg": ("dfsg_text", "dfsg_page"),
    "dfsg-diff": ("dfsg_diff_text", "dfsg_diff_page"),
    "estimate": ("estimate_text", "estimate_page"),
    "explain": ("explain_text", "explain_page"),
    "simulate": ("simulate_text", "simulate_page"),
    "correlate": ("correlate_text", "correlate_page"),
    "sweep": ("sweep_text", "sweep_page"),
    "tune": ("tune_text", "tune_page"),
    "clone": ("clone_text", "clone_page"),
    "sample": ("sample_text", "sample_page"),
    "explore": ("explore_text", "explore_page"),
    "calibrate": ("calibrate_text", "calibrate_page"),
    "machines-list": ("machines_text", "machine_list_page"),
    "machines-show": ("machines_text", "machine_page"),
    "machines-diff": ("machines_text", "machine_diff_page"),
    "samples": ("samples_text", "samples_page"),
    "samples-run": ("samples_text", "sample_run_page"),
    "doctor": ("doctor_text", "doctor_page"),
}


def text_pages(report: Report, style: Style) -> str:
    """Show a report as text for people, with what its marks mean below."""
    module, function = _PAGES[report.report]
    page = Page(style)
    show: Callable[[Any, Page], None] = getattr(import_module(f"warpmill.views.{module}"), function)
    show(report, page)
    if report.report != "doctor" and not getattr(report, "is_silent", False):
        page.legend()
    return page.text()
