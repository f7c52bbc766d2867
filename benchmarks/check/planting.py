"""Places of kernels that a launch executes, texts changed there, and runs of them by ``check``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError, LimitError, Source
from warpmill.analyzer.ir.kernel import Instruction, Kernel
from warpmill.benchmarks.check.subjects import Subject, Texts
from warpmill.executor.host.cpu_device import CpuBackend, CpuOptions
from warpmill.executor.host.device import Launched
from warpmill.executor.launching import Execution
from warpmill.executor.sanitizers.findings import Finding
from warpmill.session.checking import checked
from warpmill.session.options import RunOptions
from warpmill.session.runs import Run, cpu_options

LIMIT_S = 20.0
"""Seconds that a planted subject may execute for."""


MOST_VIRTUAL = 1 << 44
"""Bytes of memory that buffers may have which are enlarged: nobody touches most of them."""


@dataclass(frozen=True)
class TextEdit:
    """Columns of a line, as spans have them, and what stands there instead."""

    line: int
    column: int
    end_column: int
    after: str


@dataclass(frozen=True)
class Fault:
    """A fault of one of the classes: where it is planted, and how.

    ``counterpart`` are edits that do right what the fault does wrong, of faults that need a launch
    of their own; without any the subject as it is is the counterpart.
    """

    fault_class: str
    subject: str
    module: str
    kernel: str
    rule: str
    edits: tuple[TextEdit, ...]
    counterpart: tuple[TextEdit, ...] = ()
    bias_bytes: int = 0

    @property
    def line(self) -> int:
        """The line of the module where it is planted."""
        return self.edits[0].line

    @property
    def key(self) -> tuple[str, int, int, str]:
        """What is the same of the same change of the same place."""
        one = self.edits[0]
        return self.module, one.line, one.column, one.after

    def planted(self, texts: Texts) -> Texts:
        """The subject's modules with the fault."""
        return {**texts, self.module: edited(texts[self.module], self.edits)}

    def before(self, texts: Texts) -> str:
        """What stands at the place of the first edit."""
        one = self.edits[0]
        line = texts[self.module].split("\n")[one.line - 1]
        return line[one.column - 1 : one.end_column - 1]


def edited(text: str, edits: Iterable[TextEdit]) -> str:
    """A text with edits, which do not overlap; the lines keep their numbers."""
    lines = text.split("\n")
    for one in sorted(edits, key=lambda each: (each.line, each.column), reverse=True):
        line = lines[one.line - 1]
        lines[one.line - 1] = line[: one.column - 1] + one.after + line[one.end_column - 1 :]
    return "\n".join(lines)


@dataclass(frozen=True)
class Statement:
    """An instruction of a text that was executed: by so many warps and threads, guards aside."""

    instruction: Instruction
    block: int
    text: str
    warps: int
    threads: int
    ends_at: int

    def replaced(self, after: str) -> TextEdit:
        """Another statement in its place."""
        span = self.instruction.span
        return TextEdit(span.line, span.column, span.end_column, after)

    @property
    def removed(self) -> TextEdit:
        """Nothing in its place."""
        span = self.instruction.span
        return TextEdit(span.line, span.column, self.ends_at, "")


@dataclass(frozen=True)
class ExecutedKernel:
    """A kernel of a subject, with how often each block was executed over all launches.

    ``ctas`` are those of its largest launch, ``block`` the threads of a CTA there.
    """

    subject: str
    module: str
    kernel: Kernel
    source: Source
    warps: tuple[int, ...]
    threads: tuple[int, ...]
    ctas: int
    block: int

    @property
    def instructions(self) -> int:
        """How many it has."""
        return sum(len(block.instructions) for block in self.kernel.blocks)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What was executed and stands on one line of the text, each once, in order."""
        return tuple(self._statements())

    def _statements(self) -> Iterator[Statement]:
        seen = set()
        for block in self.kernel.blocks:
            if not self.warps[block.id]:
                continue
            for one in block.instructions:
                span = one.span
                line = self.source.line(span.line)
                end = line.find(";", span.end_column - 1)
                if span in seen or end < 0 or line[span.end_column - 1 : end].strip():
                    continue
                seen.add(span)
                yield Statement(
                    one,
                    block.id,
                    line[span.column - 1 : span.end_column - 1],
                    self.warps[block.id],
                    self.threads[block.id],
                    end + 2,
                )

    def fault(self, fault_class: str, rule: str, *edits: TextEdit, **others: Any) -> Fault:
        """A fault in it."""
        own = (fault_class, self.subject, self.module, self.kernel.name, rule)
        return Fault(*own, tuple(edits), **others)


Rule = Callable[[ExecutedKernel], Iterator[Fault]]
"""A rule finds the places of a kernel that it holds for, and what is planted there."""


def executed_kernels(subject: Subject) -> list[ExecutedKernel]:
    """The kernels that a subject launches. ValueError where its results are wrong."""
    run = subject.run(RunOptions(), subject.texts, checked=True)
    names = {text: name for name, text in subject.texts.items()}
    found: dict[tuple[str, str], ExecutedKernel] = {}
    for one in run.launches:
        own = _executed(subject, names[one.launched.kernel.loaded.source.text], one.launched)
        key = own.module, own.kernel.name
        found[key] = _together(found[key], own) if key in found else own
    return list(found.values())


def _executed(subject: Subject, module: str, launched: Launched) -> ExecutedKernel:
    execution = launched.counts.execution
    assert isinstance(execution, Execution)
    return ExecutedKernel(
        subject=subject.name,
        module=module,
        kernel=launched.kernel.kernel,
        source=launched.kernel.loaded.source,
        warps=tuple(map(int, execution.block_warps)),
        threads=tuple(map(int, execution.block_threads)),
        ctas=launched.ctas,
        block=launched.threads_per_cta,
    )


def _together(one: ExecutedKernel, other: ExecutedKernel) -> ExecutedKernel:
    sums = [
        tuple(a + b for a, b in zip(*pair, strict=True))
        for pair in ((one.warps, other.warps), (one.threads, other.threads))
    ]
    largest = max((one, other), key=lambda each: (each.ctas, each.block))
    return replace(largest, warps=sums[0], threads=sums[1])


FindingKey = tuple[str, str, str, frozenset[int]]
"""Tool, kind, kernel and lines of a finding: what tells it from others, whichever the launch."""


def key_of(finding: Finding) -> FindingKey:
    """The key of a finding."""
    accesses = [one for one in (finding.access, finding.other) if one is not None]
    lines = frozenset(one.span.line for one in accesses if one.span is not None)
    return finding.tool.value, finding.kind.value, finding.kernel, lines


@dataclass(frozen=True)
class Checked:
    """What ``check`` says of a subject: its findings by key, in order; why it did not come on.

    ``unclean`` are the kernels with findings, and those of which something is not checked.
    """

    findings: tuple[FindingKey, ...]
    unclean: frozenset[str] = frozenset()
    problem: str = ""
    seconds: float = 0.0


def check(subject: Subject, texts: Texts, bias: int = 0, *, is_right: bool = False) -> Checked:
    """Run all tools on a subject with these texts; its buffers begin ``bias`` bytes before.

    ``is_right``: ValueError where its results are wrong.
    """
    options = RunOptions(max_seconds=LIMIT_S)
    begin, problem = time.perf_counter(), ""
    findings: tuple[Finding, ...] = ()
    unchecked: tuple[str, ...] = ()

    def run(watched: RunOptions) -> Run:
        if bias:
            watched = replace(watched, max_memory_bytes=MOST_VIRTUAL)
            watched = replace(watched, device=BiasedBackend(cpu_options(watched), bias))
        return subject.run(watched, texts, checked=is_right)

    try:
        found = checked((), options, run)
        findings, unchecked = found.findings, found.not_checked
    except (LimitError, InputError) as error:
        problem = " ".join(str(error).split())[:200]
    keys = tuple(dict.fromkeys(map(key_of, findings)))
    unclean = {kernel for _, _, kernel, _ in keys} | {one.split()[-1] for one in unchecked}
    return Checked(keys, frozenset(unclean), problem, time.perf_counter() - begin)


class BiasedBackend(CpuBackend):
    """The executor, whose buffers begin ``bias`` bytes before what the host has of them."""

    def __init__(self, options: CpuOptions, bias: int) -> None:
        super().__init__(options)
        self._bias = bias

    def allocate(self, size: int, name: str | None, *, zeroed: bool) -> int:  # noqa: ARG002
        """New memory, all of it zero: to write down what is not defined would fill the memory."""
        return super().allocate(size + self._bias, name, zeroed=True) + self._bias

    def free(self, address: int) -> None:
        """Free memory with what comes before."""
        super().free(address - self._bias)
