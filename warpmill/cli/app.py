"""The application: the commands of the manifest, each loaded when it is called."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from warpmill.cli.commands import Command, Group, epilog
from warpmill.report.manifest import GROUPS, command, command_names
from warpmill.version import __version__

ABOUT = "How a GPU kernel will behave on a chip that is not in the room."


class Commands(Group):
    """All commands. Their help is by what people want; one is loaded when it is called."""

    def list_commands(self, _ctx: Any) -> list[str]:
        """Name the commands, in the order of the help."""
        return list(command_names())

    def get_command(self, _ctx: Any, cmd_name: str) -> Any:
        """Load a command; None for what is none."""
        if cmd_name not in command_names():
            return None
        if cmd_name not in self.commands:
            self.commands[cmd_name] = _loaded(cmd_name)
        return self.commands[cmd_name]

    def format_commands(self, _ctx: Any, formatter: Any) -> None:
        """Write what each command is for, without loading any."""
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, command(name).summary) for name in names])


def _loaded(name: str) -> Any:
    """What typer makes of a command."""
    one = command(name)
    app, function = typer.Typer(add_completion=False, rich_markup_mode=None), one.function
    if isinstance(function, typer.Typer):
        app.add_typer(function, name=name, short_help=one.summary)
        app.callback()(lambda: None)
        made: Any = typer.main.get_command(app)
        return made.commands[name]
    app.command(name, cls=Command, epilog=epilog(name), short_help=one.summary)(function)
    return typer.main.get_command(app)


app = typer.Typer(
    cls=Commands,
    name="warpmill",
    help=ABOUT,
    epilog=(
        "\b\nStart with:\n  warpmill inspect samples/matmul/matmul.sm_80.ptx\n"
        "  warpmill estimate samples/matmul/launch.toml"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"warpmill {__version__}")
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
    """How a GPU kernel will behave on a chip that is not in the room."""
