"""What a PTX text declares, before it becomes IR: directives, variables and headers as forms."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from warpmill.analyzer.base.diagnostics import SAID_ONCE
from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.ptx import forms
from warpmill.analyzer.frontends.ptx.grammar import RejectedError, template
from warpmill.analyzer.frontends.ptx.lexer import directive_name, shape_of, tokens
from warpmill.analyzer.frontends.ptx.literals import FaultError
from warpmill.analyzer.frontends.ptx.problems import Problems, first_word
from warpmill.analyzer.frontends.ptx.rejection import explain
from warpmill.analyzer.frontends.ptx.split import Item, UnclosedError, next_item, without_comments

_CHIP = re.compile(r"sm_(\d{1,9})", re.ASCII)
_FIRST_WITH_64_BITS_ONLY = 70
_NEWEST_VERSION = (9, 5)
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)


@dataclass(slots=True)
class Draft:
    """A module in the making."""

    text: str
    problems: Problems
    lines: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    version_at: tuple[int, int] = (0, 1)  # offsets of the .version
    files: dict[int, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    pragmas: list[str] = field(default_factory=list)
    variables: list[tuple[forms.VariableForm, Item]] = field(default_factory=list)
    headers: list[tuple[forms.Header, Item]] = field(default_factory=list)


def read_draft(source: Source, problems: Problems) -> Draft:
    """Read all but the bodies; errors go to the problems."""
    draft = Draft(_readable(source, problems), problems)
    _read_items(draft)
    _check_preamble(draft)
    _note_newer_version(draft)
    return draft


def _readable(source: Source, problems: Problems) -> str:
    """Give the text without comments, or say why it cannot be PTX."""
    text = source.text
    if not text.strip():
        problems.fatal("the file is empty")
    if "\0" in text:
        problems.fatal("this is a binary file, not the text of PTX")
    try:
        text = without_comments(text)
    except UnclosedError as error:
        problems.fatal("this comment is never closed", error.offset, error.offset + 2)
    if ".version" not in text:
        problems.fatal("this is not PTX: it has no .version")
    return " " + text[1:] if text[0] == "\ufeff" else text


def _read_items(draft: Draft) -> None:
    position = 0
    try:
        while (cut := next_item(draft.text, position)) is not None:
            item, position = cut
            resume = _read_item(draft, item)
            position = position if resume is None else resume
    except UnclosedError as error:
        draft.problems.fatal("this `{` is never closed", error.offset)


def _read_item(draft: Draft, item: Item) -> int | None:
    """Read a directive or a header; gives where to go on after a missing semicolon."""
    if item.kind == "section" or draft.text.startswith("@@", item.start):
        return None
    if item.kind == "bad":
        _reject_bad(draft, item)
        return None
    lexed = list(tokens(draft.text, item.start, item.end, directive_name))
    shape, values = shape_of(lexed)
    rule = "header" if item.kind == "function" else "module_directive"
    try:
        form = template(rule, shape)(values)
    except RejectedError as rejected:
        explained = explain(draft.text, lexed, rejected.index)
        draft.problems.error(explained.start, explained.end, explained.message)
        return explained.resume
    except FaultError as fault:
        draft.problems.error(item.start, item.end, str(fault))
        return None
    _place(draft, form, item)
    return None


def _reject_bad(draft: Draft, item: Item) -> None:
    word = first_word(draft.text, item.start, item.end)
    is_directive = word[0] == "." and word[1:].isidentifier()
    message = f"the file ends before the end of `{word}`" if is_directive else None
    message = message or f"`{word}` does not fit here"
    draft.problems.error(item.start, item.start + len(word), message)


def _place(draft: Draft, form: object, item: Item) -> None:
    """Put a form where it belongs in the draft."""
    match form:
        case forms.Header():
            draft.headers.append((form, item))
        case forms.VariableForm():
            draft.variables.append((form, item))
        case forms.Line("file", (int(index), str(name), *_)):
            draft.files[index] = name
        case forms.Line("alias", (str(alias), str(aliasee))):
            draft.aliases[alias] = aliasee
        case forms.Line("pragma", texts):
            draft.pragmas += map(str, texts)
        case forms.Line(word, arguments):
            draft.lines[word] = arguments
            if word == "version":
                draft.version_at = item.start, item.end


def _check_preamble(draft: Draft) -> None:
    for word in ("version", "target"):
        if word not in draft.lines:
            draft.problems.error(0, 1, f"the module has no .{word}")
    if address_bits(draft) not in (32, 64):  # variables cannot be laid out
        draft.problems.fatal(f".address_size is 32 or 64, not {address_bits(draft)}", 0)


def _note_newer_version(draft: Draft) -> None:
    """Say that a file is newer than what the front-end was made for; it is read all the same."""
    match = _VERSION.fullmatch(str(draft.lines.get("version", ("",))[0]))
    if match is None or (int(match[1]), int(match[2])) <= _NEWEST_VERSION:
        return
    newest = ".".join(map(str, _NEWEST_VERSION))
    start, end = draft.version_at
    message = f"PTX {match[0]} is newer than {newest}, the newest that is known here"
    draft.problems.note(start, end, message, SAID_ONCE)


def address_bits(draft: Draft) -> int:
    """Give .address_size; without one 32, says the manual, but newer chips have only 64."""
    given = draft.lines.get("address_size")
    if given is not None:
        return int(given[0])
    chip = _CHIP.match(str(draft.lines.get("target", ("",))[0]))
    return 64 if chip is not None and int(chip[1]) >= _FIRST_WITH_64_BITS_ONLY else 32
