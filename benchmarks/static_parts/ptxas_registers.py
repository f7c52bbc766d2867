"""How many registers ptxas gives to the kernels of a PTX text, kept by the text's hash."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from benchmarks.frontend_inputs.assembler import OLDEST_CHIP
from benchmarks.frontend_inputs.tools import Tool, ptxas_versions

TIME_LIMIT_S = 300
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)(\w?)", re.MULTILINE)
_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)'")
_USED = re.compile(r"Used (?P<count>\d+) registers")


@dataclass(frozen=True)
class Counts:
    """What ptxas says: registers by kernel, for which chip, by which version.

    ``words`` is why there are none: its first error.
    """

    chip: str
    version: str
    registers: dict[str, int]
    words: str = ""


def chip_of(text: str) -> str | None:
    """The chip that a PTX text is assembled for: its target, or the oldest that ptxas has."""
    target = _TARGET.search(text)
    return None if target is None else f"sm_{max(int(target[1]), OLDEST_CHIP)}{target[2]}"


def count_registers(text: str, cache: Path) -> Counts | None:
    """Ask the ptxas of the toolkit, and the newest one about what the first does not take.

    Optimised and as a whole program, as a launch would have it. None where there is no ptxas.
    """
    said = None
    for tool in ptxas_versions():
        said = _kept(tool, text, cache)
        if not said.words:
            break
    return said


def _kept(tool: Tool, text: str, cache: Path) -> Counts:
    folder = cache / "ptxas_registers"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / hashlib.sha256(f"{tool.version}\0{text}".encode()).hexdigest()
    if file.exists():
        return Counts(**json.loads(file.read_text()))
    counts = _ask(tool, text)
    file.write_text(json.dumps(asdict(counts)))
    return counts


def _ask(tool: Tool, text: str) -> Counts:
    chip = chip_of(text)
    if chip is None:
        return Counts("", tool.version, {}, "the text has no .target")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "module.ptx"
        file.write_text(text)
        command = [tool.path, "-v", f"-arch={chip}", str(file), "-o", f"{scratch}/out"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S
            )
        except subprocess.TimeoutExpired:
            return Counts(chip, tool.version, {}, f"no answer within {TIME_LIMIT_S} s")
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "error" in line or "fatal" in line]
        words = "; ".join(lines[:1]).replace(f"{scratch}/", "")
        return Counts(chip, tool.version, {}, words or f"exit code {done.returncode}")
    return Counts(chip, tool.version, read_counts(done.stderr))


def read_counts(text: str) -> dict[str, int]:
    """Read the registers of each kernel from what ``ptxas -v`` prints."""
    counts: dict[str, int] = {}
    name = None
    for line in text.splitlines():
        if entry := _ENTRY.search(line):
            name = entry["name"]
        elif (used := _USED.search(line)) and name is not None:
            counts[name], name = int(used["count"]), None
    return counts
