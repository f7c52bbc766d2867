"""docs/validation.md, written from kept results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from benchmarks.validation_parts import bands, engines, sampled, silicon, simulator, speed
from benchmarks.validation_parts.glance import glance

TEMPLATE = Path(__file__).with_name("page.md.j2")
Result = Mapping[str, Any]


def page(results: Mapping[str, Result | None]) -> str:
    """Write the page from what other benchmarks kept, by name.

    None stands for what is not kept.
    """
    template = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    return template.from_string(TEMPLATE.read_text("utf-8")).render(
        glance=glance(results),
        silicon=silicon.section(results["accuracy"]).strip(),
        bands=bands.section(results["error_bands"]).strip(),
        simulator=simulator.section(results["simulate"]).strip(),
        engines=engines.section(results["engines"]).strip(),
        tbpoint=sampled.tbpoint(results["tbpoint"]).strip(),
        gtpin=sampled.gtpin(results["gtpin"]).strip(),
        speed=speed.section(results["simulate"]).strip(),
    )
