"""Debug information of another version of LLVM, cut down to what tells lines.

Its nodes name calling conventions, languages, operations and flags by words that come and go with
versions; a word that the LLVM at hand does not know makes it refuse the module. Files, functions,
blocks and locations tell the lines of statements, and their fields that matter here are those of
every version. The rest becomes empty nodes. Lines keep their numbers; columns in nodes move.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.llvm.metadata import FIELD

_NODE = re.compile(r"(!\d+ = (?:distinct )?)!(DI\w+|GenericDINode)\b\((.*)\)")
_OF_VARIABLES = re.compile(r"""\s*(?:\#dbg_|(?:tail )?call void @"?llvm\.dbg\.)""")
_ATTACHED = re.compile(r",? !(?:dbg|DIAssignID) !(?:\d+|DI\w+\([^()]*\))")
_ABOUT = re.compile(r"![\w.]+ = .*!(?:DI\w+|GenericDINode)\b|.*!DI\w+\(|\s*#dbg_")
_KEPT = {
    "DILocation": (("line", "column", "scope", "inlinedAt"), ""),
    "DIFile": (("filename", "directory"), ""),
    "DICompileUnit": (("file",), "language: DW_LANG_C99, emissionKind: LineTablesOnly"),
    "DISubprogram": (("name", "file", "line", "unit"), "spFlags: DISPFlagDefinition"),
    "DILexicalBlock": (("scope", "file", "line", "column"), ""),
    "DILexicalBlockFile": (("scope", "file"), "discriminator: 0"),
}
"""Kinds of nodes that lead from a statement to its line: the fields that do, and what else each has
to have."""


def is_about_debugging(source: Source, error: InputError) -> bool:
    """Whether LLVM's complaint points to debug information."""
    span = error.diagnostics[0].span
    return span is not None and _ABOUT.match(source.line(span.line)) is not None


def lines_only(source: Source) -> Source:
    """The same module with nothing but the lines of its debug information."""
    return _each_line(source, _to_lines)


def without_debugging(source: Source) -> Source:
    """The same module without debug information."""
    return _each_line(source, _to_nothing)


def _each_line(source: Source, change: Callable[[str], str]) -> Source:
    return Source(source.name, "\n".join(map(change, source.text.split("\n"))), derived=True)


def _to_lines(line: str) -> str:
    found = _NODE.match(line)
    if found is not None:
        return f"{found[1]}{_reduced(found[2], found[3])}"
    if _OF_VARIABLES.match(line):
        return ""
    return _ATTACHED.sub("", line) if line.startswith(("@", "declare ")) else line


def _reduced(kind: str, text: str) -> str:
    """A node with the fields that tell lines; an empty one where it tells none."""
    names, more = _KEPT.get(kind, ((), ""))
    fields = dict(FIELD.findall(text))
    if not names or (kind == "DISubprogram" and "unit" not in fields):
        return "!{}"
    words = [f"{name}: {fields[name]}" for name in names if name in fields]
    return f"!{kind}({', '.join([*words, more] if more else words)})"


def _to_nothing(line: str) -> str:
    if _NODE.match(line):
        return _NODE.sub(r"\1!{}", line)
    if _OF_VARIABLES.match(line) or line.startswith("!llvm.dbg.cu"):
        return ""
    return _ATTACHED.sub("", line)
