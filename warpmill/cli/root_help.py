"""The help of ``warpmill`` itself, which needs nothing but the manifest: it is there at once."""

from __future__ import annotations

from warpmill.report.manifest import GROUPS, command, command_names

_HEAD = """Usage: warpmill [OPTIONS] COMMAND [ARGS]...

  How a GPU kernel will behave on a chip that is not in the room.

Options:
  --version   Show the version and exit.
  -h, --help  Show this message and exit.
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
        f"\n{group}:\n" + "".join(f"  {name:{width}}  {command(name).summary}\n" for name in names)
        for group, names in GROUPS.items()
    )
    return f"{_HEAD}{groups}{_TAIL}"
