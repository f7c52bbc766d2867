"""Kernels of Triton and numba in Python files, read off their text: nothing of it runs.

So is how the file launches them: configurations of an autotuner, and calls ``kernel[grid](...)``
whose values follow from constants and from sizes of arrays, which are taken to be ``LENGTH``.
"""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
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


LENGTH = 1024
"""What sizes of arrays are taken to be where a launch is made of them."""


@dataclass(frozen=True)
class WrittenLaunch:
    """What a file says of a kernel's launches, by parameter and by option of Triton; None: nothing.

    ``tuned`` are of the first of ``configs`` configurations, ``passed`` of the call at ``line``,
    ``defaults`` of the kernel itself.
    """

    tuned: Mapping[str, Any] = field(default_factory=dict)
    configs: int = 0
    passed: Mapping[str, Any] = field(default_factory=dict)
    line: int | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    grid: tuple[int, ...] | None = None
    block: tuple[int, ...] | None = None


@dataclass(frozen=True)
class PythonKernel:
    """A kernel in a Python file, as its text has it, with how it is launched there."""

    name: str
    door: Literal["triton", "numba"]
    parameters: tuple[PythonParameter, ...]
    directions: int
    """In which its programs or CTAs are counted."""
    written: WrittenLaunch = field(default_factory=WrittenLaunch)


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
                found.append(replace(_triton(one), written=_written(tree, one)))
        elif ("cuda.jit" in decorators and "device=True" not in decorators) or one.name in given:
            found.append(replace(_numba(one), written=_written(tree, one)))
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


# How a file launches a kernel.


def _written(tree: ast.Module, kernel: ast.FunctionDef) -> WrittenLaunch:
    """Configurations and the first call of a kernel, as far as they follow from the text."""
    names = _Names.of_file(tree)
    tuned, count = _first_config(kernel, names)
    arguments = [one.arg for one in kernel.args.args]
    given = zip(reversed(arguments), reversed(kernel.args.defaults), strict=False)
    defaults = _values(dict(given), names)
    found = WrittenLaunch(tuned, count, defaults=defaults)
    for inside, call in _calls_of(tree, kernel.name):
        own = names if inside is None else names.inside(inside)
        passed = dict(zip(arguments, call.args, strict=False))
        passed |= {one.arg: one.value for one in call.keywords if one.arg is not None}
        known = _values(passed, own)
        assert isinstance(call.func, ast.Subscript)
        meta = {**defaults, **tuned, **known}
        grid, block = _sizes(call.func.slice, own, meta)
        return replace(found, passed=known, line=call.lineno, grid=grid, block=block)
    return found


def _calls_of(tree: ast.Module, kernel: str) -> Iterator[tuple[ast.FunctionDef | None, ast.Call]]:
    """Calls ``kernel[...](...)`` of a file, with the function at its top that they stand in."""
    for statement in tree.body:
        inside = statement if isinstance(statement, ast.FunctionDef) else None
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Subscript):
                name = node.func.value
                if isinstance(name, ast.Name) and name.id == kernel:
                    yield inside, node


def _first_config(kernel: ast.FunctionDef, names: _Names) -> tuple[dict[str, Any], int]:
    """The first configuration of an autotuner, and how many there are where that is plain."""
    for decorator in kernel.decorator_list:
        if not isinstance(decorator, ast.Call) or _last_word(decorator.func) != "autotune":
            continue
        named = {one.arg: one.value for one in decorator.keywords}
        listed = named.get("configs") or (decorator.args[0] if decorator.args else None)
        if listed is None:
            continue
        configs, own = _listed(listed, names)
        if configs and isinstance(configs[0], ast.Call) and configs[0].args:
            first = configs[0]
            constants = _value(first.args[0], own)
            options = {one.arg: one.value for one in first.keywords if one.arg is not None}
            if isinstance(constants, dict):
                is_counted = own is names
                return constants | _values(options, own), len(configs) if is_counted else 0
    return {}, 0


def _listed(node: ast.expr, names: _Names, depth: int = 4) -> tuple[list[ast.expr], _Names]:
    """The items of a list that a text says, or the first of a comprehension, with its names."""
    if depth == 0:
        return [], names
    if isinstance(node, ast.List | ast.Tuple):
        return list(node.elts), names
    if isinstance(node, ast.Name) and node.id in names.nodes:
        return _listed(names.nodes[node.id], names, depth - 1)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        function = names.functions.get(node.func.id)
        ends = (
            [one for one in ast.walk(function) if isinstance(one, ast.Return)] if function else []
        )
        if function is not None and len(ends) == 1 and ends[0].value is not None:
            return _listed(ends[0].value, names.inside(function), depth - 1)
    if isinstance(node, ast.ListComp):
        own = names
        for generator in node.generators:
            items, _ = _listed(generator.iter, own, depth - 1)
            if not items:
                return [], names
            own = own.bound(generator.target, items[0])
        return [node.elt], own
    return [], names


def _sizes(
    node: ast.expr, names: _Names, meta: Mapping[str, Any]
) -> tuple[tuple[int, ...] | None, tuple[int, ...] | None]:
    """Grid of Triton's ``[grid]``; grid and block of numba's ``[grid, block]``."""
    own = replace(names, meta=meta)
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    value = _value(node, own)
    grid = _whole(value)
    if len(parts) >= 2 and isinstance(value, tuple):
        return _whole(value[0]) if isinstance(value[0], tuple) else grid, _whole(value[1])
    return grid, None


def _whole(value: Any) -> tuple[int, ...] | None:
    sides = value if isinstance(value, tuple) else (value,)
    is_whole = all(isinstance(one, int) and one > 0 for one in sides)
    return sides if is_whole and 1 <= len(sides) <= 3 else None


@dataclass(frozen=True)
class _Names:
    """What names of a file mean: the expressions that they are bound to, and its functions."""

    nodes: Mapping[str, ast.expr]
    functions: Mapping[str, ast.FunctionDef]
    meta: Mapping[str, Any] = field(default_factory=dict)
    """Constants of a launch, which functions of a grid look up."""

    @classmethod
    def of_file(cls, tree: ast.Module) -> _Names:
        """Those at the top of a file."""
        functions = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef)}
        empty = cls({}, functions)
        return replace(empty, nodes=dict(_bindings(tree.body)))

    def inside(self, function: ast.FunctionDef) -> _Names:
        """Those of a function: its own before the file's; a parameter without default is open."""
        arguments = [one.arg for one in function.args.args]
        given = zip(reversed(arguments), reversed(function.args.defaults), strict=False)
        own = dict(given) | dict(_bindings(ast.walk(function)))
        outer = {name: node for name, node in self.nodes.items() if name not in arguments}
        return replace(self, nodes={**outer, **own})

    def bound(self, target: ast.expr, value: ast.expr) -> _Names:
        """With the names of a target, which a value is taken apart for."""
        return replace(self, nodes={**self.nodes, **dict(_pairs(target, value))})


def _bindings(nodes: Sequence[ast.stmt] | Iterator[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    for node in nodes:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _pairs(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            yield from _pairs(node.target, node.value)


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple | ast.List):
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else None
        for place, one in enumerate(target.elts):
            if parts is None:
                part: ast.expr = ast.Subscript(value, ast.Constant(place), ast.Load())
                yield from _pairs(one, part)
            elif place < len(parts):
                yield from _pairs(one, parts[place])


# What an expression comes to.


class _OpenError(Exception):
    """The text does not say what an expression comes to."""


def _values(nodes: Mapping[str, ast.expr], names: _Names) -> dict[str, Any]:
    """Numbers, words and truths that expressions come to; those that are open are left out."""
    found = {name: _value(node, names) for name, node in nodes.items()}
    return {name: v for name, v in found.items() if isinstance(v, bool | int | float | str)}


def _value(node: ast.expr, names: _Names) -> Any:
    """What an expression comes to; ``_OpenError`` where the text does not say."""
    try:
        return _evaluated(node, names, _DEEPEST)
    except (_OpenError, ArithmeticError, TypeError, ValueError, LookupError):
        return _OpenError


_BINARY: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv, ast.Div: operator.truediv, ast.Mod: operator.mod,
}  # fmt: skip

_CALLED: Mapping[str, Callable[..., Any]] = {
    "cdiv": lambda a, b: -(-a // b),
    "next_power_of_2": lambda n: 1 << (n - 1).bit_length(),
    "min": min, "max": max, "int": int, "float": float, "ceil": math.ceil, "sqrt": math.sqrt,
}  # fmt: skip

_MOST_SIDES = 8
_DEEPEST = 16
"""Names and operations within one another that are followed."""


def _evaluated(node: ast.expr, names: _Names, depth: int) -> Any:
    if depth == 0:
        raise _OpenError
    inner: Callable[[ast.expr], Any] = lambda one: _evaluated(one, names, depth - 1)  # noqa: E731
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Lambda):
        return inner(node.body)  # a grid, of the constants that it is handed
    match node:
        case ast.Name(id) if id in names.nodes:
            return inner(names.nodes[id])
        case ast.Tuple(elts) | ast.List(elts):
            return tuple(inner(one) for one in elts)
        case ast.Dict(keys, values) if None not in keys:
            each = zip(keys, values, strict=True)
            return {inner(key): inner(value) for key, value in each if key is not None}
        case ast.UnaryOp(ast.USub(), operand):
            return -_number(inner(operand))
        case ast.BinOp(left, op, right) if type(op) in _BINARY:
            return _BINARY[type(op)](_number(inner(left)), _number(inner(right)))
        case ast.Subscript(ast.Name(id), ast.Constant(str(key))) if id not in names.nodes:
            return names.meta[key]
        case ast.Subscript(value, slice):
            return inner(value)[inner(slice)]
        case ast.Attribute(attr="shape"):
            return (LENGTH,) * _MOST_SIDES
        case ast.Call(func, arguments, []):
            return _called_value(func, [inner(one) for one in arguments])
    raise _OpenError


def _number(value: Any) -> int | float:
    if not isinstance(value, int | float):
        raise _OpenError
    return value


def _called_value(function: ast.expr, values: Sequence[Any]) -> Any:
    """What a call comes to: of known functions, and of tensors' sizes and strides."""
    word = _last_word(function)
    if isinstance(function, ast.Attribute) and word == "stride" and len(values) == 1:
        return 1 if values[0] in (-1, 1) else LENGTH
    if isinstance(function, ast.Attribute) and word == "size" and len(values) == 1:
        return LENGTH
    if isinstance(function, ast.Attribute) and word == "numel" and not values:
        return LENGTH * LENGTH
    if word in _CALLED:
        return _CALLED[word](*values)
    raise _OpenError


def _last_word(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


# What of a file a kernel takes.


def needed_part(tree: ast.Module, kernel: str) -> ast.Module:
    """The statements at a file's top that a kernel follows from, in their order.

    What else there is, such as launches and the imports that only these need, is left out.
    """
    statements = list(tree.body)
    bound = [frozenset(_bound(one)) for one in statements]
    wanted, open_, kept = {kernel}, {kernel}, set[int]()
    while open_:
        found = [n for n, names in enumerate(bound) if n not in kept and names & open_]
        kept |= set(found)
        used = {
            node.id
            for n in found
            for node in ast.walk(statements[n])
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        }
        open_ = used - wanted
        wanted |= used
    always = [n for n, one in enumerate(statements) if _is_for_imports(one)]
    order = sorted(kept | set(always))
    return ast.Module([statements[n] for n in order], type_ignores=[])


def _bound(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement at the top of a file binds, in its branches as well."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
        return
    for node in ast.walk(statement):
        match node:
            case ast.FunctionDef(name) | ast.ClassDef(name):
                yield name
            case ast.Import(names) | ast.ImportFrom(_, names):
                yield from ((one.asname or one.name).partition(".")[0] for one in names)
            case ast.Name(id, ast.Store()):
                yield id


def _is_for_imports(statement: ast.stmt) -> bool:
    """Whether all that follows may rest on a statement: changed paths, all names of a module."""
    if isinstance(statement, ast.ImportFrom):
        return statement.module == "__future__" or any(one.name == "*" for one in statement.names)
    if isinstance(statement, ast.Import):
        return any(one.name in ("sys", "os") for one in statement.names)
    return isinstance(statement, ast.Expr) and "sys.path" in ast.unparse(statement)
