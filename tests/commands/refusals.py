"""Commands that are refused, with what is said of them: the files of ``refused/``.

Below a command stand, indented, words that what is said has among others, whatever its lines, or
``ends with 3`` where the code is that of a limit.
"""

import shlex
from pathlib import Path

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = SAMPLES / "vecadd" / "launch.toml"
PLACES = {
    "$VECADD": str(VECADD),
    "$PTX": str(VECADD.with_name("vecadd.sm_80.ptx")),
    "$SAMPLES": str(SAMPLES),
}
INDENT, LIMIT = "    ", "ends with 3"


def refusals(name: str) -> list[tuple[str, list[str]]]:
    """The commands of a file, each with the lines below it."""
    cases: list[tuple[str, list[str]]] = []
    for line in (Path(__file__).parent / "refused" / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith(INDENT):
            cases[-1][1].append(line.strip())
        else:
            cases.append((line, []))
    return cases


def words_of(command: str, places: dict[str, str]) -> list[str]:
    """The words of a command, places in them put in."""
    for mark, place in {**PLACES, **places}.items():
        command = command.replace(mark, place)
    return shlex.split(command)
