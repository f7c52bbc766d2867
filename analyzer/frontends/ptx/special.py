"""The names of special registers, from ``special_registers.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files

_COMPONENTS = "xyzw"


@cache
def special_registers() -> frozenset[str]:
    """Give every special register without its percent sign: ``tid``, ``tid.x``, ``laneid`` …."""
    text = files(__package__).joinpath("special_registers.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    names = {*table["scalars"], *table["vectors"]}
    names |= {f"{vector}.{c}" for vector in table["vectors"] for c in _COMPONENTS}
    names |= {f"{name}{i}" for name, count in table["families"].items() for i in range(count)}
    names |= {f"{name}{i}_64" for name, count in table["numbered_64"].items() for i in range(count)}
    return frozenset(names)
