"""Reading the file of a booksim network: ``name = value;``, ``//`` comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import InputError, Severity, Source, Span, at
from warpmill.simulator.machines.imported.settings import file_name, shown
from warpmill.simulator.machines.imported.text_places import places

_COMMENT = re.compile(r"//[^\n]*")
_STATEMENT = re.compile(r"[^;]+(;?)")
_SETTING = re.compile(r"(\w+)\s*=\s*(.+)", re.DOTALL)
_COUNT = re.compile(r"[0-9]{1,6}")
_STAGES = (
    "routing_delay",
    "vc_alloc_delay",
    "sw_alloc_delay",
    "st_prepare_delay",
    "st_final_delay",
)
_DELAYS = dict(zip(_STAGES, (1, 1, 1, 0, 1), strict=True))
_READ = ("topology", "k", "n", "flit_size", "subnets", *_STAGES)


@dataclass(frozen=True)
class Network:
    """What a network file says; None where it says nothing.

    ``radix`` are the ports of a switch of a butterfly of several stages. ``latency_cycles`` are
    cycles of the network's clock that a packet takes through one router, its own flits aside.
    """

    file: str
    topology: str | None
    radix: int | None
    flit_bytes: int | None
    subnets: int | None
    latency_cycles: int


def read_network(source: Source) -> Network:
    """Read a network file. InputError points at what is not of the form, and at wrong numbers."""
    values = {name: (text, span) for name, text, span in _settings(source) if name in _READ}
    numbers = {
        name: _count(source, name, *values[name])
        for name in _READ
        if name in values and name != "topology"
    }
    topology, radix = values.get("topology", (None,))[0], None
    if topology == "fly" and "k" in numbers:
        stages = numbers.get("n", 1)
        topology, radix = ("butterfly", numbers["k"]) if stages > 1 else ("crossbar", None)
    latency = sum(numbers.get(name, cycles) for name, cycles in _DELAYS.items())
    return Network(
        file_name(source),
        topology,
        radix,
        numbers.get("flit_size"),
        numbers.get("subnets"),
        latency,
    )


def _settings(source: Source) -> Iterator[tuple[str, str, Span]]:
    """Give names and values with the places of the values."""
    text = _COMMENT.sub(lambda comment: " " * len(comment[0]), source.text)
    span = places(text)
    for found in _STATEMENT.finditer(text):
        body = found[0].rstrip(";").strip()
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        setting = _SETTING.fullmatch(body)
        if setting is not None and found[1]:
            first_line = setting[2].split("\n")[0]
            yield setting[1], setting[2], span(start + setting.start(2), len(first_line))
        elif body:
            words = "settings of a network are written `name = value;`"
            place = span(start, len(body.split("\n")[0]))
            raise InputError(at(source, place, Severity.ERROR, words))


def _count(source: Source, name: str, text: str, span: Span) -> int:
    least = 0 if name in _STAGES else 1
    if _COUNT.fullmatch(text) and int(text) >= least:
        return int(text)
    words = f"{name}: a whole number of at least {least} is needed, not `{shown(text)}`"
    raise InputError(at(source, span, Severity.ERROR, words))
