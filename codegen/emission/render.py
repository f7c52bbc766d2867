"""Templates filled in. They hold frames only: what is not given to one is an error, not a gap."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """The environment of ``codegen/templates``; Jinja is loaded by the first call."""
    from jinja2 import (  # noqa: PLC0415 - who only looks at a clone's model needs none
        Environment,
        PackageLoader,
        StrictUndefined,
    )

    return Environment(
        loader=PackageLoader("warpmill.codegen", "templates"),
        undefined=StrictUndefined,
        autoescape=False,  # no HTML: names and lines are cleaned before they come here
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def render(template: str, context: dict[str, Any]) -> str:
    """Fill in a template by its name: ``cuda/clone.cu.j2``."""
    return environment().get_template(template).render(context)
