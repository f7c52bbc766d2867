"""Commands of options classes, as typer reads them: a parameter for each option."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer

from warpmill.analyzer.base.diagnostics import Faults
from warpmill.analyzer.base.opt import Arg
from warpmill.cli.declared import EMPTY, Declared, DeclaredPart, declared
from warpmill.cli.options import check_together
from warpmill.cli.written_files import written, written_file

_CALLBACKS = {"now": written_file, "later": written}
_ABSENT = object()


def flat(command: Callable[..., Any]) -> Callable[..., Any]:
    """A function with a parameter for each option of a command, which it calls.

    What is wrong with the text of any option is told with all else that is. UsageError.
    """
    parts = declared(command)

    def call(**given: Any) -> Any:
        faults = Faults()
        made = {part.name: _made(part, given, faults) for part in parts}
        if faults.found:
            check_together(made, faults)
        faults.check()
        return command(**made)

    flattened = [_parameter(value) for part in parts for value in part.all()]
    call.__signature__ = inspect.Signature(flattened)  # type: ignore[attr-defined] # for typer
    call.__annotations__ = {p.name: p.annotation for p in flattened}
    call.__name__, call.__doc__ = command.__name__, command.__doc__
    return call


def _made(part: DeclaredPart, given: Mapping[str, Any], faults: Faults) -> Any:
    """What a command is called with for a parameter; ``_ABSENT`` where that is wrong."""
    found, own = dict(part.defaults), Faults()
    for value in part.values:
        if isinstance(value, Declared):
            made = _value(value, given, own)
        else:
            made = _made(value, given, own)
        if made is not _ABSENT:
            found[value.name] = made
    faults.of(own.check)
    options = part.options
    if options is None:
        return found.get(part.name, _ABSENT)
    told = Faults() if own.found else faults  # what follows from a fault is none of its own
    whole = told.of(lambda: options(**found))
    return _ABSENT if whole is None else whole


def _value(one: Declared, given: Mapping[str, Any], faults: Faults) -> Any:
    """The value, or ``_ABSENT`` where none is given, or a wrong one: the default holds."""
    value, read = given[one.name], one.shown.read
    if read is None:
        return value
    if value is None or value in ([], _shown_default(one)):
        return _ABSENT
    made = faults.of(lambda: read(value))
    return _ABSENT if made is None else made


def _shown_default(one: Declared) -> Any:
    """The default that typer knows; None where the text of a value's default is no such text."""
    if one.shown.read is None or one.default is EMPTY:
        return one.default
    is_text = isinstance(one.default, str) and one.shown.shows_default
    return one.default if is_text else None


def _parameter(one: Declared) -> inspect.Parameter:
    """What typer reads of an option or argument."""
    kind: Any = one.on_line
    default = _shown_default(one)
    if one.shown.read is not None and one.default is not EMPTY:
        kind = kind | None  # where none is given, the default holds
    annotation = Annotated[kind, _information(one, default)]
    return inspect.Parameter(
        one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _information(one: Declared, on_line: Any) -> Any:
    """What typer shows of an option or argument, and how it checks it."""
    shown, default = one.shown, one.default
    if isinstance(shown, Arg):
        return typer.Argument(
            metavar=shown.metavar, help=shown.help, min=shown.least, show_default=False
        )
    is_many = isinstance(default, Sequence) and not isinstance(default, str)
    told = shown.help.replace("{default}", ", ".join(default) if is_many else str(default))
    return typer.Option(
        *one.names,
        metavar=shown.metavar,
        help=told,
        min=shown.least,
        callback=None if shown.writes is None else _CALLBACKS[shown.writes],
        show_default=shown.shows_default and on_line not in (None, ""),
    )
