"""Sources in strings of Python files, as CuPy, PyCUDA and load_inline of PyTorch are given them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Source

_WORD = "__global__"
"""What is in each string that holds a kernel in CUDA or HIP."""

_KERNEL = re.compile(r"\b__global__\b[^;{}]*\([^;{}]*\)\s*\{")


def embedded_source(path: Path, text: str) -> Source | None:
    """The sources in a Python file, at the lines where they stand there; None: there are none.

    A file with a function ``main`` is a host program, which launches kernels itself: None.
    """
    if _WORD not in text:
        return None
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    if any(isinstance(one, ast.FunctionDef) and one.name == "main" for one in tree.body):
        return None
    lines: list[str] = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if _KERNEL.search(node.value):
            own = node.value.split("\n")
            first = node.lineno - 1
            lines += [""] * (first + len(own) - len(lines))
            for k, line in enumerate(own):
                lines[first + k] += line
    return Source(str(path), "\n".join(lines) + "\n") if lines else None


def holds_sources(path: Path) -> bool:
    """Whether a file is one in Python that is no program, with sources in its strings."""
    if path.suffix.lower() != ".py":
        return False
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return False
    return embedded_source(path, text) is not None
