"""The application: the commands of the manifest, each loaded when it is called."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from warpmill.cli.commands import (
    DefaultCommandGroup,
    HelpCommand,
    HelpGroup,
    ListingGroup,
    epilog,
)
from warpmill.cli.flat import flat
from warpmill.cli.output import write
from warpmill.cli.root_help import root_help, version_text
from warpmill.report.manifest import CommandEntry, SubCommands, command, command_names, is_command


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
    """What typer makes of a command."""
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
