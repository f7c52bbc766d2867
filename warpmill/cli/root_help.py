"""The help and the version of ``warpmill`` itself: they need the manifest alone, at once."""

from __future__ import annotations

import platform

from warpmill.report.manifest import command_names, grouped
from warpmill.version import __version__

_HEAD = """Usage: warpmill [OPTIONS] COMMAND [ARGS]...

  How a GPU kernel will behave on a chip that is not in the room.

Options:
  --version             Show the versions that matter and exit.
  --install-completion  Install completion for the current shell.
  --show-completion     Show completion for the current shell.
  -h, --help            Show this message and exit.
"""
_TAIL = """
  Start with:
    warpmill inspect samples/matmul/matmul.sm_80.ptx
    warpmill estimate samples/matmul/launch.toml
"""


def root_help() -> str:
    """What ``warpmill --help`` writes: the commands by what people want, a line each."""
    width = max(map(len, command_names()))
    groups = "".join(
        f"\n{group}:\n" + "".join(f"  {one.name:{width}}  {one.summary}\n" for one in entries)
        for group, entries in grouped()
    )
    return f"{_HEAD}{groups}{_TAIL}"


_DECIDING = ("numpy", "numba", "llvmlite")
"""Libraries whose versions decide how fast things are, and which code is compiled."""


def version_text() -> str:
    """What ``warpmill --version`` writes: its own version, and those that matter beside it."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 - only here

    found = [f"Python {platform.python_version()}"]
    for name in _DECIDING:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return f"warpmill {__version__} ({', '.join(found)})\n"
