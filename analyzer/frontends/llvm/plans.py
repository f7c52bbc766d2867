"""Plans: what a statement of a given shape becomes, worked out once for each shape of a module.

Most statements work on scalars and become one instruction whose opcode the shape settles. Their
plan has a ``run`` that only fills registers and constants in; the others are left to the handlers
that know vectors, aggregates and constant expressions. Both give the same instructions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from warpmill.analyzer.frontends.llvm import call_plans, memory_plans, scalar_plans
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.spaces import carries_space
from warpmill.analyzer.frontends.llvm.syntax import Shape, SyntaxFault, parse_statement, shape_of
from warpmill.analyzer.frontends.llvm.types import Unsupported

Run = Callable[[Lowering, Sequence[str]], None]

# Same slots as shapes.py finds, for text without strings; split by it, a line falls into literals
# and slots without a call a slot. It starts with a set of characters, which searches fastest.
_SLOT = re.compile(
    r"([%@!#0-9+-]"
    r"(?:(?<=[%@])[-\w.$]+"
    r"|(?<=!)(?:[-\w.$\\]+)?"
    r"|(?<=\#)\d+"
    r"|(?<=[0-9+-])(?<![\w.$+-].)(?<!addrspace\(.)[\w.]*(?:(?<=[eE])[-+]\d+)?(?! +x\b)(?![\w.])))"
)
_KINDS = str.maketrans(dict.fromkeys("123456789+-", "0"))


class Plan(NamedTuple):
    """A shape's template; ``run`` lowers it directly, None asks for the opcode's handler."""

    template: st.Template
    run: Run | None = None
    carries: bool = False
    fault: str = ""


class Planner:
    """Finds the plan of each statement of a module, by the literals between its slots."""

    def __init__(self, module: ModuleContext) -> None:
        self._module = module
        self._types = module.type_names
        self._plans: dict[str, Plan | None] = {}

    def plan(self, text: str) -> tuple[Plan, Sequence[str]]:
        """The plan of a statement, and the texts of its slots."""
        if '"' in text:
            return self._slow(text)
        parts = _SLOT.split(text)
        texts = parts[1::2]
        kinds = "".join([t[0] for t in texts]).translate(_KINDS)
        key = "\0".join([kinds, *parts[::2]])
        plan = self._plans.get(key)
        if plan is not None:
            return plan, texts
        return self._barred(key, text, texts) if key in self._plans else self._new(key, text, texts)

    def _barred(self, key: str, text: str, texts: list[str]) -> tuple[Plan, Sequence[str]]:
        """Names of types among the slots belong to the shape: then it is found with them."""
        types = self._types
        names = [f"{place}{t}" for place, t in enumerate(texts) if t[1:] in types]
        if not names:
            return self._slow(text)
        key = "\0".join([key, *names])
        own = [t for t in texts if t[1:] not in types]
        plan = self._plans.get(key)
        if plan is not None:
            return plan, own
        if key in self._plans:
            return self._slow(text)
        shape = shape_of(text, types)
        plan, found = self._of_shape(text, shape)
        self._plans[key] = plan if list(shape.texts) == own else None
        return plan, found

    def _new(self, key: str, text: str, texts: list[str]) -> tuple[Plan, Sequence[str]]:
        """Where the quick cut is not the shape's, that way is barred for the same literals."""
        shape = shape_of(text, self._types)
        same = not self._named(texts) and list(shape.texts) == texts
        plan, found = self._of_shape(text, shape)
        self._plans[key] = plan if same else None
        return plan, found

    def _named(self, texts: Sequence[str]) -> bool:
        return bool(self._types) and any(t[1:] in self._types for t in texts)

    def _slow(self, text: str) -> tuple[Plan, Sequence[str]]:
        return self._of_shape(text, shape_of(text, self._types))

    def _of_shape(self, text: str, shape: Shape) -> tuple[Plan, Sequence[str]]:
        key = "\0\0" + shape.text
        plan = self._plans.get(key)
        if plan is not None:
            return plan, shape.texts
        try:
            template = parse_statement(text, shape, self._types)
        except SyntaxFault as fault:
            return Plan(
                st.Template("unknown"), fault=str(fault).removesuffix(" is not understood")
            ), ()
        try:
            run = plan_of(self._module, template)
        except Unsupported:
            run = None  # the slow way meets it too, and says so where it stands
        plan = self._plans[key] = Plan(template, run, carries_space(template))
        return plan, shape.texts


def plan_of(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way to lower statements of a shape; None where there is none."""
    if any(scalar_plans.is_odd(module, operand.type) for operand in template.operands):
        return None
    match template.opcode:
        case "load" | "store" | "getelementptr":
            return memory_plans.plan_of(module, template)
        case "call":
            return call_plans.plan_of(module, template)
    return scalar_plans.plan_of(module, template)
