"""The direct road of calls of known functions on scalars: one instruction by the table."""

from __future__ import annotations

from collections.abc import Sequence

from warpmill.analyzer.frontends.llvm import calls
from warpmill.analyzer.frontends.llvm import statement as st
from warpmill.analyzer.frontends.llvm.context import ModuleContext
from warpmill.analyzer.frontends.llvm.lowering import Lowering
from warpmill.analyzer.frontends.llvm.scalar_plans import Get, Run, getter, number, result
from warpmill.analyzer.frontends.llvm.templates import direct
from warpmill.analyzer.frontends.llvm.text import unquoted
from warpmill.analyzer.frontends.llvm.types import VOID
from warpmill.analyzer.ir.kernel import Imm, Instruction, Operand, Special
from warpmill.analyzer.ir.operation import decode


def plan_of(module: ModuleContext, template: st.Template) -> Run | None:
    """The direct way of a call; which function it calls is looked up for each statement."""
    if not isinstance(template.callee, st.Global):
        return None
    slot = template.callee.slot
    known: dict[str, Run] = {}

    def run(low: Lowering, texts: Sequence[str]) -> None:
        name = texts[slot]
        way = known.get(name)
        if way is None:
            way = known[name] = _way(module, template, unquoted(name[1:])) or _handled
            mark = len(low.builder.out)
            way(low, texts)
            if calls.fits(low, mark):
                return
            del low.builder.out[mark:]
            way = known[name] = _handled
        way(low, texts)

    return run


def _handled(low: Lowering, texts: Sequence[str]) -> None:  # noqa: ARG001 - a plan takes both
    calls.lower_call(low, low.template)


def _dropped(low: Lowering, texts: Sequence[str]) -> None:
    """No instruction."""


def _way(module: ModuleContext, template: st.Template, callee: str) -> Run | None:
    if calls.is_dropped(callee):
        return _dropped
    rule = calls.plain_rule(module, callee)
    if rule is None or len(rule.emit) != 1 or rule.approximate or rule.emit32 is not None:
        return None
    scalars = [number(o.type) for o in template.operands]
    to = number(template.type)
    if None in scalars or (to is None and template.type != VOID):
        return None
    arguments = [s for s in scalars if s is not None]
    words = calls.spelled_words(module, rule, () if to is None else (to,), arguments)
    parts = direct(rule.emit[0], words)
    if parts is None:
        return None
    gets = [getter(module, o.value, s) for o, s in zip(template.operands, arguments, strict=True)]
    found = [g for g in gets if g is not None]
    if len(found) < len(gets):
        return None
    into = None if to is None else result(module, template, to)
    return None if to is not None and into is None else _filled(parts, found, into)


def _filled(parts: tuple[str, ...], gets: list[Get], into: Get | None) -> Run | None:
    """Arguments' registers appear before the result's; ``parts`` say where each one goes."""
    opcode, *words = parts
    picks = [_pick(word) for word in words]
    if any(p is None or (isinstance(p, int) and p >= len(gets)) for p in picks):
        return None
    if -1 in picks and into is None:
        return None
    operation = decode(opcode)
    if "ends" in operation.effects:
        return None

    def run(low: Lowering, texts: Sequence[str]) -> None:
        b = low.builder
        have = [get(b, texts) for get in gets]
        if into is not None:
            have.append(into(b, texts))
        operands = tuple([have[p] if isinstance(p, int) else p for p in picks])
        b.out.append(Instruction(operation, operands, b.span, None, (), b.debug))  # type: ignore[arg-type] # what is no number is an operand

    return run


def _pick(word: str) -> int | Operand | None:
    """An argument's number, -1 for the result, or an operand that the table writes out."""
    if word == "$d":
        return -1
    if word[0] == "$":
        return int(word[1:]) if word[1:].isdigit() else None
    if word[0] == "%":
        return Special(word[1:])
    return Imm(int(word)) if word.lstrip("-").isdigit() else None
