"""Metadata: debug locations, kernel annotations, hints about loops, the compiler's version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import DebugLocation
from warpmill.analyzer.frontends.llvm.text import FunctionText, ScannedModule, unquoted
from warpmill.analyzer.ir.kernel import LaunchBounds

_DBG = re.compile(r"!dbg !(\d+)")
_PLAIN_LOCATION = re.compile(  # in the order in which LLVM prints it
    r"!DILocation\(line: (\d+)(?:, column: (\d+))?, scope: !(\d+)(?:, inlinedAt: !(\d+))?[,)]"
)
FIELD = re.compile(r'(\w+): (!?(?:"(?:[^"])*"|[-\w.]+))')
"""A field of a specialised node, ``line: 4``."""

_COUNT = r"[0-9]{1,10}"
_MAX_SCOPES = 1000
_MAX_INLINED = 100  # functions inlined into each other that a location tells


class DebugLines:
    """Resolves ``!dbg`` attachments of one module to file, line and column."""

    def __init__(self, module: ScannedModule) -> None:
        self._metadata = module.metadata
        self._known: dict[str, DebugLocation | None] = {}
        self._nodes: dict[str, DebugLocation | None] = {}
        self._files: dict[str, str | None] = {}

    def location(self, attachments: str) -> DebugLocation | None:
        """The place that a statement's attachments name; None where they name none."""
        if attachments not in self._known:
            found = _DBG.search(attachments)
            self._known[attachments] = None if found is None else self._locate(found[1])
        return self._known[attachments]

    def _locate(self, node: str, depth: int = 0) -> DebugLocation | None:
        """Read a location, and those that it was inlined at."""
        if node in self._nodes:
            return self._nodes[node]
        found = None
        parts = self._parts(node)
        if parts is not None:
            line, column, scope, outer = parts
            if scope not in self._files:
                self._files[scope] = self._file(scope)
            name = self._files[scope]
            deeper = bool(outer) and depth < _MAX_INLINED
            inlined_at = self._locate(outer, depth + 1) if deeper else None
            if name is not None:
                found = DebugLocation(name, int(line), int(column or 0), inlined_at)
        self._nodes[node] = found
        return found

    def _parts(self, node: str) -> tuple[str, str, str, str] | None:
        """Line, column, scope and outer location as written; the last may be empty."""
        plain = _PLAIN_LOCATION.search(self._metadata.get(node, ""))
        if plain is not None:
            return plain[1], plain[2] or "0", plain[3], plain[4] or ""
        fields = self._fields(node, "DILocation")
        if "line" not in fields or "scope" not in fields:
            return None
        outer = fields.get("inlinedAt", "").lstrip("!")
        return fields["line"], fields.get("column", "0"), fields["scope"].lstrip("!"), outer

    def _file(self, scope: str) -> str | None:
        """The name of the file of a scope; of scopes without a file, of the one around it."""
        for _ in range(_MAX_SCOPES):
            fields = self._fields(scope, "")
            if "file" in fields:
                name = self._fields(fields["file"].lstrip("!"), "DIFile").get("filename")
                return None if name is None else unquoted(name)
            if "scope" not in fields:
                return None
            scope = fields["scope"].lstrip("!")
        return None

    def _fields(self, node: str, kind: str) -> dict[str, str]:
        text = self._metadata.get(node, "")
        return dict(FIELD.findall(text)) if f"!{kind}" in text else {}


def debug_files(module: ScannedModule) -> tuple[str, ...]:
    """The names of the source files that debug information mentions, in order."""
    names = (
        dict(FIELD.findall(text)).get("filename")
        for text in module.metadata.values()
        if "!DIFile(" in text
    )
    return tuple(dict.fromkeys(unquoted(n) for n in names if n is not None))


def compiler_version(module: ScannedModule) -> str:
    """LLVM's version where ``!llvm.ident`` tells it, else an empty text."""
    for node in re.findall(r"!(\d+)", module.metadata.get("llvm.ident", "")):
        found = re.search(r"(?:clang|LLVM) version (\d+(?:\.\d+)*)", module.metadata.get(node, ""))
        if found is not None:
            return found[1]
    return ""


def launch_bounds(module: ScannedModule, function: FunctionText) -> LaunchBounds:
    """Launch bounds of a kernel by its attributes, attachments and annotations."""
    attributes = module.attributes(function)
    annotated = _annotations(module, function.name)
    return LaunchBounds(
        max_threads=_numbers(attributes, "nvvm.maxntid")
        or _axes(annotated, "maxntid")
        or _amd_maximum(attributes),
        required_threads=_numbers(attributes, "nvvm.reqntid")
        or _axes(annotated, "reqntid")
        or _required(module, function),
        min_ctas_per_sm=_number(attributes, "nvvm.minctasm") or annotated.get("minctasm"),
        max_registers=_number(attributes, "nvvm.maxnreg") or annotated.get("maxnreg"),
    )


def _numbers(attributes: str, key: str) -> tuple[int, ...] | None:
    found = re.search(rf'"{re.escape(key)}"="({_COUNT}(?:, ?{_COUNT})*)"', attributes)
    return None if found is None else tuple(int(n) for n in found[1].split(","))


def _number(attributes: str, key: str) -> int | None:
    numbers = _numbers(attributes, key)
    return None if numbers is None else numbers[0]


def _amd_maximum(attributes: str) -> tuple[int, ...] | None:
    sizes = _numbers(attributes, "amdgpu-flat-work-group-size")
    return None if sizes is None else sizes[-1:]


def _required(module: ScannedModule, function: FunctionText) -> tuple[int, ...] | None:
    found = re.search(r"!reqd_work_group_size !(\d+)", function.tail)
    if found is None:
        return None
    sizes = re.findall(rf"i32 ({_COUNT})\b", module.metadata.get(found[1], ""))
    return tuple(map(int, sizes)) or None


def _annotations(module: ScannedModule, name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for node in re.findall(r"!(\d+)", module.metadata.get("nvvm.annotations", "")):
        text = module.metadata.get(node, "")
        if re.match(rf"!\{{[^@\"]*@{re.escape(name)},", text):
            found.update((k, int(v)) for k, v in re.findall(rf'!"(\w+)", i32 ({_COUNT})\b', text))
    return found


def _axes(annotated: dict[str, int], key: str) -> tuple[int, ...] | None:
    sizes = [annotated[key + axis] for axis in "xyz" if key + axis in annotated]
    return tuple(sizes) or None


# What ``!llvm.loop`` says about loops: unrolling, vectors, how often a profile saw them run.
#
# A hint is written on the branch that goes back, so it belongs to the loop's latch. There it
# stands in the block's attributes under LLVM's own name: ``loop.unroll.count=4``,
# ``loop.mustprogress``.

_LOOP = re.compile(r"!llvm\.loop !(\d+)")
_PROPERTY = re.compile(
    r'!\{!"llvm\.(loop\.[A-Za-z0-9_.]+)"(?:, i\d+ (-?[0-9]{1,20}|true|false)\b)?'
)
_NODE = re.compile(r"!(\d+)")


@dataclass(frozen=True)
class LoopHints:
    """Hints of one module's loops, each set of them read once."""

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
