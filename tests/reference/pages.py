"""Pages of the guide that show what commands print: their examples are run again."""

import re
import shlex

from warpmill.cli.main import main

_CONSOLE = re.compile(r"```console\n\$ warpmill (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```")
_PYTHON = re.compile(r"```python\n(?P<code>(?:(?!```).*\n)*)```")


def codes(page):
    """Give the pieces of Python of a page."""
    return [match["code"] for match in _PYTHON.finditer(page.read_text("utf-8"))]


def shows_what_is_printed(page, commands, capsys, request):
    """See that a page has so many commands, and shows what they print; ``--bless`` renews it."""
    written = page.read_text("utf-8")

    def printed(match):
        assert main(shlex.split(match["command"])) == 0
        return f"```console\n$ warpmill {match['command']}\n{capsys.readouterr().out}```"

    assert len(_CONSOLE.findall(written)) == commands
    renewed = _CONSOLE.sub(printed, written)
    if request.config.getoption("--bless"):
        page.write_text(renewed, "utf-8")
    assert renewed == page.read_text("utf-8")
