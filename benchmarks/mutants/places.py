"""Places of the product that can be broken, and how: an operator, a number, a condition.

Only what runs inside of functions is broken, and no annotation, docstring or text for people.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

PRODUCT = ("analyzer", "executor", "codegen", "simulator", "warpmill")

ROOMS = {
    "ir": ("analyzer/ir", "analyzer/cfg", "analyzer/base"),
    "frontends": ("analyzer/frontends", "analyzer/launch", "analyzer/machine_code"),
    "analyses": ("analyzer/analyses", "analyzer/profile"),
    "traces": ("analyzer/traces",),
    "executor": ("executor",),
    "memory": ("analyzer/memory", "simulator/memory"),
    "timing": ("simulator/assembler", "simulator/estimate", "simulator/gpu", "simulator/machines",
               "simulator", "warpmill/calibration"),
    "sampling": ("simulator/sampling", "simulator/regression", "warpmill/sampling",
                 "warpmill/studies", "warpmill/sweeps", "warpmill/exploring", "warpmill/tuning"),
    "codegen": ("codegen", "warpmill/cloning"),
    "commands": ("warpmill/commands", "warpmill/cli", "warpmill/session", "warpmill/comparing",
                 "warpmill/measurements", "warpmill/gates", "warpmill/testing",
                 "warpmill/doors"),
    "documents": ("warpmill/report",),
}  # fmt: skip
"""The rooms of tests, and the folders of the product that each protects."""

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult, ast.Mod: ast.Add, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip


@dataclass(frozen=True)
class BrokenPlace:
    """A place of a file: lines from 1, columns in bytes, and what stands there instead."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    after: str

    @property
    def place(self) -> str:
        """Its file and line."""
        return f"{self.file}:{self.line}"

    def before(self, text: str) -> str:
        """What stands there in the text of its file."""
        start, end = self._span(text)
        return text.encode()[start:end].decode()

    def broken(self, text: str) -> str:
        """The text of its file, broken there."""
        start, end = self._span(text)
        whole = text.encode()
        return (whole[:start] + self.after.encode() + whole[end:]).decode()

    def _span(self, text: str) -> tuple[int, int]:
        lines = text.encode().split(b"\n")
        starts = [0]
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        return starts[self.line - 1] + self.column, starts[self.end_line - 1] + self.end_column


def places_of(file: str, text: str) -> list[BrokenPlace]:
    """All places of a file."""
    return [_place(file, node) for node in _breakable(text)]


def _breakable(text: str) -> list[ast.expr | ast.stmt]:
    return [node for node in _run_nodes(ast.parse(text)) if _can_break(node)]


def _place(file: str, node: ast.expr | ast.stmt) -> BrokenPlace:
    words = ast.unparse(ast.fix_missing_locations(_other(copy.deepcopy(node))))
    after = f"({words})" if isinstance(node, ast.expr) else words
    end = (node.end_lineno or 0, node.end_col_offset or 0)
    return BrokenPlace(file, node.lineno, node.col_offset, *end, after)


def _run_nodes(tree: ast.AST, inside: bool = False) -> Iterator[ast.AST]:
    """What runs inside of functions: no annotations, no parts of texts, no decorators."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns", "decorator_list", "args", "type_params"}:
            continue
        if isinstance(tree, ast.JoinedStr | ast.Raise | ast.Assert):
            continue
        below = inside or isinstance(tree, ast.FunctionDef)
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                if below:
                    yield child
                yield from _run_nodes(child, below)


def _can_break(node: ast.AST) -> TypeGuard[ast.expr | ast.stmt]:
    match node:
        case ast.Compare(ops=[one, *_]):
            return type(one) in _COMPARED
        case ast.BinOp(op=op):
            return type(op) in _COMPUTED and not _is_text(node)
        case ast.AugAssign(op=op):
            return type(op) in _COMPUTED
        case ast.Constant(value=int()) | ast.BoolOp() | ast.IfExp():
            return True
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _other(node: ast.AST) -> ast.AST:
    """What may stand in the place of a node that can be broken; it is changed."""
    match node:
        case ast.Compare(ops=[one, *rest]):
            node.ops = [_COMPARED[type(one)](), *rest]
        case ast.BinOp(op=op) | ast.AugAssign(op=op):
            node.op = _COMPUTED[type(op)]()
        case ast.BoolOp(op=joined):
            node.op = ast.Or() if isinstance(joined, ast.And) else ast.And()
        case ast.IfExp(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)
        case ast.UnaryOp(operand=operand):
            return operand
        case ast.Constant(value=bool(truth)):
            return ast.Constant(not truth)
        case ast.Constant(value=int(value)):
            return ast.Constant(value + 1)
    return node


def _is_text(node: ast.BinOp) -> bool:
    """Whether an operation is on texts, as far as its operands show."""
    sides = (node.left, node.right)
    return any(
        isinstance(side, ast.JoinedStr)
        or (isinstance(side, ast.Constant) and isinstance(side.value, str))
        for side in sides
    )


def room_of(file: str) -> str | None:
    """The room of tests that protects a file: that of the longest folder it stands in."""
    found = [
        (len(folder), room)
        for room, folders in ROOMS.items()
        for folder in folders
        if file.startswith(f"{folder}/")
    ]
    return max(found)[1] if found else None


def drawn(root: Path, number: int, seed: int, rooms: Sequence[str] = ()) -> list[BrokenPlace]:
    """Places drawn by seed, about as many of each room."""
    of: dict[str, list[tuple[str, ast.expr | ast.stmt]]] = {}
    for top in PRODUCT:
        for path in sorted((root / top).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            room = room_of(file)
            if room is not None and (not rooms or room in rooms):
                own = of.setdefault(room, [])
                own += [(file, node) for node in _breakable(path.read_text("utf-8"))]
    chance, chosen = random.Random(seed), []
    for place, room in enumerate(sorted(of)):
        share = number // len(of) + (place < number % len(of))
        chosen += chance.sample(of[room], min(share, len(of[room])))
    found = [_place(*one) for one in chosen]
    return sorted(found, key=lambda one: (room_of(one.file) or "", one.file, one.line, one.column))
