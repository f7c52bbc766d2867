"""A PTX text into a Module: directives, variables, functions."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

from warpmill.analyzer.base.diagnostics import SAID_ONCE, Diagnostic, InputError, Source, UsageError
from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.frontends.ptx.body import read_body
from warpmill.analyzer.frontends.ptx.declarations import (
    FunctionForm,
    ModuleDirective,
    PtxParameter,
    VariableForm,
    make_parameter,
    make_variable,
)
from warpmill.analyzer.frontends.ptx.grammar import RejectedError, template
from warpmill.analyzer.frontends.ptx.lexer import (
    WARP_SIZE,
    FaultError,
    directive_name,
    shape_of,
    tokens,
)
from warpmill.analyzer.frontends.ptx.operands import Surroundings
from warpmill.analyzer.frontends.ptx.problems import Problems, explain, first_word
from warpmill.analyzer.frontends.ptx.scopes import FunctionNames, NameScope
from warpmill.analyzer.frontends.ptx.split import Item, UnclosedError, next_item, without_comments
from warpmill.analyzer.ir.kernel import (
    Declaration,
    Function,
    Kernel,
    LaunchBounds,
    Module,
    Parameter,
    Symbol,
    Variable,
)

_WORD = re.compile(r"[\w$]+", re.ASCII)


def parse_module(
    source: Source, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...]]:
    """Do what ``parse`` of the package says."""
    with gc_paused():
        return _parse_module(source, kernel, strict)


def _parse_module(
    source: Source, kernel: str | None, strict: bool
) -> tuple[Module, tuple[Diagnostic, ...]]:
    problems = Problems(source, strict)
    draft = read_draft(source, problems)
    variables = _make_variables(draft)
    module_scope = _module_scope(draft)
    _check_initialisers(draft, variables, module_scope)
    variables = {name: _without_aliases(draft, v) for name, v in variables.items()}
    chosen = _chosen(draft, source, kernel)
    around = Surroundings(draft.text, problems, address_bits(draft), draft.files)
    for form, _ in draft.variables:
        unit = form.type.size_bytes * form.vector
        around.element_bytes.update((declared.name, unit) for declared in form.declarators)
    functions = [read_function(around, *header, module_scope) for header in chosen]
    diagnostics = problems.finish()
    return _module(source, draft, functions, variables), diagnostics


def _make_variables(draft: ModuleDraft) -> dict[str, Variable]:
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
                made[name] = make_variable(form, declared, name, address_bits(draft), span)
            except FaultError as fault:
                draft.problems.error(item.start, item.end, str(fault))
    return made


def _check_initialisers(
    draft: ModuleDraft, variables: dict[str, Variable], scope: NameScope
) -> None:
    """Find symbols in initialisers that the module does not declare."""
    spans = {d.name: item for form, item in draft.variables for d in form.declarators}
    for variable in variables.values():
        for value in variable.initialiser or ():
            if isinstance(value, Symbol) and scope.resolve(value.name)[0] != "NAME":
                item = spans[variable.name]
                place = draft.text.find(value.name, item.start, item.end)
                end = place + len(value.name)
                draft.problems.error(place, end, f"`{value.name}` is not declared")


def _without_aliases(draft: ModuleDraft, variable: Variable) -> Variable:
    """Variable with aliases replaced by what they stand for, as in bodies."""
    values = variable.initialiser or ()
    names = {value.name for value in values if isinstance(value, Symbol)}
    if names.isdisjoint(draft.aliases):
        return variable
    meant = [
        Symbol(draft.aliases.get(v.name, v.name), v.offset) if isinstance(v, Symbol) else v
        for v in values
    ]
    return replace(variable, initialiser=tuple(meant))


def _twice(draft: ModuleDraft, what: str, name: str, item: Item) -> None:
    place = max(item.start, draft.text.find(name, item.start, item.end))
    draft.problems.error(place, place + len(name), f"{what} `{name}` is declared twice")


def _module_scope(draft: ModuleDraft) -> NameScope:
    """Make the scope that all functions see; an alias stands for what it means."""
    scope = NameScope(FunctionNames(reserved=()))
    for form, _ in draft.variables:
        for declared in form.declarators:
            scope.declare_symbol(declared.name)
    for alias, aliasee in draft.aliases.items():
        scope.declare_symbol(alias, Symbol(aliasee))
        scope.function.taken.add(alias)
    for header, _ in draft.headers:
        scope.declare_symbol(header.name)
    return scope


def _defined(draft: ModuleDraft) -> dict[str, tuple[FunctionForm, Item]]:
    """The functions that have a body, by name."""
    defined: dict[str, tuple[FunctionForm, Item]] = {}
    for header, item in draft.headers:
        if item.body is None:
            continue
        if header.name in defined:
            _twice(draft, "function", header.name, item)
        defined.setdefault(header.name, (header, item))
    return defined


def _chosen(
    draft: ModuleDraft, source: Source, kernel: str | None
) -> list[tuple[FunctionForm, Item]]:
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
    text: str, draft: ModuleDraft, defined: dict[str, tuple[FunctionForm, Item]]
) -> list[str]:
    """The device functions that a text names, maybe by an alias."""
    words = sorted(set(_WORD.findall(text)))
    names = [draft.aliases.get(word, word) for word in words]
    return [name for name in names if name in defined and not defined[name][0].is_entry]


def _module(
    source: Source, draft: ModuleDraft, functions: list[Function], variables: dict[str, Variable]
) -> Module:
    defined = _defined(draft)
    declarations = {
        header.name: Declaration(header.name, attributes_of(header))
        for header, item in draft.headers
        if item.body is None and header.name not in defined | draft.aliases
    }
    return Module(
        name=source.name,
        target=str(draft.lines["target"][0]),
        version=str(draft.lines["version"][0]),
        address_bits=address_bits(draft),
        warp_size=WARP_SIZE,
        kernels=tuple(f for f in functions if isinstance(f, Kernel)),
        functions=tuple(f for f in functions if not isinstance(f, Kernel)),
        variables=tuple(variables.values()),
        declarations=tuple(declarations.values()),
        debug_files=tuple(name for _, name in sorted(draft.files.items())),
        attributes=_attributes(draft, defined),
    )


def _attributes(draft: ModuleDraft, defined: Collection[str]) -> tuple[str, ...]:
    """Attributes of the module that no other field holds."""
    return (
        *(f"target={word}" for word in draft.lines["target"][1:]),
        *(f"pragma={text}" for text in draft.pragmas),
        *(f"alias={a}={f}" for a, f in draft.aliases.items() if f in defined),
    )


# Functions of the IR: a header, a body, and what the header says about launches.

_BOUNDS = frozenset({"maxntid", "reqntid", "minnctapersm", "maxnreg"})
_COUNTED = frozenset({"maxntid", "reqntid", "maxnreg"})


def read_function(
    around: Surroundings, header: FunctionForm, item: Item, module_scope: NameScope
) -> Function:
    """Make a kernel or a device function; its errors go to the problems."""
    assert item.body is not None
    scope = NameScope(FunctionNames(reserved=module_scope.function.taken), module_scope)
    returns = _parameters(around, header.returns, scope, item)
    parameters = _parameters(around, header.parameters, scope, item)
    body = read_body(around, scope, *item.body)
    parts = (
        header.name,
        parameters,
        scope.function.registers,
        body.blocks,
        around.problems.positions.span(item.start, item.end),
        body.variables,
        returns,
        attributes_of(header),
    )
    if not header.is_entry:
        return Function(*parts)
    _check_tuning(around, header, item)
    return Kernel(*parts, bounds=_bounds(header))


def attributes_of(header: FunctionForm) -> tuple[str, ...]:
    """The words and directives of a header that no other field holds, in order."""
    return tuple(sorted((*header.words, *_tuning_words(header))))


def _parameters(
    around: Surroundings,
    wanted: tuple[PtxParameter, ...],
    scope: NameScope,
    item: Item,
) -> tuple[Parameter, ...]:
    return tuple(_parameter(around, form, scope, item) for form in wanted)


def _parameter(around: Surroundings, form: PtxParameter, scope: NameScope, item: Item) -> Parameter:
    register, symbol = None, None
    if form.is_register:
        register = scope.bind_register(form.name, form.type, form.vector)
    else:
        symbol = scope.declare_symbol(form.name)
    if register is None and symbol is None:
        message = f"parameter `{form.name}` is declared twice"
        around.problems.error(item.start, item.end, message)
    if None in form.dimensions:
        message = f"the size of parameter `{form.name}` is open and counts as 0"
        around.problems.warning(item.start, item.end, message)
    name = form.name if symbol is None else symbol.name
    try:
        return make_parameter(form, name, register)
    except FaultError as fault:
        around.problems.error(item.start, item.end, str(fault))
        return make_parameter(
            replace(form, align=None, pointer=None, dimensions=()), name, register
        )


def _check_tuning(around: Surroundings, header: FunctionForm, item: Item) -> None:
    """Refuse counts of threads or registers that no launch can have, as ptxas does."""
    for word, given in header.tuning:
        if word in _COUNTED and not all(0 < int(n) < 1 << 32 for n in given):
            counts = ", ".join(map(str, given))
            message = f"`.{word}` takes counts from 1 to 4294967295, not {counts}"
            around.problems.error(item.start, item.end, message)


def _bounds(header: FunctionForm) -> LaunchBounds:
    given = {word: numbers for word, numbers in header.tuning if word in _BOUNDS}
    return LaunchBounds(
        max_threads=_numbers(given.get("maxntid")),
        required_threads=_numbers(given.get("reqntid")),
        min_ctas_per_sm=_first(given.get("minnctapersm")),
        max_registers=_first(given.get("maxnreg")),
    )


def _numbers(given: tuple[int | str, ...] | None) -> tuple[int, ...] | None:
    return None if given is None else tuple(int(n) for n in given)


def _first(given: tuple[int | str, ...] | None) -> int | None:
    return None if given is None else int(given[0])


def _tuning_words(header: FunctionForm) -> Iterator[str]:
    """The directives that LaunchBounds has no place for: ``maxclusterrank=8``."""
    for word, given in header.tuning:
        if word == "pragma":
            yield from (f"pragma={text}" for text in given)
        elif word not in _BOUNDS:
            yield word if not given else f"{word}={','.join(str(n) for n in given)}"


# What a PTX text declares, before it becomes IR: directives, variables and headers as forms.

_CHIP = re.compile(r"sm_(\d{1,9})", re.ASCII)
_FIRST_WITH_64_BITS_ONLY = 70
_NEWEST_VERSION = (9, 5)
_VERSION = re.compile(r"(\d{1,9})\.(\d{1,9})", re.ASCII)


@dataclass(slots=True)
class ModuleDraft:
    """A module in the making."""

    text: str
    problems: Problems
    lines: dict[str, tuple[str | int, ...]] = field(default_factory=dict)
    version_at: tuple[int, int] = (0, 1)  # offsets of the .version
    files: dict[int, str] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    pragmas: list[str] = field(default_factory=list)
    variables: list[tuple[VariableForm, Item]] = field(default_factory=list)
    headers: list[tuple[FunctionForm, Item]] = field(default_factory=list)


def read_draft(source: Source, problems: Problems) -> ModuleDraft:
    """Read all but the bodies; errors go to the problems."""
    draft = ModuleDraft(_readable(source, problems), problems)
    _read_items(draft)
    _check_preamble(draft)
    _note_newer_version(draft)
    return draft


def _readable(source: Source, problems: Problems) -> str:
    """The text without comments, or say why it cannot be PTX."""
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


def _read_items(draft: ModuleDraft) -> None:
    position = 0
    try:
        while (cut := next_item(draft.text, position)) is not None:
            item, position = cut
            resume = _read_item(draft, item)
            position = position if resume is None else resume
    except UnclosedError as error:
        draft.problems.fatal("this `{` is never closed", error.offset)


def _read_item(draft: ModuleDraft, item: Item) -> int | None:
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


def _reject_bad(draft: ModuleDraft, item: Item) -> None:
    word = first_word(draft.text, item.start, item.end)
    is_directive = word[0] == "." and word[1:].isidentifier()
    message = f"the file ends before the end of `{word}`" if is_directive else None
    message = message or f"`{word}` does not fit here"
    draft.problems.error(item.start, item.start + len(word), message)


def _place(draft: ModuleDraft, form: object, item: Item) -> None:
    """Add a form to the draft where it belongs."""
    match form:
        case FunctionForm():
            draft.headers.append((form, item))
        case VariableForm():
            draft.variables.append((form, item))
        case ModuleDirective("file", (int(index), str(name), *_)):
            draft.files[index] = name
        case ModuleDirective("alias", (str(alias), str(aliasee))):
            draft.aliases[alias] = aliasee
        case ModuleDirective("pragma", texts):
            draft.pragmas += map(str, texts)
        case ModuleDirective(word, arguments):
            draft.lines[word] = arguments
            if word == "version":
                draft.version_at = item.start, item.end


def _check_preamble(draft: ModuleDraft) -> None:
    for word in ("version", "target"):
        if word not in draft.lines:
            draft.problems.error(0, 1, f"the module has no .{word}")
    if address_bits(draft) not in (32, 64):  # variables cannot be laid out
        draft.problems.fatal(f".address_size is 32 or 64, not {address_bits(draft)}", 0)


def _note_newer_version(draft: ModuleDraft) -> None:
    """Note that a file is newer than the front-end was made for; it is read all the same."""
    match = _VERSION.fullmatch(str(draft.lines.get("version", ("",))[0]))
    if match is None or (int(match[1]), int(match[2])) <= _NEWEST_VERSION:
        return
    newest = ".".join(map(str, _NEWEST_VERSION))
    start, end = draft.version_at
    message = f"PTX {match[0]} is newer than {newest}, the newest that is known here"
    draft.problems.note(start, end, message, SAID_ONCE)


def address_bits(draft: ModuleDraft) -> int:
    """.address_size; without one 32, says the manual, but newer chips have only 64."""
    given = draft.lines.get("address_size")
    if given is not None:
        return int(given[0])
    chip = _CHIP.match(str(draft.lines.get("target", ("",))[0]))
    return 64 if chip is not None and int(chip[1]) >= _FIRST_WITH_64_BITS_ONLY else 32


# PTX without a module around it: the inline assembly of a CUDA program that is no PTX itself.

OPERAND = "%operand"
"""The registers that stand for the operands are called so, with the operand's number behind."""

_PLACE = re.compile(r"\$(?:\{(\d{1,4})(?::\w+)?\}|(\d{1,4})|(\$))")
_HEAD = ".version 9.4\n.target sm_100a\n.address_size 64\n"


@lru_cache(maxsize=4096)
def read_assembly(text: str, types: tuple[str, ...]) -> Function | str:
    """Read an assembly text with places ``$0``, ``$1``… for operands of PTX types, in order.

    Gives a function without parameters in whose body the operands are registers of their types,
    named by ``OPERAND``; those that the text does not use are not there. Where it is no PTX, the
    reason.
    """
    body = _PLACE.sub(_operand, text)
    if not body.replace("{", " ").replace("}", " ").strip():
        body = ""  # a scope around other assembly, which is read by itself
    declared = "".join(f".reg .{type_} {OPERAND}{n};" for n, type_ in enumerate(types))
    source = Source("inline assembly", f"{_HEAD}.func assembly()\n{{{declared}\n{body}\n}}\n")
    try:
        module, _ = parse_module(source, None, strict=False)
    except InputError as error:
        return error.diagnostics[0].message
    return module.functions[0] if len(module.functions) == 1 else "its braces do not match"


def _operand(match: re.Match[str]) -> str:
    return "$" if match[3] else f"{OPERAND}{match[1] or match[2]}"
