"""Commands as functions: what a command shows, as a result of Python, by plain keywords.

::

    from warpmill import reports

    found = reports.estimate("samples/matmul/launch.toml", machine="a100", sizes={"n": 512})
    print(found)            # the page that the command writes
    found.to_pandas()       # its table; to_dict(), to_json()
    reports.machines_show("a100")

A function stands for each kind of result (``dir(warpmill.reports)``). Keywords are the fields of
the command's options, or its options without dashes: ``kernel=``, ``grid=``, ``what_if=``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_origin

from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import Arg, Declared, DeclaredPart, declared
from warpmill.cli.output import taking
from warpmill.report.manifest import kinds
from warpmill.session.options import Output

if TYPE_CHECKING:
    from warpmill.report.base import Report


def __getattr__(name: str) -> Callable[..., Report]:
    if name not in _by_name():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return _function(name)


def __dir__() -> list[str]:
    return list(_by_name())


@cache
def _by_name() -> dict[str, str]:
    """The kinds of results that commands show, by the names of their functions."""
    return {name.replace("-", "_"): name for name, (_, kind) in kinds().items() if kind.page}


@cache
def _function(name: str) -> Callable[..., Report]:
    kind = _by_name()[name]
    entry, _ = kinds()[kind]
    subcommand = None
    if entry.subcommands is not None:
        names = [*entry.subcommands.summaries]
        last = kind.removeprefix(f"{entry.name}-")
        subcommand = last if last in names else names[0]
    command = entry.function(subcommand)

    def call(*values: Any, **keywords: Any) -> Report:
        given = _given(name, declared(command), values, keywords)
        arguments = {part.name: _made(part, given) for part in declared(command)}
        from typer import Exit  # noqa: PLC0415 - slow to load

        with taking() as taken, suppress(Exit):  # of a check that failed: the result says which
            command(**arguments)
        return taken[-1]

    call.__name__, call.__qualname__, call.__doc__ = name, name, command.__doc__
    return call


def _given(
    name: str, parts: Sequence[DeclaredPart], values: Sequence[Any], keywords: dict[str, Any]
) -> dict[str, Any]:
    """Values by the names of fields. TypeError for what the command does not take."""
    every = [one for part in _asked(parts) for one in part.all()]
    arguments = [one for one in every if isinstance(one.shown, Arg)]
    if len(values) > len(arguments):
        raise TypeError(f"{name}() takes {len(arguments)} arguments, {len(values)} were given")
    fields = {one.name: one for one in every}
    for one in every:
        for option in one.names:
            fields.setdefault(option.lstrip("-").replace("-", "_"), one)
    given = {one.name: _value(one, value) for one, value in zip(arguments, values, strict=False)}
    for keyword, value in keywords.items():
        if keyword not in fields:
            near = suggestion(keyword, fields)
            raise TypeError(f"{name}() takes no {keyword}" + (f"; {near}" if near else ""))
        given[fields[keyword].name] = _value(fields[keyword], value)
    lacking = [one.name for one in every if one.is_needed and one.name not in given]
    if lacking:
        raise TypeError(f"{name}() needs {', '.join(lacking)}")
    return given


def _asked(parts: Sequence[DeclaredPart]) -> Iterator[DeclaredPart]:
    """Parts but the one that says where a result is written."""
    return (part for part in parts if part.options is not Output)


def _value(one: Declared, value: Any) -> Any:
    """A value as the field takes it: texts are read as on the command line."""
    takes_many, kinds_taken = get_origin(one.on_line) is list, (one.on_line, *get_args(one.on_line))
    if isinstance(value, str) and Path in kinds_taken:
        return Path(value)
    if isinstance(value, str) and takes_many:
        value = (value,)
    is_text = isinstance(value, str) or (
        takes_many and isinstance(value, list | tuple) and all(isinstance(v, str) for v in value)
    )
    return one.shown.read(value) if is_text and one.shown.read is not None else value


def _made(part: DeclaredPart, given: dict[str, Any]) -> Any:
    if part.options is Output:
        return Output()
    found = dict(part.defaults)
    for value in part.values:
        if isinstance(value, DeclaredPart):
            found[value.name] = _made(value, given)
        elif value.name in given:
            found[value.name] = given[value.name]
    return found[part.name] if part.options is None else part.options(**found)
