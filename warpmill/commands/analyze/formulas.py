"""Formulas on pages: long ones are cut unless all is asked for, named parts stand below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpmill.report.facts import KernelIdentity
from warpmill.report.page import Page

_LONGEST = 100
_PARTS = 4
_FORMULAS = 2


def shortened(text: str, *, verbose: bool, most: int = _LONGEST) -> str:
    """Cut a long text in the middle, unless all is asked for."""
    if verbose or len(text) <= most:
        return text
    half = (most - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def shown_parts(parts: Sequence[str], *, verbose: bool) -> Iterator[str]:
    """Lines that say what the names in a formula stand for: a few, unless all."""
    shown = parts if verbose else parts[:_PARTS]
    yield from (shortened(part, verbose=verbose) for part in shown)
    if len(shown) < len(parts):
        yield f"and {len(parts) - len(shown)} more (--verbose)"


def add_parts(page: Page, formulas: Sequence[tuple[str, Sequence[str]]]) -> None:
    """What the names in its formulas stand for: those of a few, unless all.

    ``formulas`` are what each row is called, and the named parts of its formula.
    """
    verbose = page.style.verbose
    parted = [(of, parts) for of, parts in formulas if parts]
    shown = parted if verbose else parted[:_FORMULAS]
    for of, parts in shown:
        page.line(f"{of}, where")
        for line in shown_parts(parts, verbose=verbose):
            page.line(f"  {line}")
    if len(shown) < len(parted):
        left = len(parted) - len(shown)
        page.line(f"{left} more have names of their own for parts (--verbose)")


def readable(text: str, kernel: KernelIdentity, *, verbose: bool) -> str:
    """Parameters in a formula without their kernel's name, where that is a mangled one."""
    if verbose or not kernel.name.startswith("_Z"):
        return text
    return text.replace(f"{kernel.name}_param_", "param_")
