"""Result of ``check``: a verdict, and every finding with the accesses that take part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from warpmill.analyzer.analyses.proofs.verdicts import Verdict
from warpmill.analyzer.base.diagnostics import Severity, SourcePlace
from warpmill.analyzer.base.metric import INTERNAL, Mark, Metric, derived
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.ir.kernel import Instruction
from warpmill.executor.sanitizers.findings import Finding, FoundAccess
from warpmill.gates.gate import GateRow, HeldGate
from warpmill.report.base import Id, Part, Report
from warpmill.report.words import plural
from warpmill.session.checking import CheckedRun
from warpmill.session.proofs import LaunchProofs, domain_words


class CheckedAccess(Part):
    """An access or event that takes part in a finding; ``value`` is in hexadecimal.

    ``source`` is the line that it was compiled from, null where the compiler recorded none.
    """

    found: Annotated[FoundAccess, INTERNAL]

    @derived("Access type")
    def what(self) -> str:
        """A load, a store, an atomic, a copy, a barrier."""
        return self.found.what

    @derived("Instruction")
    def opcode(self) -> str:
        """The opcode."""
        return self.found.opcode

    @derived("Line")
    def place(self) -> SourcePlace | None:
        """The line of the input."""
        span = self.found.span
        return None if span is None else span.place(self.found.file, "input")

    @derived("Source line")
    def source(self) -> SourcePlace | None:
        """The line that was compiled."""
        debug = self.found.debug
        return None if debug is None or not debug.line else debug.place

    @derived("CTA")
    def cta(self) -> tuple[Id, Id, Id] | None:
        """The place of the CTA in the grid; null where static analysis found it."""
        return self.found.cta

    @derived("Thread")
    def thread(self) -> tuple[Id, Id, Id] | None:
        """The place of the thread in the CTA; likewise."""
        return self.found.thread

    @derived("Warp")
    def warp(self) -> Id | None:
        """The number of the warp in the CTA; likewise."""
        return self.found.warp

    @derived("Size", "B")
    def bytes(self) -> int | None:
        """Bytes of one lane's access."""
        return self.found.bytes

    @derived("Value")
    def value(self) -> str | None:
        """The bits that were read or written; null where nobody knows."""
        return None if self.found.value is None else f"{self.found.value:#x}"

    @property
    def words(self) -> str:
        """What it is and whose: ``store by CTA (0,0,0) thread (1,0,0), value 0x5``."""
        if self.cta is None or self.thread is None:
            return self.what
        cta, thread = ("({},{},{})".format(*place) for place in (self.cta, self.thread))
        value = "" if self.value is None else f", value {self.value}"
        return f"{self.what} by CTA {cta} thread {thread}{value}"


class CheckFinding(Part):
    """A finding: what it is, where it first happened, and how often."""

    found: Annotated[Finding, INTERNAL]

    @derived("Tool")
    def tool(self) -> str:
        """The tool that found it."""
        return str(self.found.tool)

    @derived("Finding")
    def kind(self) -> str:
        """What it is."""
        return str(self.found.kind)

    @derived("Severity")
    def severity(self) -> str:
        """Error, warning or note."""
        return self.found.severity.value

    @derived("Message")
    def message(self) -> str:
        """All of it in one line."""
        return self.found.message

    @derived("Kernel")
    def kernel(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.found.kernel)

    @derived("Launch")
    def launch(self) -> Id:
        """The number of the first launch that has it, from 0."""
        return self.found.launch

    @derived("Launches")
    def launches(self) -> int:
        """How many launches have it."""
        return self.found.launches

    @derived("Access")
    def access(self) -> CheckedAccess | None:
        """The access or event."""
        return None if self.found.access is None else CheckedAccess(found=self.found.access)

    @derived("Conflicts with")
    def other(self) -> CheckedAccess | None:
        """The access before it that it conflicts with, of races."""
        return None if self.found.other is None else CheckedAccess(found=self.found.other)

    @derived("Space")
    def space(self) -> str | None:
        """The memory that it is in."""
        return None if self.found.space is None else self.found.space.value

    @derived("Address")
    def address(self) -> str | None:
        """The address in hexadecimal."""
        return None if self.found.address is None else f"{self.found.address:#x}"

    @derived("Nearest buffer")
    def nearest(self) -> str | None:
        """Where the address lies, in words."""
        return self.found.nearest

    @derived("Occurrences")
    def count(self) -> int:
        """How often it happened, by lanes."""
        return self.found.count

    @derived("Execution order")
    def schedule(self) -> Id:
        """The run that found it: 0 is the first, the others have other orders of warps and CTAs."""
        return self.found.schedule

    @derived("Details")
    def details(self) -> tuple[str, ...]:
        """Further lines."""
        return self.found.details

    @derived("Hint")
    def hint(self) -> str | None:
        """What to do next."""
        return self.found.hint


class CheckProof(Part):
    """A question about an instruction that is answered for all sizes of a launch.

    ``answer`` is proven, refuted or unknown, and ``reason`` says why it is unknown. ``in_domain``:
    what is refuted for some sizes is proven for those of ``domain``, the launch's among them.
    """

    launched: Annotated[LaunchProofs, INTERNAL]
    judged: Annotated[Verdict, INTERNAL]

    @derived("Launch")
    def launch(self) -> Id:
        """The number of the launch, from 0."""
        return self.launched.number

    @derived("Kernel")
    def kernel(self) -> str:
        """The kernel's name as its author wrote it."""
        return demangle(self.launched.job.kernel.name)

    @derived("Question")
    def kind(self) -> str:
        """What is to be proven."""
        return str(self.judged.kind)

    @derived("Answer")
    def answer(self) -> Literal["proven", "refuted", "unknown"]:
        """What came out."""
        return self.judged.status.value

    @property
    def _instruction(self) -> Instruction:
        block, place = self.judged.place
        return self.launched.job.kernel.blocks[block].instructions[place]

    @derived("Instruction")
    def opcode(self) -> str:
        """The opcode."""
        return self._instruction.operation.opcode

    @derived("Line")
    def place(self) -> SourcePlace:
        """The line of the input."""
        return self._instruction.span.place(self.launched.job.loaded.source.name, "input")

    @derived("Source line")
    def source(self) -> SourcePlace | None:
        """The line that was compiled."""
        debug = self._instruction.debug
        return None if debug is None or not debug.line else debug.place

    @derived("Buffer")
    def memory(self) -> str | None:
        """The buffer or variable; null where nobody knows which."""
        return None if self.judged.memory is None else demangle(self.judged.memory)

    @derived("In domain")
    def in_domain(self) -> bool:
        """Whether what is refuted holds for the sizes of the domain."""
        return self.judged.in_domain

    @derived("Domain")
    def domain(self) -> str:
        """The sizes for which it is proven, in words; of what is unknown, those that were tried."""
        return domain_words(self.launched.proofs, whole=not self.judged.in_domain)

    @derived("Sizes of the counterexample")
    def sizes(self) -> dict[str, int] | None:
        """Sizes for which it does not hold."""
        return None if self.judged.example is None else dict(self.judged.example.sizes)

    @derived("CTA of the counterexample")
    def cta(self) -> tuple[Id, Id, Id] | None:
        """The place of a CTA in the grid for which it does not hold."""
        return None if self.judged.example is None else self.judged.example.cta

    @derived("Thread of the counterexample")
    def thread(self) -> tuple[Id, Id, Id] | None:
        """The place of the thread in it."""
        return None if self.judged.example is None else self.judged.example.thread

    @derived("Offset of the counterexample", "B")
    def offset(self) -> int | None:
        """Bytes from the start of the buffer to where the thread accesses."""
        return None if self.judged.example is None else self.judged.example.offset

    @derived("Reason")
    def reason(self) -> str | None:
        """Why it is unknown."""
        return self.judged.reason


class CheckReport(Report):
    """What the sanitizers found in the launches of a target, and the figures that a gate held.

    ``complete`` is false where a fault ended the run before its end, something was executed that
    is not modelled (``not_checked`` says what), or a figure of the gate is unknown.
    """

    mark: ClassVar[Mark] = Mark.EXACT

    report: Literal["check"] = "check"
    target: Annotated[str, Metric("Target")]
    checked: Annotated[CheckedRun, INTERNAL]
    gate: Annotated[HeldGate | None, INTERNAL] = None

    @derived("Verdict")
    def verdict(self) -> Literal["clean", "warnings", "incomplete", "findings"]:
        """The worst that there is."""
        if self.errors:
            return "findings"
        if not self.complete:
            return "incomplete"
        return "warnings" if self.warnings else "clean"

    @property
    def sentence(self) -> str:
        """The answer in a sentence."""
        watched = " and ".join(self._looked_at())
        if self.verdict == "clean":
            return f"Clean: nothing was found in {watched}."
        counts = [(self.errors, "error"), (self.warnings, "warning")]
        told = " and ".join(f"{n:,} {word}{'' if n == 1 else 's'}" for n, word in counts if n)
        if self.verdict == "incomplete":
            words = told or "nothing was found"
            return f"Incomplete: {words} in {watched}, but not everything was checked."
        ended = " A fault ended the run there." if self.checked.ended_by_fault else ""
        return f"{told[0].upper()}{told[1:]} in {watched}.{ended}"

    def _looked_at(self) -> Iterator[str]:
        """Launches that ran, and figures that were held."""
        if self.tools:
            is_static = self.checked.limit is not None and not self.launches
            by_tools = f"{plural(self.launches, 'launch')}, by {', '.join(self.tools)}"
            if self.schedules > 1:
                by_tools = f"{by_tools}, in {self.schedules} schedules"
            yield "static analysis: nothing was executed" if is_static else by_tools
        if self.gate is not None:
            held = sum(row.figure is not None for row in self.figures)
            what = plural(held, "figure") if held else plural(len(self.figures), "kernel")
            yield f"{what}, by {', '.join(self.gates)}"

    @derived("Tools")
    def tools(self) -> tuple[str, ...]:
        """The tools that watched."""
        return tuple(map(str, self.checked.tools))

    @derived("Launches")
    def launches(self) -> int:
        """Launches that were watched."""
        return self.checked.launches

    @derived("Execution orders")
    def schedules(self) -> int:
        """Runs, each with another order of warps and CTAs."""
        return self.checked.schedules

    @derived("Complete")
    def complete(self) -> bool:
        """Whether everything was executed, and all of it checked."""
        return not self.why_incomplete

    @derived("Incomplete")
    def why_incomplete(self) -> tuple[str, ...]:
        """All reasons."""
        found = self.checked
        limit = () if found.limit is None else (found.limit,)
        ended = ("a fault ended the run",) if found.ended_by_fault else limit
        lost = (f"{self.lost:,} findings were not kept",) if self.lost else ()
        unknown = () if self.gate is None else self.gate.incomplete
        return (*ended, *self.not_checked, *lost, *unknown)

    @derived("Not checked")
    def not_checked(self) -> tuple[str, ...]:
        """What was executed and is not modelled by a tool."""
        return self.checked.not_checked

    @derived("Errors")
    def errors(self) -> int:
        """Findings that are errors, and figures that are worse or beyond their bounds."""
        return self._of(Severity.ERROR)

    @derived("Warnings")
    def warnings(self) -> int:
        """Findings that are warnings, and what asks for the baseline to be renewed."""
        return self._of(Severity.WARNING)

    @derived("Findings not kept")
    def lost(self) -> int:
        """Findings beyond those that are kept of each launch."""
        return self.checked.lost

    @derived("Findings")
    def findings(self) -> tuple[CheckFinding, ...]:
        """The findings in the order in which they came."""
        return tuple(CheckFinding(found=one) for one in self.checked.findings)

    @derived("Checks of figures")
    def gates(self) -> tuple[str, ...]:
        """Budget and baseline, where figures were held against them."""
        return () if self.gate is None else self.gate.gates

    @derived("Machines")
    def machines(self) -> tuple[str, ...]:
        """Machines and chips whose figures were held."""
        return () if self.gate is None else self.gate.machines

    @derived("Figures")
    def figures(self) -> tuple[GateRow, ...]:
        """Figures of kernels beside their bounds and beside the baseline."""
        return () if self.gate is None else self.gate.rows

    @derived("Notes")
    def notes(self) -> tuple[str, ...]:
        """What decides nothing: rules for other machines, other sources of registers."""
        return () if self.gate is None else self.gate.notes

    @derived("Baseline written")
    def updated(self) -> str | None:
        """The file that has the figures as they are; null where none was written."""
        return None if self.gate is None or not self.gate.updated else str(self.gate.updated)

    @derived("Approximations")
    def approximations(self) -> dict[str, int] | None:
        """Thread instructions of approximations, and of what flushes subnormals, by opcode.

        Null where numerics did not watch.
        """
        found = self.checked.approximations
        return None if found is None else dict(found)

    @derived("Proofs summary")
    def proven(self) -> tuple[str, ...]:
        """How many accesses of each launch are in bounds, and for which sizes."""
        return tuple(one.answer for one in self.checked.proven.launches)

    @derived("Proofs")
    def proofs(self) -> tuple[CheckProof, ...]:
        """Every question that was asked for all sizes, in order of the launches."""
        return tuple(
            CheckProof(launched=launch, judged=verdict)
            for launch in self.checked.proven.launches
            for verdict in launch.proofs.verdicts
        )

    def _of(self, severity: Severity) -> int:
        found = sum(one.severity is severity for one in self.checked.findings)
        return found + sum(row.severity == severity.value for row in self.figures)

    def fails(self, *, strict: bool = False) -> bool:
        """Whether the check fails: for errors, if ``strict`` for all that is not clean."""
        return self.verdict != "clean" if strict else self.errors > 0
