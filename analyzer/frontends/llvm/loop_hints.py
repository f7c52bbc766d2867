"""What ``!llvm.loop`` says about loops: unrolling, vectors, how often a profile saw them run.

The IR has no place for this yet. A hint belongs to the back edge that it is written on, the last
branch of the loop's latch; so they are given by function and by the label of that block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from analyzer.frontends.llvm.text import ModuleText, split_body, unquoted

_LOOP = re.compile(r"!llvm\.loop !(\d+)")
_PROPERTY = re.compile(r'!\{!"([\w.]+)"(?:, i\d+ (-?\d+|true|false))?')
_UNROLLS = ("enable", "disable", "full")


@dataclass(frozen=True, slots=True)
class LoopHints:
    """The hints of one loop; None where nothing is said.

    ``unroll`` is ``enable``, ``disable`` or ``full``; ``unroll_count`` a number of copies that is
    asked for; ``estimated_trips`` what a profile found; ``finite`` that it ends or has effects.
    """

    unroll: str | None = None
    unroll_count: int | None = None
    vector_width: int | None = None
    vectorize: bool | None = None
    interleave_count: int | None = None
    distribute: bool | None = None
    pipeline_interval: int | None = None
    peeled_count: int | None = None
    estimated_trips: int | None = None
    finite: bool = False


def loop_hints(module: ModuleText) -> Mapping[tuple[str, str], LoopHints]:
    """The hints of all loops, by function and label of the latch; without loops without any."""
    found: dict[tuple[str, str], LoopHints] = {}
    if "llvm.loop" not in module.source.text:
        return found
    for function in module.functions.values():
        for block in split_body(module.source, function):
            if block.statements:
                hints = hints_of(module, block.statements[-1].attachments)
                if hints is not None:
                    found[function.name, unquoted(block.label)] = hints
    return found


def hints_of(module: ModuleText, attachments: str) -> LoopHints | None:
    """The hints that a branch's attachments name; None where they name no loop."""
    named = _LOOP.search(attachments)
    if named is None:
        return None
    properties = dict(_properties(module, module.metadata.get(named[1], "")))
    unroll = next((u for u in _UNROLLS if f"llvm.loop.unroll.{u}" in properties), None)
    return LoopHints(
        unroll=unroll,
        unroll_count=_number(properties, "unroll.count"),
        vector_width=_number(properties, "vectorize.width"),
        vectorize=_truth(properties, "vectorize.enable"),
        interleave_count=_number(properties, "interleave.count"),
        distribute=_truth(properties, "distribute.enable"),
        pipeline_interval=_number(properties, "pipeline.initiationinterval"),
        peeled_count=_number(properties, "peeled.count"),
        estimated_trips=_number(properties, "estimated_trip_count"),
        finite="llvm.loop.mustprogress" in properties,
    )


def _properties(module: ModuleText, node: str) -> Iterator[tuple[str, str]]:
    """Names and values of a loop's properties; its first operand is the loop itself."""
    for number in re.findall(r"!(\d+)", node):
        found = _PROPERTY.match(module.metadata.get(number, ""))
        if found is not None:
            yield found[1], found[2] or "true"


def _number(properties: Mapping[str, str], name: str) -> int | None:
    value = properties.get(f"llvm.loop.{name}")
    return int(value) if value is not None and value.lstrip("-").isdigit() else None


def _truth(properties: Mapping[str, str], name: str) -> bool | None:
    value = properties.get(f"llvm.loop.{name}")
    return None if value is None else value in ("true", "1")
