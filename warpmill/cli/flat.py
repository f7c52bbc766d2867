"""Commands of options classes, as typer reads them: a parameter for each option.

A command is a function whose parameters are options classes (dataclasses whose fields have an
``Opt``; those that have none are for Python alone), or single values with an ``Opt`` or an ``Arg``.
A field may be an options class itself: its options stand beside the others.
"""

from __future__ import annotations

import builtins
import dataclasses
import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args, get_origin

import typer

from warpmill.analyzer.base.diagnostics import Faults
from warpmill.analyzer.base.opt import Arg, Choices, Default, Help, Opt, Without
from warpmill.cli.options import check_together
from warpmill.cli.written_files import written, written_file

_CALLBACKS = {"now": written_file, "later": written}
_ABSENT = object()


def flat(command: Callable[..., Any]) -> Callable[..., Any]:
    """A function with a parameter for each option of a command, which it calls.

    What is wrong with the text of any option is told with all else that is. UsageError.
    """
    parameters = inspect.signature(command).parameters.values()
    hints = {p.name: _hint(p.annotation, command.__module__) for p in parameters}
    parts = [_part(p.name, hints[p.name], p.default) for p in parameters]

    def call(**given: Any) -> Any:
        faults = Faults()
        made = {part.name: part.make(given, faults) for part in parts}
        if faults.found:
            check_together(made, faults)
        faults.check()
        return command(**made)

    flattened = [parameter for part in parts for parameter in part.parameters]
    call.__signature__ = inspect.Signature(flattened)  # type: ignore[attr-defined] # for typer
    call.__annotations__ = {p.name: p.annotation for p in flattened}
    call.__name__, call.__doc__ = command.__name__, command.__doc__
    return call


@dataclass(frozen=True)
class _Value:
    """One option or argument: the parameter that typer reads, and what makes its value."""

    name: str
    parameter: inspect.Parameter
    read: Callable[[Any], Any] | None

    @property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """What typer reads."""
        return (self.parameter,)

    def make(self, given: Mapping[str, Any], faults: Faults) -> Any:
        """The value, or ``_ABSENT`` where none is given, or a wrong one: the default holds."""
        value, read = given[self.name], self.read
        if read is None:
            return value
        if value is None or value in ([], self.parameter.default):
            return _ABSENT
        made = faults.of(lambda: read(value))
        return _ABSENT if made is None else made


@dataclass(frozen=True)
class _Part:
    """A parameter of a command, or a field: an options class with its values, or one value.

    ``defaults`` are those that are not the class's own.
    """

    name: str
    values: tuple[_Value | _Part, ...]
    options: Callable[..., Any] | None
    defaults: Mapping[str, Any]

    @property
    def parameters(self) -> tuple[inspect.Parameter, ...]:
        """What typer reads."""
        return tuple(parameter for value in self.values for parameter in value.parameters)

    def make(self, given: Mapping[str, Any], faults: Faults) -> Any:
        """What the command is called with; ``_ABSENT`` where that is wrong."""
        found, own = dict(self.defaults), Faults()
        for value in self.values:
            made = value.make(given, own)
            if made is not _ABSENT:
                found[value.name] = made
        faults.of(own.check)
        options = self.options
        if options is None:
            return found.get(self.name, _ABSENT)
        told = Faults() if own.found else faults  # what follows from a fault is none of its own
        whole = told.of(lambda: options(**found))
        return _ABSENT if whole is None else whole


class _Names(dict[str, Any]):
    """The names of a module, for its annotations; those for type checkers alone are ``Any``."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def _hint(annotation: Any, module: str) -> Any:
    if not isinstance(annotation, str):
        return annotation
    return eval(annotation, {}, _Names(vars(sys.modules[module])))  # of our own source


def _split(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    return (get_args(hint)[0], get_args(hint)[1:]) if get_origin(hint) is Annotated else (hint, ())


def _part(name: str, hint: Any, default: Any) -> _Part:
    options, extras = _split(hint)
    if not dataclasses.is_dataclass(options):
        shown = _shown_of(extras)
        assert shown is not None, f"{name} is no option"
        known = {} if default is inspect.Parameter.empty else {name: default}
        return _Part(name, (_value(name, options, shown, default),), None, known)
    assert isinstance(options, type)
    without = {field for each in extras if isinstance(each, Without) for field in each.fields}
    defaults = {each.field: each.value for each in extras if isinstance(each, Default)}
    values: list[_Value | _Part] = []
    for field in dataclasses.fields(options):
        kind, beside = _split(_hint(field.type, _home(options, field.name)))
        shown = _shown_of(beside)
        if field.name in without:
            continue
        if dataclasses.is_dataclass(kind):
            inner = _part(field.name, Annotated[kind, *beside, *extras], None)
            values += [inner] if inner.values else []
        elif shown is not None:
            shown = _here(field.name, shown, extras)
            values.append(_value(field.name, kind, shown, _default(field, defaults)))
    fields = {field.name for field in dataclasses.fields(options)}
    own_defaults = {field: value for field, value in defaults.items() if field in fields}
    return _Part(name, tuple(values), options, own_defaults)


def _here(field: str, shown: Opt | Arg, extras: Sequence[Any]) -> Opt | Arg:
    """What is said of a field, as the command has it."""
    for each in extras:
        if isinstance(each, Help) and each.field == field:
            shown = dataclasses.replace(shown, help=each.words)
        if isinstance(each, Choices) and each.field == field:
            shown = dataclasses.replace(shown, text=Literal[each.words])
    return shown


def _shown_of(extras: Sequence[Any]) -> Opt | Arg | None:
    return next((each for each in extras if isinstance(each, Opt | Arg)), None)


def _home(options: type, field: str) -> str:
    """The module of the class that declares a field, where its annotation is to be read."""
    declaring = (each for each in options.__mro__ if field in vars(each).get("__annotations__", {}))
    return next(declaring).__module__


def _default(field: dataclasses.Field[Any], defaults: Mapping[str, Any]) -> Any:
    if field.name in defaults:
        return defaults[field.name]
    if field.default is not dataclasses.MISSING:
        return field.default
    made = field.default_factory
    return inspect.Parameter.empty if made is dataclasses.MISSING else made()


def _value(name: str, plain: Any, shown: Opt | Arg, default: Any) -> _Value:
    kind = plain if shown.text is None else shown.text
    on_line = default
    if shown.read is not None and default is not inspect.Parameter.empty:
        is_text = isinstance(default, str) and shown.shows_default
        kind, on_line = kind | None, default if is_text else None  # where none is given, it holds
    parameter = inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=on_line,
        annotation=Annotated[kind, _information(name, shown, default, on_line)],
    )
    return _Value(name, parameter, shown.read)


def _information(name: str, shown: Opt | Arg, default: Any, on_line: Any) -> Any:
    """What typer shows of an option or argument, and how it checks it."""
    if isinstance(shown, Arg):
        return typer.Argument(
            metavar=shown.metavar, help=shown.help, min=shown.least, show_default=False
        )
    is_many = isinstance(default, Sequence) and not isinstance(default, str)
    told = shown.help.replace("{default}", ", ".join(default) if is_many else str(default))
    return typer.Option(
        *(shown.names or (f"--{name.replace('_', '-')}",)),
        metavar=shown.metavar,
        help=told,
        min=shown.least,
        callback=None if shown.writes is None else _CALLBACKS[shown.writes],
        show_default=shown.shows_default and on_line not in (None, ""),
    )
