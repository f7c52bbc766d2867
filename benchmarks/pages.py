"""Pages of the documentation that benchmarks write: templates, tables and figures in Markdown."""

from __future__ import annotations

import re

from jinja2 import Environment, StrictUndefined

_BLANKS = re.compile(r"\n{3,}")


def rendered(template, result, **values):
    """Fill a template (a path) with values, and with when and where a result was measured."""
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    text = environment.from_string(template.read_text("utf-8")).render(
        date=result.get("date", "now"),
        processor=result["computer"]["processor"],
        python=result["computer"]["python"],
        number=number,
        **values,
    )
    return _BLANKS.sub("\n\n", text)


def table(header, rows):
    """Write a table in Markdown; empty without rows."""
    rows = list(rows)
    if not rows:
        return ""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def number(value):
    """Write a figure in the digits that anybody reads."""
    if value is None:
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.{0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2}f}"
