"""The operations that are measured, as ``operations.toml`` lists them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True)
class MeasuredOperation:
    """A line of the table; its head says what the fields mean. Absent keys are None."""

    name: str
    code: str
    links: int = 1
    latency: str | None = None
    interval: str | None = None
    minus: str | None = None
    pad: str = ""
    results: int = 1
    begin: str = ""
    least: int = 30

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements of a link."""
        return tuple(one.strip() for one in self.code.split(";"))

    @property
    def opcodes(self) -> tuple[str, ...]:
        """The opcodes of a link, each once."""
        words = (one.split() for one in self.statements)
        return tuple(dict.fromkeys(w[1] if w[0].startswith("@") else w[0] for w in words))

    @property
    def keys(self) -> tuple[str, ...]:
        """The machine keys that its chains give."""
        return tuple(key for key in (self.latency, self.interval) if key is not None)

    @property
    def pads(self) -> tuple[str, ...]:
        """The lines that lengthen the chain, one for each statement; none where that is no use."""
        return tuple(self.pad.split())


@cache
def measured_operations() -> dict[str, MeasuredOperation]:
    """Read the table: every line by its name, in the order of the file."""
    text = (
        files("warpmill.codegen.microbench").joinpath("operations.toml").read_text(encoding="utf-8")
    )
    lines = tomllib.loads(text)["operations"]
    return {name: MeasuredOperation(name, **line) for name, line in lines.items()}
