"""What graphs in Graphviz' language share: texts in quotes, and colours by share."""

from __future__ import annotations

import json

from warpmill.report.safe import escaped


def quoted(text: str) -> str:
    """Write a text as a string of Graphviz; newlines break lines."""
    return json.dumps(escaped(text), ensure_ascii=False)


def shade(share: float) -> str:
    """Give white for no share and a dark orange for all."""
    least = (255 - round(share * part) for part in (25, 130, 215))
    return "#" + "".join(f"{part:02x}" for part in least)
