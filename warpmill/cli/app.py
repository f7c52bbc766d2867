"""The application: its commands, each loaded when it is called, their options, help and errors."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.opt import EMPTY, Arg, Declared, DeclaredPart, declared
from warpmill.analyzer.base.whole_files import (
    MOST_EVENT_BYTES,
    MOST_EVENT_BYTES_VARIABLE,
    MOST_INLINED,
    MOST_INLINED_VARIABLE,
    MOST_STACK,
    MOST_STACK_VARIABLE,
)
from warpmill.cli.options import check_together
from warpmill.cli.output import write
from warpmill.cli.written_files import check_apart, written, written_file
from warpmill.report.manifest import (
    CommandEntry,
    SubCommands,
    command,
    command_names,
    is_command,
    root_help,
    version_text,
)

# Commands and groups: their usage lines, their help, and what they say of wrong words.


class HelpCommand(TyperCommand):
    """A command whose help has the words of this package, and none of Python's types.

    One that reads kernels takes ``--max-inlined``, ``--max-stack`` and ``--max-event-bytes`` too.
    """

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        if any(each.name == "strict" for each in self.params):
            self.params += _limits()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read words. UsageError, below the help, where there are none and some are needed.

        Also where what is written would take the place of what is read.
        """
        words = needed(self)
        if not args and words and not ctx.resilient_parsing:
            raise nothing_given(ctx, words)
        with clear_words():
            left = super().parse_args(ctx, args)
        check_apart(ctx)
        return left

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the usage line: ``[OPTIONS] A B``, ``[OPTIONS] FILE...``."""
        pieces = [self.options_metavar] if self.options_metavar else []
        arguments = [p for p in self.get_params(ctx) if p.param_type_name == "argument"]
        for each in arguments:
            word = f"{_name(each)}..." if each.nargs != 1 else _name(each)
            pieces.append(word if each.required else f"[{word}]")
        return pieces

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what arguments and options are, a line each."""
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            own = [p for p in self.get_params(ctx) if p.param_type_name == kind]
            records = [(p, p.get_help_record(ctx)) for p in own]
            rows = [(_shown(p, record[0]), record[1]) for p, record in records if record]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class HelpGroup(TyperGroup):
    """A group of commands; without a word it says which is needed."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read words. UsageError, below the help, where there are none and one is needed."""
        if not args and self.no_args_is_help and not ctx.resilient_parsing:
            raise nothing_given(ctx, self.needed())
        with clear_words():
            return super().parse_args(ctx, args)

    def needed(self) -> list[str]:
        """Name what is missing where nothing is given."""
        return ["COMMAND"]


class DefaultCommandGroup(HelpGroup):
    """Sub-commands, the first of which is meant where the first word is none of their names.

    ``warpmill dfsg launch.toml`` is ``warpmill dfsg show launch.toml``. What is called as a
    sub-command is needs the longer form.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Arguments with the first sub-command's name before those that name none."""
        if self.means_first(ctx, args):
            args = [next(iter(self.commands)), *args]
        return super().parse_args(ctx, args)

    def means_first(self, ctx: Any, args: list[str]) -> bool:
        """Whether words are for the first sub-command."""
        return bool(args) and args[0] not in {*self.commands, *ctx.help_option_names}

    def needed(self) -> list[str]:
        """Name what the first sub-command needs."""
        return needed(next(iter(self.commands.values())))


class ListingGroup(DefaultCommandGroup):
    """Sub-commands, the first of which lists: it is meant without a word, or with options alone."""

    def means_first(self, ctx: Any, args: list[str]) -> bool:
        """Whether words are for the first sub-command."""
        if not args:
            return not ctx.resilient_parsing  # a shell that completes asks for all sub-commands
        return args[0].startswith("-") and args[0] not in ctx.help_option_names

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find a sub-command. UsageError where the word may be the name of what is listed."""
        word, known = args[0], list(self.commands)
        if word in known or suggestion(word, known) or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        words = f"{ctx.command_path} has no command `{word}`"
        shows = f"`{ctx.command_path} show {word}` shows what is called so"
        hint = f"{shows}; there are {', '.join(known)}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


def _moves(variable: str) -> Callable[[int | None], None]:
    """Setter of a limit by a variable of the environment, for child processes as well."""

    def move(value: int | None) -> None:
        if value is not None:
            os.environ[variable] = str(value)
        else:
            os.environ.pop(variable, None)

    return move


@cache
def _limits() -> tuple[Any, ...]:
    """Make the options that move limits of kernels."""
    app = typer.Typer(add_completion=False)
    app.command()(_with_limits)
    return tuple(p for p in get_command(app).params if p.name in ("_inlined", "_stack", "_events"))


def _with_limits(
    _inlined: Annotated[
        int | None,
        typer.Option(
            "--max-inlined",
            metavar="N",
            min=1,
            help=f"Most instructions that inlined calls make; {MOST_INLINED} without it.",
            show_default=False,
            expose_value=False,
            callback=_moves(MOST_INLINED_VARIABLE),
        ),
    ] = None,
    _stack: Annotated[
        int | None,
        typer.Option(
            "--max-stack",
            metavar="BYTES",
            min=0,
            help="Most bytes of a thread's stack, for recursive calls and alloca; "
            f"{MOST_STACK} without it.",
            show_default=False,
            expose_value=False,
            callback=_moves(MOST_STACK_VARIABLE),
        ),
    ] = None,
    _events: Annotated[
        int | None,
        typer.Option(
            "--max-event-bytes",
            metavar="BYTES",
            min=1,
            help="Most bytes of events of executed traces that are held at once; "
            f"{MOST_EVENT_BYTES} without it.",
            show_default=False,
            expose_value=False,
            callback=_moves(MOST_EVENT_BYTES_VARIABLE),
        ),
    ] = None,
) -> None:
    """Stand for the commands that read kernels."""


def needed(command: Any) -> list[str]:
    """Name the arguments and options that a command cannot do without."""
    return [
        _name(each) if each.param_type_name == "argument" else each.opts[0]
        for each in command.params
        if each.required
    ]


def nothing_given(ctx: Any, words: Sequence[str]) -> UsageError:
    """Show the help on stderr, and make the error that stands below it."""
    sys.stderr.write(f"{ctx.get_help()}\n\n")
    named = " and ".join([", ".join(words[:-1]), words[-1]] if words[1:] else words)
    return UsageError(f"{named} {'are' if words[1:] else 'is'} missing")


def _name(argument: Any) -> str:
    return str(argument.metavar or argument.name.upper())


def _shown(parameter: Any, name: str) -> str:
    """Write an argument by its name, and choices without what stands around them."""
    if parameter.param_type_name == "argument":
        return _name(parameter)
    option, _, kind = name.rpartition(" ")
    return name if parameter.metavar or not option else f"{option} {kind.strip('<>[]')}"


@contextmanager
def clear_words() -> Iterator[None]:
    """Context in which errors of wrong values read the same with any typer."""
    try:
        yield
    except typer.BadParameter as error:
        error.message = _clear(error)
        raise


def _clear(error: typer.BadParameter) -> str:
    problems = getattr(error.__cause__, "errors", None)
    if not callable(problems):
        return error.message
    first = problems()[0]
    given, bounds = first["input"], first.get("ctx", {})
    if first["type"] == "greater_than_equal":
        return f"{given} is not in the range x>={bounds['ge']}."
    if first["type"] == "less_than_equal":
        return f"{given} is not in the range x<={bounds['le']}."
    if first["type"].startswith("int"):
        return f"{given!r} is not a valid integer."
    if first["type"].startswith("float"):
        return f"{given!r} is not a valid number."
    return error.message.removeprefix("Value error, ")


def epilog(name: str) -> str:
    """The end of a command's help: its examples, each on lines of its own."""
    name, _, sub = name.partition(" ")
    lines = [line for example in command(name).examples[sub] for line in _wrapped(example)]
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


_WIDTH = 74
"""Columns of an example."""


def _wrapped(example: str) -> list[str]:
    """Break a long example as a shell allows it, before an option."""
    lines = [""]
    for word in example.replace(" --", "\0--").split("\0"):
        if lines[-1] and len(lines[-1]) + len(word) > _WIDTH:
            lines[-1] += " \\"
            lines.append(f"    {word}")
        else:
            lines[-1] += word if not lines[-1] else f" {word}"
    return lines


class Commands(HelpGroup):
    """All commands. Their help is by what people want; one is loaded when it is called."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Name the commands, in the order of the help."""
        return list(command_names())

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Load a command; None for what is none."""
        if not is_command(cmd_name):
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return self.commands[cmd_name]

    def format_help(self, _ctx: Any, formatter: Any) -> None:
        """Write what each command is for, without loading any."""
        formatter.write(root_help())


def _loaded(name: str) -> Any:
    """Command as typer builds it."""
    one = command(name)
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    if one.subcommands is not None:
        app.add_typer(_group(one, one.subcommands), name=name, short_help=one.summary)
        app.callback()(lambda: None)
        whole: Any = typer.main.get_command(app)
        return whole.commands[name]
    add = app.command(name, cls=HelpCommand, epilog=epilog(name), short_help=one.summary)
    add(flat(one.function()))
    return typer.main.get_command(app)


def _group(one: CommandEntry, own: SubCommands) -> typer.Typer:
    """The sub-commands of a command."""
    group = typer.Typer(
        cls=ListingGroup if own.lists else DefaultCommandGroup,
        help=own.help,
        epilog=epilog(one.name),
        subcommand_metavar=own.usage,
        no_args_is_help=not own.lists,
        rich_markup_mode=None,
    )
    for name, summary in own.summaries.items():
        end = epilog(f"{one.name} {name}")
        add = group.command(name, cls=HelpCommand, epilog=end, short_help=summary)
        add(flat(one.function(name)))
    return group


app = typer.Typer(
    cls=Commands,
    name="warpmill",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        write(version_text(), None)
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Take what is not of a command."""


# Commands of options classes, as typer reads them: a parameter for each option.

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
    """Value of a command's parameter; ``_ABSENT`` where that is wrong."""
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
    """Signature of an option or argument for typer."""
    kind: Any = one.on_line
    default = _shown_default(one)
    if one.shown.read is not None and one.default is not EMPTY:
        kind = kind | None  # where none is given, the default holds
    annotation = Annotated[kind, _information(one, default)]
    return inspect.Parameter(
        one.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def _information(one: Declared, on_line: Any) -> Any:
    """Help and checks of an option or argument for typer."""
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
