"""Pages of the guide that show what commands print: their examples are run again."""

import re
import shlex

from warpmill.cli.main import main

_CONSOLE = re.compile(r"```console\n\$ warpmill (?P<command>.*)\n(?P<output>(?:(?!```).*\n)*)```")
_LEFT_OUT = re.compile(r"^\.\.\.\n", re.MULTILINE)
_PYTHON = re.compile(r"```python\n(?P<code>(?:(?!```).*\n)*)```")


def codes(page):
    """The pieces of Python of a page."""
    return [match["code"] for match in _PYTHON.finditer(page.read_text("utf-8"))]


def excerpt(written, printed):
    """Renew what a page shows of an output, where lines ``...`` stand for what is left out.

    Each piece between them is found by its first line, such as a heading, and stays as long as it
    is. Without such a line all is shown.
    """
    pieces = _LEFT_OUT.split(written)
    if len(pieces) == 1:
        return printed
    lines, place, renewed = printed.splitlines(keepends=True), 0, []
    for piece in pieces:
        shown = piece.splitlines(keepends=True)
        assert not shown or shown[0] in lines[place:], f"nothing begins with {shown[0]!r}"
        start = lines.index(shown[0], place) if shown else place
        place = start + len(shown)
        renewed.append("".join(lines[start:place]))
    return "...\n".join(renewed)


def shows_what_is_printed(page, commands, capsys, request):
    """See that a page has so many commands, and shows what they print; ``--bless`` renews it.

    Lines ``...`` stand for what is left out: see ``excerpt``.
    """
    written = page.read_text("utf-8")

    def printed(match):
        assert main(shlex.split(match["command"])) == 0
        shown = excerpt(match["output"], capsys.readouterr().out)
        return f"```console\n$ warpmill {match['command']}\n{shown}```"

    assert len(_CONSOLE.findall(written)) == commands
    renewed = _CONSOLE.sub(printed, written)
    if request.config.getoption("--bless"):
        page.write_text(renewed, "utf-8")
    assert renewed == page.read_text("utf-8")
