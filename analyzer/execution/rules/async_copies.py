"""Asynchronous copies to shared memory: done at once, which their groups and waits allow.

Source: PTX ISA 9.0, sections on cp.async. A kernel that reads what it has not waited for gets the
copied data here, where a GPU may give the old ones.
"""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.execution.emitter import Emitter, Value, constant
from analyzer.execution.memory import address, load, store
from analyzer.execution.rules.registry import refuses, rule
from analyzer.execution.step import Step
from analyzer.execution.structured import counted
from analyzer.ir.kernel import Address, Imm, Instruction, Operand
from analyzer.ir.types import Space

_WORD = 4  # bytes: the smallest copy


@rule("cp.async")
def cp_async(step: Step) -> None:
    """Copy 4, 8 or 16 bytes a lane; what lies past the source's size is zero."""
    to, source, size, *rest = step.instruction.operands
    assert isinstance(to, Address)
    assert isinstance(source, Address)
    assert isinstance(size, Imm)
    words = size.value // _WORD
    if "L2::cache_hint" in _parts(step.operation.opcode) and rest:
        rest = rest[:-1]
    where = address(step, source)
    if rest:
        values = _some(step, where, rest[0], words)
    else:
        values = load(step, Space.GLOBAL, where, "i32", words)
    store(step, Space.SHARED, address(step, to), values)


def _parts(opcode: str) -> list[str]:
    return opcode.split(".")


def _some(step: Step, where: Value, size: Operand, words: int) -> Sequence[Value]:
    """Load word by word what the source has: so many bytes, or nothing where it is ignored."""
    e = step.emitter
    given = step.read(size)
    if given.type == "i1":
        full = constant(words * _WORD, "i32")
        given = e.select(given, constant(0, "i32"), full)
    given = e.resize(given, "i32")
    values = []
    for k in range(words):
        begins = e.compare("ugt", given, constant(k * _WORD, "i32"))
        mask = e.op("and", step.mask, begins)
        place = e.op("add", where, constant(k * _WORD, where.type)) if k else where
        (word,) = load(step, Space.GLOBAL, place, "i32", mask=mask)
        left = e.call("llvm.usub.sat", given, constant(k * _WORD, "i32"))
        bits = e.call("llvm.umin", e.op("shl", left, constant(3, "i32")), constant(32, "i32"))
        wide = e.op("shl", constant(1, "i64"), e.resize(bits, "i64"))
        kept = e.resize(e.op("sub", wide, constant(1, "i64")), "i32")
        values.append(e.op("and", word, kept))
    return values


@rule("cp.async.commit_group", "cp.async.wait_group", "cp.async.wait_all")
def groups(step: Step) -> None:
    """Wait for nothing: copies are done when they are begun."""


@refuses("cp.async")
def _refuse(instruction: Instruction) -> str | None:
    simple = all(isinstance(o, Address) for o in instruction.operands[:2])
    return None if simple and isinstance(instruction.operands[2], Imm) else "of this form"


@rule("copy", "fill")
def block_memory(step: Step) -> None:
    """Copy, or fill with one value, so many bytes by each thread, one byte after another."""
    e = step.emitter
    to, given, size = step.instruction.operands
    assert isinstance(to, Address)
    spaces = step.operation.spaces
    target = e.vector(e.resize(address(step, to), "i64"))
    length = e.vector(e.resize(step.read(size), "i64"))
    longest = _longest(e, length, e.bits(step.mask))
    is_copy = step.operation.name == "copy"
    if is_copy:
        assert isinstance(given, Address)
        source = e.vector(e.resize(address(step, given), "i64"))
        value = source
    else:
        source = target
        value = e.vector(e.resize(step.read(given), "i8"))
    active = step.mask

    def one(k: Value) -> None:
        mask = e.op("and", active, e.compare("ult", k, length))
        byte = value
        if is_copy:
            (byte,) = load(step, spaces[-1], e.op("add", source, k), "i8", mask=mask)
        store(step, spaces[0], e.op("add", target, k), [byte], mask=mask)

    counted(e, constant(0, "i64"), longest, one)


def _longest(e: Emitter, length: Value, bits: Value) -> Value:
    """Give the greatest of a number over the lanes that are on."""
    kept = e.select(e.mask(bits), length, constant(0, "i64"))
    whole = e.vector_type("i64")
    symbol = f"@llvm.vector.reduce.umax.v{e.lanes}i64"
    e.module.declarations.setdefault(symbol, f"declare i64 {symbol}({whole})")
    return e.define(f"call i64 {symbol}({e.typed(kept)})", "i64", uniform=True)
