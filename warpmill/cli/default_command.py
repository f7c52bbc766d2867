"""Groups of commands with one that is meant where none is named."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup


class DefaultCommandGroup(TyperGroup):
    """Sub-commands, the first of which is meant where the first word is none of their names.

    ``warpmill dfsg launch.toml`` is ``warpmill dfsg show launch.toml``. What is called as a
    sub-command is needs the longer form.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the name of the first sub-command before arguments that name none."""
        first = next(iter(self.commands))
        own = {*self.commands, *ctx.help_option_names}
        if args and args[0] not in own:
            args = [first, *args]
        return super().parse_args(ctx, args)
