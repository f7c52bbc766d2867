"""Conditions, loops and variables for generated code that is more than one straight line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpmill.executor.native.emitter import Emitter
from warpmill.executor.native.values import LlvmValue, constant


@dataclass(frozen=True)
class StackVariable:
    """A uniform value that changes: room on the stack for one number."""

    emitter: Emitter
    place: str
    type: str

    def get(self) -> LlvmValue:
        """Read it."""
        return self.emitter.define(f"load {self.type}, ptr {self.place}", self.type, uniform=True)

    def set(self, value: LlvmValue) -> None:
        """Write it."""
        self.emitter.raw(f"  store {self.type} {value.text}, ptr {self.place}")


def variable(e: Emitter, start: LlvmValue) -> StackVariable:
    """Make a variable with a value to start from."""
    made = StackVariable(e, e.array(start.type if start.type != "i1" else "i8"), start.type)
    made.set(start)
    return made


def when(
    e: Emitter,
    condition: LlvmValue,
    then: Callable[[], None],
    otherwise: Callable[[], None] | None = None,
) -> None:
    """Run one of two pieces of code by a uniform i1. Values made in them stay in them."""
    yes, no, after = e.label("then"), e.label("else"), e.label("after")
    e.branch(condition, yes, no if otherwise is not None else after)
    e.start(yes)
    then()
    e.jump(after)
    if otherwise is not None:
        e.start(no)
        otherwise()
        e.jump(after)
    e.start(after)


def loop_while(e: Emitter, condition: Callable[[], LlvmValue], body: Callable[[], None]) -> None:
    """Run ``body`` as long as ``condition``, written before each round, gives true."""
    head, inside, after = e.label("while"), e.label("do"), e.label("done")
    e.jump(head)
    e.start(head)
    e.branch(condition(), inside, after)
    e.start(inside)
    body()
    e.jump(head)
    e.start(after)


def counted(
    e: Emitter, start: LlvmValue, end: LlvmValue, body: Callable[[LlvmValue], None]
) -> None:
    """Run ``body`` for each integer from ``start`` below ``end``."""
    index = variable(e, start)

    def step() -> None:
        body(index.get())
        index.set(e.op("add", index.get(), constant(1, start.type)))

    loop_while(e, lambda: e.compare("ult", index.get(), end), step)
