"""Libraries that only some questions need: where one is lacking, the extra that brings it is named.

The extras and what is in them stand in pyproject.toml alone; an installed package knows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError

_DISTRIBUTIONS = {
    "sklearn": "scikit-learn", "z3": "z3-solver", "cuda": "cuda-bindings",
}  # fmt: skip
"""Names of packages where that of the module is another one."""

_EXTRA = re.compile(r"""(?P<name>[\w.-]+)[^;]*;.*\bextra *== *["'](?P<extra>[\w-]+)["'].*""")
_FOR_DEVELOPERS = frozenset({"bench", "dev", "mutants"})


def need(*modules: str, why: str = "this") -> None:
    """See that modules can be imported, before work begins that needs them. UsageError."""
    for module in modules:
        if find_spec(module) is None:
            raise lacking(module, why)


def lacking(module: str, why: str = "this") -> UsageError:
    """The error that a module is not installed, with what to install."""
    words = f"{why} needs {module}, which is not installed"
    return UsageError(Diagnostic(Severity.ERROR, words, hint=f"pip install {_quoted(module)}"))


def extras_of(module: str) -> Iterator[str]:
    """The extras of warpmill that bring a module."""
    wanted = _DISTRIBUTIONS.get(module, module).lower()
    for extra, packages in extras().items():
        if wanted in packages:
            yield extra


def extras() -> dict[str, tuple[str, ...]]:
    """The packages of each extra for people who use warpmill, without those of other extras."""
    found: dict[str, tuple[str, ...]] = {}
    try:
        requirements = metadata.requires("warpmill") or []
    except metadata.PackageNotFoundError:
        return {}
    for requirement in requirements:
        match = _EXTRA.fullmatch(requirement)
        if match is None or match["extra"] in _FOR_DEVELOPERS or match["name"] == "warpmill":
            continue
        name = match["name"].lower().replace("_", "-")
        found[match["extra"]] = (*found.get(match["extra"], ()), name)
    return found


def _quoted(module: str) -> str:
    own = next(extras_of(module), None)
    return _DISTRIBUTIONS.get(module, module) if own is None else f"'warpmill[{own}]'"
