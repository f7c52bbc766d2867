"""What ``ptxas -v`` says of a kernel: registers, spills, memory."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from warpmill.analyzer.base.diagnostics import LimitError, UsageError
from warpmill.analyzer.base.whole_files import temporary_folder
from warpmill.analyzer.frontends.load import FileFormat
from warpmill.analyzer.machine_code.ptxas import TIME_LIMIT_S, assemble
from warpmill.session.jobs import Job

FIGURES: dict[str, tuple[str, re.Pattern[str]]] = {
    "registers": ("registers a thread", re.compile(r"Used (\d+) registers")),
    "spill_store_bytes": ("bytes a thread", re.compile(r"(\d+) bytes spill stores")),
    "spill_load_bytes": ("bytes a thread", re.compile(r"(\d+) bytes spill loads")),
    "stack_frame_bytes": ("bytes a thread", re.compile(r"(\d+) bytes stack frame")),
    "shared_bytes": ("bytes a CTA", re.compile(r"(\d+) bytes smem")),
    "constant_bytes": ("bytes", re.compile(r"(\d+) bytes cmem\[0\]")),
    "barriers": ("barriers", re.compile(r"used (\d+) barriers")),
}
"""Unit of each figure, and how ptxas writes it; what it does not write is 0."""

_CHIP = re.compile(r"sm_\d+[af]?")


def ptxas_figures(job: Job) -> tuple[str, dict[str, int]]:
    """Let ptxas assemble a kernel for the module's own target; give the chip and the figures.

    UsageError where the kernel is no PTX or there is no ptxas on PATH, InputError with what ptxas
    says where it rejects the text, LimitError where it takes too long.
    """
    chip = _CHIP.match(job.loaded.module.target)
    if job.loaded.format is not FileFormat.PTX or chip is None:
        what = f"{job.loaded.format.value} for {job.loaded.module.target}"
        raise UsageError(f"--ptxas reads PTX for NVIDIA's chips; {job.loaded.path} is {what}")
    return chip[0], _read(_asked(job, chip[0]), job.kernel.name)


def _asked(job: Job, chip: str) -> str:
    tool = shutil.which("ptxas")
    if tool is None:
        raise UsageError("--ptxas: there is no ptxas on PATH")
    with temporary_folder() as folder:
        text = Path(folder, "kernel.ptx")
        text.write_text(job.loaded.source.text, encoding="utf-8")
        words = ["-v", f"-arch={chip}", "-e", job.kernel.name, str(text), "-o", f"{text}.cubin"]
        try:
            done = subprocess.run(
                [tool, *words],
                capture_output=True,
                check=False,
                cwd=folder,
                encoding="utf-8",
                errors="replace",
                stdin=subprocess.DEVNULL,
                timeout=TIME_LIMIT_S,
            )
        except subprocess.TimeoutExpired:
            raise LimitError(f"--ptxas: ptxas took more than {TIME_LIMIT_S:.0f} s") from None
        except OSError as error:
            raise UsageError(f"--ptxas: {tool} cannot be run: {error.strerror or error}") from None
    if done.returncode != 0:
        assemble(job.loaded.source, job.kernel.name, chip)  # raises, with the lines it names
    return done.stdout + done.stderr


def _read(said: str, kernel: str) -> dict[str, int]:
    """Read the lines about the kernel; device functions that stayed have lines of their own."""
    own = said.rpartition(f"Function properties for {kernel}\n")[2]
    return {
        key: int(found[1]) if (found := pattern.search(own)) else 0
        for key, (_, pattern) in FIGURES.items()
    }
