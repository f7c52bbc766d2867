"""Variants of a launch: the same work by other code, or by a launch file of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.metric import INTERNAL, derived
from warpmill.analyzer.frontends.load import READABLE
from warpmill.session.options import LaunchOptions
from warpmill.sweeps.launches import SweepTarget, VariantCode

DEFAULT = "default"
"""The variant that the target itself is."""

_ENDINGS = "|".join(re.escape(suffix) for suffix in (".toml", *READABLE))
_VARIANT = re.compile(
    rf"(?:(?P<name>[\w.+-]+)=)?(?P<file>.+?(?:{_ENDINGS}))(?::(?P<kernel>.+))?", re.IGNORECASE
)
_OTHER_FILE = re.compile(r"(?:(?P<name>[\w.+-]+)=)?(?P<file>.+?)(?P<kernel>)")
"""A file of any name, as programs with PTX in them have."""


@dataclass(frozen=True)
class Variant:
    """One of several ways to do a launch's work."""

    name: str
    target: Annotated[SweepTarget, INTERNAL]

    @derived("File")
    def file(self) -> str:
        """The file with its code, or its launch."""
        return self.target.path if self.target.code is None else self.target.code.path

    @derived("Kernel")
    def kernel(self) -> str | None:
        """The kernel in it; null: the only one of the file, or all of it."""
        return self.target.kernel if self.target.code is None else self.target.code.kernel


def parse_variant(base: SweepTarget, text: str) -> Variant:
    """Read ``[NAME=]FILE[:KERNEL]``. UsageError for what is none.

    A kernel file has other code for the base's launch; a launch file (.toml) says its own launch.
    Without a name it is the kernel's, or the file's without its ending.
    """
    found = _VARIANT.fullmatch(text.strip()) or _OTHER_FILE.fullmatch(text.strip())
    if found is None or (found.re is _OTHER_FILE and not Path(found["file"]).is_file()):
        raise UsageError(
            f"--variant {text}: write [NAME=]FILE[:KERNEL], such as unroll4=matmul.unroll4.ptx, or "
            "a launch file (.toml)"
        )
    file, kernel = found["file"], found["kernel"] or None
    name = found["name"] or kernel or Path(file).stem
    if Path(file).suffix.lower() == ".toml":
        options = LaunchOptions(sizes=base.options.sizes)
        number = base.number if kernel is None else None
        return Variant(name, SweepTarget(file, kernel or base.kernel, options, number, base.strict))
    return Variant(name, replace(base, code=VariantCode(file, kernel)))


def variants_of(base: SweepTarget, texts: Sequence[str]) -> tuple[Variant, ...]:
    """The base and its variants. UsageError for what is none, and for one name twice."""
    found = [Variant(DEFAULT, base), *(parse_variant(base, text) for text in texts)]
    names = [variant.name for variant in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two variants are called {twice}: give each a name, NAME=FILE")
    return tuple(found)
