"""Clones in CUDA C++: whether nvcc builds them, and whether what it builds runs."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.silicon_parts.subjects import CUDA, Subject

BUILT_S, RAN_S = 120, 30
"""Seconds after which nvcc, and a program, are stopped."""


def built_and_run(clones: Sequence[Subject], workers: int) -> list[dict[str, Any]]:
    """Build clones side by side, and run them one after another: a row each.

    ``built`` and ``ran`` are empty where all went well, else what was said; ``ran`` is None where
    there was nothing to run.
    """
    with tempfile.TemporaryDirectory() as folder:
        programs = [Path(folder) / str(number) for number in range(len(clones))]
        with ThreadPoolExecutor(workers) as pool:
            built = list(pool.map(_built, clones, programs))
        return [
            one.names | {"built": why, "ran": None if why else _said([str(program)], RAN_S)}
            for one, program, why in zip(clones, programs, built, strict=True)
        ]


def _built(clone: Subject, program: Path) -> str:
    arch = f"-arch={clone.target.build}"
    return _said(["nvcc", arch, "-o", str(program), str(clone.folder / CUDA)], BUILT_S)


def _said(words: Sequence[str], timeout_s: float) -> str:
    """Run a command: nothing where it ends with 0, else why not."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=timeout_s, check=False)
    except subprocess.TimeoutExpired:
        return f"did not end within {timeout_s} s"
    except OSError as error:
        return f"{words[0]}: {error.strerror}"
    if done.returncode == 0:
        return ""
    told = (done.stderr or done.stdout).strip().splitlines()
    return told[0] if told else f"ended with {done.returncode}"
