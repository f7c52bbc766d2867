"""A PTX text into a Module: directives, variables, functions."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from analyzer.diagnostics import Diagnostic, UsageError
from analyzer.frontends.ptx import forms
from analyzer.frontends.ptx.body import Surroundings
from analyzer.frontends.ptx.bulk import no_cycle_search
from analyzer.frontends.ptx.functions import read_function
from analyzer.frontends.ptx.grammar import RejectedError, template
from analyzer.frontends.ptx.lexer import WARP_SIZE, directive_name, shape_of, tokens
from analyzer.frontends.ptx.literals import FaultError
from analyzer.frontends.ptx.names import FunctionNames, Scope
from analyzer.frontends.ptx.problems import Problems
from analyzer.frontends.ptx.rejection import explain
from analyzer.frontends.ptx.split import Item, UnclosedError, next_item, without_comments
from analyzer.frontends.ptx.variables import make_variable
from analyzer.frontends.ptx.verification import report
from analyzer.ir.kernel import Declaration, Function, Kernel, Module, Symbol, Variable
from analyzer.ir.verifier import findings
from analyzer.source import Source

_DEFAULT_ADDRESS_BITS = 32  # of a file without .address_size, says the manual
_NEWEST_VERSION = (9, 0)
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)
_WORD = re.compile(r"[\w$]+", re.ASCII)


@dataclass(slots=True)
class _Draft:
    """A module in the making."""

    text: str
    problems: Problems
    lines: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    version_at: tuple[int, int] = (0, 1)  # offsets of the .version
    files: dict[int, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    variables: list[tuple[forms.VariableForm, Item]] = field(default_factory=list)
    headers: list[tuple[forms.Header, Item]] = field(default_factory=list)


def parse_module(
    source: Source, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...]]:
    """Do what ``parse`` of the package says."""
    with no_cycle_search():
        return _parse_module(source, kernel, strict)


def _parse_module(
    source: Source, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...]]:
    problems = Problems(source, strict)
    draft = _Draft(_readable(source, problems), problems)
    _read_items(draft)
    _check_preamble(draft)
    _note_newer_version(draft)
    variables = _make_variables(draft)
    module_scope = _module_scope(draft)
    _check_initialisers(draft, variables, module_scope)
    variables = {name: _without_aliases(draft, v) for name, v in variables.items()}
    chosen = _chosen(draft, source, kernel)
    around = Surroundings(draft.text, problems, _address_bits(draft), draft.files)
    functions = [read_function(around, *header, module_scope) for header in chosen]
    problems.finish()
    module = _module(source, draft, functions, variables)
    report(findings(module), draft.text, problems)
    return module, problems.finish()


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


def _read_items(draft: _Draft) -> None:
    position = 0
    try:
        while (cut := next_item(draft.text, position)) is not None:
            item, position = cut
            resume = _read_item(draft, item)
            position = position if resume is None else resume
    except UnclosedError as error:
        draft.problems.fatal("this `{` is never closed", error.offset)


def _read_item(draft: _Draft, item: Item) -> int | None:
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


def _reject_bad(draft: _Draft, item: Item) -> None:
    words = draft.text[item.start : item.end].split(maxsplit=1)
    word = words[0][:80]
    is_directive = word[0] == "." and word[1:].isidentifier()
    message = f"the file ends before the end of `{word}`" if is_directive else None
    message = message or f"`{word}` does not fit here"
    draft.problems.error(item.start, item.start + len(word), message)


def _place(draft: _Draft, form: object, item: Item) -> None:
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
        case forms.Line(word, arguments):
            draft.lines[word] = arguments
            if word == "version":
                draft.version_at = item.start, item.end


def _check_preamble(draft: _Draft) -> None:
    for word in ("version", "target"):
        if word not in draft.lines:
            draft.problems.error(0, 1, f"the module has no .{word}")
    if _address_bits(draft) not in (32, 64):
        draft.problems.error(0, 1, f".address_size is 32 or 64, not {_address_bits(draft)}")


def _note_newer_version(draft: _Draft) -> None:
    """Say that a file is newer than what the front-end was made for; it is read all the same."""
    match = _VERSION.fullmatch(str(draft.lines.get("version", ("",))[0]))
    if match is None or (int(match[1]), int(match[2])) <= _NEWEST_VERSION:
        return
    newest = ".".join(map(str, _NEWEST_VERSION))
    start, end = draft.version_at
    message = f"PTX {match[0]} is newer than {newest}, the newest that is known here"
    draft.problems.note(start, end, message)


def _address_bits(draft: _Draft) -> int:
    return int(draft.lines.get("address_size", (_DEFAULT_ADDRESS_BITS,))[0])


def _make_variables(draft: _Draft) -> dict[str, Variable]:
    """Make the variables; a definition replaces an ``.extern`` declaration of the same name."""
    made: dict[str, Variable] = {}
    for form, item in draft.variables:
        span = draft.problems.positions.span(item.start, item.end)
        for declared in form.declarators:
            name = declared.name
            known = made.get(name)
            if known is not None and "extern" not in {*known.attributes, *form.words}:
                _twice(draft, "variable", name, item)
                continue
            if known is not None and "extern" in form.words:
                continue
            try:
                made[name] = make_variable(form, declared, name, _address_bits(draft), span)
            except FaultError as fault:
                draft.problems.error(item.start, item.end, str(fault))
    return made


def _check_initialisers(draft: _Draft, variables: dict[str, Variable], scope: Scope) -> None:
    """Find symbols in initialisers that the module does not declare."""
    spans = {d.name: item for form, item in draft.variables for d in form.declarators}
    for variable in variables.values():
        for value in variable.initialiser or ():
            if isinstance(value, Symbol) and scope.resolve(value.name)[0] != "NAME":
                item = spans[variable.name]
                place = draft.text.find(value.name, item.start, item.end)
                end = place + len(value.name)
                draft.problems.error(place, end, f"`{value.name}` is not declared")


def _without_aliases(draft: _Draft, variable: Variable) -> Variable:
    """Put what an alias stands for in its place, as in bodies."""
    values = variable.initialiser or ()
    names = {value.name for value in values if isinstance(value, Symbol)}
    if names.isdisjoint(draft.aliases):
        return variable
    meant = [
        Symbol(draft.aliases.get(v.name, v.name), v.offset) if isinstance(v, Symbol) else v
        for v in values
    ]
    return replace(variable, initialiser=tuple(meant))


def _twice(draft: _Draft, what: str, name: str, item: Item) -> None:
    place = max(item.start, draft.text.find(name, item.start, item.end))
    draft.problems.error(place, place + len(name), f"{what} `{name}` is declared twice")


def _module_scope(draft: _Draft) -> Scope:
    """Make the scope that all functions see; an alias stands for what it means."""
    scope = Scope(FunctionNames(reserved=()))
    for form, _ in draft.variables:
        for declared in form.declarators:
            scope.declare_symbol(declared.name)
    for alias, aliasee in draft.aliases.items():
        scope.declare_symbol(alias, Symbol(aliasee))
        scope.function.taken.add(alias)
    for header, _ in draft.headers:
        scope.declare_symbol(header.name)
    return scope


def _defined(draft: _Draft) -> dict[str, tuple[forms.Header, Item]]:
    """Give the functions that have a body, by name."""
    defined: dict[str, tuple[forms.Header, Item]] = {}
    for header, item in draft.headers:
        if item.body is None:
            continue
        if header.name in defined:
            _twice(draft, "function", header.name, item)
        defined.setdefault(header.name, (header, item))
    return defined


def _chosen(draft: _Draft, source: Source, kernel: str | None) -> list[tuple[forms.Header, Item]]:
    """Choose the functions to read: all, or one kernel and what it may call."""
    defined = _defined(draft)
    if kernel is None:
        return list(defined.values())
    kernels = [header.name for header, _ in defined.values() if header.is_entry]
    if kernel not in kernels:
        draft.problems.finish()
        there = ", ".join(kernels) or "none"
        raise UsageError(f"{source.name} has no kernel `{kernel}`; it has: {there}")
    wanted: set[str] = set()
    texts = [draft.text[item.start : item.end] for _, item in draft.variables]
    pending = [kernel, *_functions_in(" ".join(texts), draft, defined)]
    while pending:
        name = pending.pop()
        if name not in wanted:
            wanted.add(name)
            start, end = defined[name][1].body or (0, 0)
            pending += _functions_in(draft.text[start:end], draft, defined)
    return [defined[name] for name in defined if name in wanted]


def _functions_in(
    text: str, draft: _Draft, defined: dict[str, tuple[forms.Header, Item]]
) -> list[str]:
    """Give the device functions that a text names, maybe by an alias."""
    words = sorted(set(_WORD.findall(text)))
    names = [draft.aliases.get(word, word) for word in words]
    return [name for name in names if name in defined and not defined[name][0].is_entry]


def _module(
    source: Source, draft: _Draft, functions: list[Function], variables: dict[str, Variable]
) -> Module:
    defined = _defined(draft)
    declarations = {
        header.name: Declaration(header.name, header.words)
        for header, item in draft.headers
        if item.body is None and header.name not in defined | draft.aliases
    }
    return Module(
        name=source.name,
        target=str(draft.lines["target"][0]),
        version=str(draft.lines["version"][0]),
        address_bits=_address_bits(draft),
        warp_size=WARP_SIZE,
        kernels=tuple(f for f in functions if isinstance(f, Kernel)),
        functions=tuple(f for f in functions if not isinstance(f, Kernel)),
        variables=tuple(variables.values()),
        declarations=tuple(declarations.values()),
        debug_files=tuple(name for _, name in sorted(draft.files.items())),
    )
