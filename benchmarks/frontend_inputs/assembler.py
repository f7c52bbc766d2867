"""What the assemblers of PTX say to a text, kept by the hash of the text and their version."""

from __future__ import annotations

import hashlib
import re
import subprocess
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.frontend_inputs.tools import Tool, ptxas_versions

WORKERS = 2
TIME_LIMIT_S = 120
OLDEST_CHIP = 75  # that the assemblers of CUDA 13 know; they take texts for older ones
_TARGET = re.compile(r"^\.target\s+sm_(\d+)(\w?)", re.MULTILINE)


@dataclass(frozen=True)
class Verdict:
    """Whether an assembler takes a text; ``words`` are its first errors where it does not."""

    accepted: bool
    words: str = ""


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
        return {tool.name: self._of_one(tool, text) for tool in self.tools}

    def _of_one(self, tool: Tool, text: str) -> Verdict:
        key = hashlib.sha256(f"{tool.version}\0{text}".encode()).hexdigest()
        kept = self._cache / key
        if kept.exists():
            words = kept.read_text()
            return Verdict(not words, words)
        words = _ask(tool, text)
        kept.write_text(words)
        return Verdict(not words, words)


def _ask(tool: Tool, text: str) -> str:
    """Assemble without optimisation, as a unit that may name what others define; the errors."""
    target = _TARGET.search(text)
    if target is None:
        return "the text has no .target"
    chip = f"{max(int(target[1]), OLDEST_CHIP)}{target[2]}"
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "module.ptx"
        file.write_text(text)
        command = [tool.path, "-O0", "-c", f"-arch=sm_{chip}", str(file), "-o", f"{scratch}/out"]
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, check=False, timeout=TIME_LIMIT_S
            )
        except subprocess.TimeoutExpired:
            return f"no answer within {TIME_LIMIT_S} s"
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if "error" in line or "fatal" in line]
    words = "; ".join(lines[:3]).replace(f"{scratch}/", "")
    return words or f"exit code {done.returncode}"
