"""What ``!llvm.loop`` says about loops: unrolling, vectors, how often a profile saw them run.

A hint is written on the branch that goes back, so it belongs to the loop's latch. There it stands
in the block's attributes under LLVM's own name: ``loop.unroll.count=4``, ``loop.mustprogress``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_LOOP = re.compile(r"!llvm\.loop !(\d+)")
_PROPERTY = re.compile(
    r'!\{!"llvm\.(loop\.[A-Za-z0-9_.]+)"(?:, i\d+ (-?[0-9]{1,20}|true|false)\b)?'
)
_NODE = re.compile(r"!(\d+)")


@dataclass(frozen=True)
class LoopHints:
    """Reads the hints of one module's loops, each set of them once."""

    metadata: Mapping[str, str]
    _known: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def words(self, attachments: str) -> tuple[str, ...]:
        """The hints that a branch's attachments name, in their order; of most branches none."""
        if "!llvm.loop" not in attachments:
            return ()
        named = _LOOP.search(attachments)
        if named is None:
            return ()
        found = self._known.get(named[1])
        if found is None:
            found = self._known[named[1]] = tuple(dict.fromkeys(self._properties(named[1])))
        return found

    def _properties(self, loop: str) -> Iterator[str]:
        """A loop's operands are itself, its place in the source, and its properties."""
        for node in _NODE.findall(self.metadata.get(loop, "")):
            found = _PROPERTY.match(self.metadata.get(node, ""))
            if found is not None:
                yield found[1] if found[2] is None else f"{found[1]}={found[2]}"
