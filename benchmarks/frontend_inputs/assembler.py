"""What the assemblers of PTX say to a text, kept by the hash of the text and their version."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

from warpmill.benchmarks.frontend_inputs.tools import Tool, ptxas_versions

WORKERS = 2
TIME_LIMIT_S = 300
OLDEST_CHIP = 75  # that the assemblers of CUDA 13 know; they take texts for older ones
AS_UNIT = ("-O0", "-c")
"""Without optimisation, as a unit that may name what others define."""
_TARGET = re.compile(r"^\s*\.target\s+sm_(\d+)(\w?)", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """Whether an assembler takes a text, and all that it prints."""

    accepted: bool
    output: str

    @property
    def words(self) -> str:
        """Its first errors; empty where it takes the text."""
        if self.accepted:
            return ""
        lines = [line for line in self.output.splitlines() if "error" in line or "fatal" in line]
        return "; ".join(lines[:3]) or self.output[:300]


def chip_of(text: str) -> str | None:
    """The chip that a PTX text is assembled for: its target, or the oldest that ptxas has."""
    target = _TARGET.search(text)
    return None if target is None else f"sm_{max(int(target[1]), OLDEST_CHIP)}{target[2]}"


class Assemblers:
    """The assemblers at hand, with a folder that remembers what they said."""

    def __init__(self, cache: Path) -> None:
        self._cache = cache / "ptxas"
        self._cache.mkdir(parents=True, exist_ok=True)
        self.tools = ptxas_versions()

    def judge(self, texts: Iterable[str]) -> list[dict[str, Verdict]]:
        """Ask every assembler about every text, two at a time: verdicts by the tool's name."""
        with ThreadPoolExecutor(WORKERS) as pool:
            return list(pool.map(self._of_all, texts))

    def _of_all(self, text: str) -> dict[str, Verdict]:
        return {tool.name: self.ask(tool, text, *AS_UNIT) for tool in self.tools}

    def ask(self, tool: Tool, text: str, *options: str) -> Verdict:
        """What an assembler says of a text for its target."""
        key = "\0".join((tool.version, *options, text))
        kept = self._cache / f"{hashlib.sha256(key.encode()).hexdigest()}.json"
        if kept.exists():
            return Verdict(**json.loads(kept.read_text()))
        said = _ask(tool, text, options)
        kept.write_text(json.dumps(asdict(said)))
        return said


def _ask(tool: Tool, text: str, options: Iterable[str]) -> Verdict:
    chip = chip_of(text)
    if chip is None:
        return Verdict(False, "the text has no .target")
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "module.ptx"
        file.write_text(text)
        command = [tool.path, *options, f"-arch={chip}", str(file), "-o", f"{scratch}/out"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S
            )
        except subprocess.TimeoutExpired:
            return Verdict(False, f"no answer within {TIME_LIMIT_S} s")
    output = (done.stdout + done.stderr).replace(f"{scratch}/", "")
    return Verdict(done.returncode == 0, output or f"exit code {done.returncode}")
