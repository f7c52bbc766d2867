"""Kernels of Triton and numba in Python files, read off their text: nothing of it runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal


@dataclass(frozen=True)
class PythonParameter:
    """A parameter of a kernel in Python: an array, with its sides, a number, or a constant.

    Of an array that is indexed by a number, that side is just long enough; others are 0.
    """

    name: str
    kind: Literal["array", "number", "constant"]
    sides: tuple[int, ...] = (0,)


@dataclass(frozen=True)
class PythonKernel:
    """A kernel in a Python file, as its text has it."""

    name: str
    door: Literal["triton", "numba"]
    parameters: tuple[PythonParameter, ...]
    directions: int
    """In which its programs or CTAs are counted."""


def python_kernels(path: Path) -> tuple[PythonKernel, ...]:
    """The kernels of a Python file that is no program: it has no function ``main``."""
    if path.suffix.lower() != ".py":
        return ()
    try:
        tree = ast.parse(path.read_text("utf-8"))
    except (OSError, ValueError, SyntaxError, RecursionError):
        return ()
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef)]
    if any(one.name == "main" for one in functions):
        return ()
    called = {word for one in functions for word in _called(one)}
    given = {word for one in tree.body if not isinstance(one, ast.FunctionDef)
             for word in _compiled_in(one)}  # fmt: skip
    found = []
    for one in functions:
        decorators = " ".join(ast.unparse(each) for each in one.decorator_list)
        if "triton.jit" in decorators or decorators == "jit":
            if one.name not in called:
                found.append(_triton(one))
        elif ("cuda.jit" in decorators and "device=True" not in decorators) or one.name in given:
            found.append(_numba(one))
    return tuple(found)


def _called(function: ast.FunctionDef) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id


def _compiled_in(statement: ast.stmt) -> Iterator[str]:
    """Functions that a file has numba compile: ``cuda.compile_ptx(function, ...)``."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("cuda.compile"):
            yield from (one.id for one in node.args[:1] if isinstance(one, ast.Name))


def _triton(function: ast.FunctionDef) -> PythonKernel:
    """Pointers are what addresses of loads and stores are counted from."""
    counted: dict[str, str] = {}
    pointers: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            counted.setdefault(node.targets[0].id, _base(node.value))
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in _MEMORY:
            name = _base(node.args[0]) if node.args else ""
            for _ in counted:
                name = counted.get(name, name)
            pointers.add(name)
    parameters = []
    for one in function.args.args:
        is_constant = one.annotation is not None and "constexpr" in ast.unparse(one.annotation)
        kind: Any = "constant" if is_constant else "array" if one.arg in pointers else "number"
        parameters.append(PythonParameter(one.arg, kind))
    axes = [
        int(word) for word in re.findall(r"program_id\((?:axis=)?(\d)\)", ast.unparse(function))
    ]
    return PythonKernel(function.name, "triton", tuple(parameters), 1 + max(axes, default=0))


_MEMORY = frozenset({"load", "store", "atomic_add", "atomic_max", "atomic_min", "atomic_cas",
                     "atomic_xchg", "atomic_and", "atomic_or", "atomic_xor"})  # fmt: skip


def _base(node: ast.expr) -> str:
    """The name that a sum begins with."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return node.id if isinstance(node, ast.Name) else ""


def _numba(function: ast.FunctionDef) -> PythonKernel:
    """Arrays are what is indexed."""
    sides: dict[str, list[int]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            own = sides.setdefault(node.value.id, [0] * len(parts))
            for axis, part in enumerate(parts[: len(own)]):
                if not isinstance(part, ast.Constant) or not isinstance(part.value, int):
                    own[axis] = -1
                elif own[axis] >= 0:
                    own[axis] = max(own[axis], part.value + 1)
    parameters = tuple(
        PythonParameter(one.arg, "array", tuple(max(0, n) for n in sides[one.arg]))
        if one.arg in sides
        else PythonParameter(one.arg, "number")
        for one in function.args.args
    )
    text = ast.unparse(function)
    grids = [int(word) for word in re.findall(r"grid\((\d)\)", text)]
    axes = [" xyz".index(word) for word in re.findall(r"blockIdx\.([xyz])", text)]
    return PythonKernel(function.name, "numba", parameters, max([1, *grids, *axes]))
