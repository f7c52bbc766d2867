"""What the bodies of a module share while they are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpmill.analyzer.base.source import DebugLocation
from warpmill.analyzer.frontends.ptx.prepared import Prepared
from warpmill.analyzer.frontends.ptx.problems import Problems
from warpmill.analyzer.ir.operation import Operation

Key = tuple[str, tuple[str, ...]]  # an opcode and the shapes of its fragments


@dataclass(slots=True)
class Surroundings:
    """What bodies need to know of their module, and what those before have found out.

    ``text`` has no comments. What is empty at first is filled while bodies are read.
    """

    text: str
    problems: Problems
    address_bits: int
    debug_files: dict[int, str]
    element_bytes: dict[str, int] = field(default_factory=dict)  # of the variables declared so far
    noted: set[str] = field(default_factory=set)  # what was warned about already
    sound: set[Key] = field(default_factory=set)  # whose operands fit
    prepared: dict[Key, Prepared] = field(default_factory=dict)
    simple: dict[Key, Operation] = field(default_factory=dict)  # those that need no more than that
    directives: dict[str, object] = field(default_factory=dict)  # forms by their texts
    locations: dict[str, DebugLocation] = field(default_factory=dict)  # by the text of the .loc
