"""What LLVM is asked for, in its own process: to check text, print bitcode, promote stack slots."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from warpmill.analyzer.base.source import Source
from warpmill.analyzer.frontends.llvm.child import Reply, TaskOutcome, ask, limits_for
from warpmill.analyzer.frontends.llvm.faults import bitcode_fault, refusal, text_fault

_MAGICS = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_BARRIERS = re.compile(r"\b(?:optnone|noinline)\b")
_SLOT = re.compile(
    r"= alloca (?:i\d+|half|bfloat|float|double|ptr(?: addrspace\(\d+\))?|<\d+ x [^>]+>)"
    r"(?:, align \d+)?(?:, addrspace\(\d+\))?(?:, !.*)?$",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Checked:
    """What LLVM sees in a module's text: functions with a body, and how many instructions each.

    ``instructions`` is None of a text that it printed itself. ``remark`` is what it says against
    debug information that it leaves out, empty where nothing.
    """

    instructions: Mapping[str, int] | None = None
    remark: str = ""


def check_text(source: Source) -> Checked:
    """Let LLVM parse and verify a module.

    Raise InputError with the line and column of LLVM's message.
    """
    reply = _of_text("check", source, source.text)
    return Checked(json.loads(reply.answer), _remark(reply))


def printed(source: Source) -> Source:
    """The module as LLVM prints it."""
    return Source(source.name, _of_text("reprint", source, source.text).answer, derived=True)


def promote(source: Source) -> tuple[Source, Checked]:
    """Turn stack slots into values (LLVM's ``sroa``) and give the text that LLVM prints.

    ``optnone`` and ``noinline`` are taken off first: they keep passes from touching a function.
    Raise InputError as ``check_text`` does.
    """
    lines = source.text.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(("attributes #", "define ")):
            lines[number] = _BARRIERS.sub(lambda found: " " * len(found[0]), line)
    reply = _of_text("promote", source, "\n".join(lines))
    return Source(source.name, reply.answer, derived=True), Checked(None, _remark(reply))


def _of_text(task: str, source: Source, text: str) -> Reply:
    """LLVM's answer to a task on a text whose lines and columns are those of ``source``."""
    if not text.strip():
        raise refusal(source.name, "the file is empty")
    if "\0" in text:
        raise refusal(source.name, "this is not text: it has zero bytes")
    try:
        data = text.encode()
    except UnicodeEncodeError as error:
        message = f"this is not text that LLVM reads: {error}"
        raise refusal(source.name, message) from None
    limits = limits_for(len(data))
    reply = ask(task, data, limits)
    if reply.outcome is not TaskOutcome.DONE:
        raise text_fault(source, reply, limits)
    return reply


def _remark(reply: Reply) -> str:
    return reply.said.split("\n", 1)[0].strip() if "invalid debug info" in reply.said else ""


def needs_promotion(text: str) -> bool:
    """Whether values live in stack slots, as compilers without optimisation leave them."""
    return "alloca" in text and _SLOT.search(text) is not None


def print_bitcode(data: bytes, name: str, time_limit_s: float | None = None) -> Source:
    """Give the text of a module in bitcode; ``name`` is what its diagnostics call it.

    Raise InputError where it is no bitcode, is damaged, or takes longer than the limit, which
    follows from its size unless it is given.
    """
    if not data:
        raise refusal(name, "the file is empty")
    if not data.startswith(_MAGICS):
        raise refusal(name, "this is not LLVM bitcode: it does not start with `BC`")
    limits = limits_for(len(data))
    if time_limit_s is not None:
        limits = limits._replace(seconds=time_limit_s)
    reply = ask("print", data, limits)
    if reply.outcome is not TaskOutcome.DONE:
        raise bitcode_fault(name, reply, limits)
    return Source(name, reply.answer, derived=True)
