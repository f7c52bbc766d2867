"""The table that callbacks note findings in: a row for each place and kind, and how often."""

# mypy: allow-untyped-calls
# numba has no types

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from warpmill.analyzer.base.pointers import first_at, record, words_in
from warpmill.executor.native.layout import CONTEXT
from warpmill.executor.sanitizers.callbacks import part

MOST_FINDINGS = 1000
"""Rows of the table: what is found beyond them is counted, and not kept."""

ROW = record(
    "kind",  # a number that the tool knows
    "site",  # the number of the instruction (``Lowered.sites``), and which of its accesses
    "other_site",
    "cta",
    "thread",  # in its CTA
    "other_cta",
    "other_thread",
    "address",
    "bytes",
    "value",
    "other_value",
    "count",
    "extra",
)
"""A finding: the first time that it happened, and how often."""

LOG = record("rows", "used", "lost")
"""The table: the address of its rows, how many are in use, findings for which there was none."""

WATCH = record("skips", ("log", LOG), "races", "origins", "barriers")
"""What a launch is watched with: the table of findings, and the addresses of the tools' own.

Native code reads ``skips``, bytes by instruction: where one is set, racecheck is not told.
"""

RUN = record(*(name.replace(".", "_") for name in CONTEXT))
"""The context of native code (``native/layout.py``), whose fields take a word each."""

run_at: Any = first_at(RUN)
watch_at: Any = first_at(WATCH)
row_at: Any = first_at(ROW)

_ROW_BYTES = 8 * words_in(ROW)


@part
def noted(watch: Any, kind: int, site: int, other_site: int) -> Any:
    """Row of a finding, its count raised: 1 where it is new, and the rest is to be filled in.

    The last row is one for all where the table is full.
    """
    log = watch.log
    for k in range(log.used):
        row = row_at(log.rows + k * _ROW_BYTES)
        if row.kind == kind and row.site == site and row.other_site == other_site:
            row.count += 1
            return row
    if log.used == MOST_FINDINGS:
        log.lost += 1
        return row_at(log.rows + MOST_FINDINGS * _ROW_BYTES)
    row = row_at(log.rows + log.used * _ROW_BYTES)
    log.used += 1
    row.kind, row.site, row.other_site, row.count = kind, site, other_site, 1
    return row


@dataclass
class FindingLog:
    """The memory of a launch's watch and its table."""

    rows: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(MOST_FINDINGS + 1, ROW))
    watch: npt.NDArray[Any] = field(default_factory=lambda: np.zeros(1, WATCH))

    def __post_init__(self) -> None:
        self.watch["log"]["rows"] = self.rows.ctypes.data

    @property
    def address(self) -> int:
        """Address of the watch, which native code hands to callbacks."""
        return self.watch.ctypes.data

    @property
    def found(self) -> npt.NDArray[Any]:
        """The rows in use, in the order in which each was first found."""
        return self.rows[: int(self.watch["log"]["used"][0])]

    @property
    def lost(self) -> int:
        """Findings that had no row."""
        return int(self.watch["log"]["lost"][0])
