"""What holds of launches for every value of their sizes: proofs by z3, where that is installed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from warpmill.analyzer.analyses.proofs.verdicts import (
    Counterexample,
    ProofKind,
    Proofs,
    ProofStatus,
    Verdict,
)
from warpmill.analyzer.analyses.ranges.assumptions import AssumedRange
from warpmill.analyzer.base.diagnostics import InputError, LimitError, Severity, UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.launch.read import resolve_launches
from warpmill.analyzer.traces.source import StaticSource
from warpmill.analyzer.traces.static.walk import WalkLimits
from warpmill.executor.sanitizers.findings import (
    WIDE_INDEX_HINT,
    Finding,
    FindingKind,
    FoundAccess,
    Tool,
)
from warpmill.session.jobs import Job

NOT_INSTALLED = "install warpmill[proofs] to have proofs"


@dataclass(frozen=True)
class LaunchProofs:
    """What is proven of a launch, which counts from 0."""

    job: Job
    number: int
    proofs: Proofs

    @property
    def answer(self) -> str:
        """How many accesses are in bounds, and for which sizes."""
        of = [v for v in self.proofs.verdicts if v.kind is ProofKind.BOUNDS]
        in_domain = [v for v in of if v.in_domain]
        proven = [v for v in of if v.status is ProofStatus.PROVEN]
        refuted = sum(map(_is_refuted, of))
        unknown = len(of) - len(proven) - sum(v.in_domain or _is_refuted(v) for v in of)
        words = domain_words(self.proofs, whole=not in_domain)
        counted = f"{len(proven) + len(in_domain):,} of {len(of):,} accesses"
        told = f"{counted} {_are(len(of))} in bounds for {words}"
        if refuted:
            told += f"; {refuted:,} {_are(refuted)} not for other sizes"
        if unknown:
            told += f"; {unknown:,} {_are(unknown)} unknown"
        return f"{demangle(self.job.kernel.name)}: {told}."


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _is_refuted(verdict: Verdict) -> bool:
    return verdict.status is ProofStatus.REFUTED


@dataclass(frozen=True)
class ProvenLaunches:
    """Proofs of the launches of a launch file; ``lacking`` says why there are none."""

    launches: tuple[LaunchProofs, ...] = ()
    lacking: str | None = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Counterexamples as warnings: they are for other sizes than those of the launches."""
        return tuple(found for launch in self.launches for found in _findings(launch))


def proven_launches(
    jobs: Sequence[Job] | None,
    ranges: Mapping[str, AssumedRange] = MappingProxyType({}),
    *,
    most: int | None = None,
) -> ProvenLaunches:
    """Proofs of launches; None: those of a program, which has no formulas of them.

    ``ranges`` are of sizes that have those values alone. ``most`` is the effort that each may take,
    in z3's units.
    """
    if jobs is None:
        return ProvenLaunches(lacking="proofs are of launch files, and of kernels with a launch")
    try:
        from warpmill.analyzer.analyses.proofs.accesses import prove  # noqa: PLC0415 - z3 is optional
    except ModuleNotFoundError:
        return ProvenLaunches(lacking=NOT_INSTALLED)
    asked = {name: (one.low, one.high) for name, one in ranges.items()}
    found = []
    for number, job in enumerate(jobs):
        launch = job.required_launch()
        proofs = prove(job.loaded.module, job.analysis.structure, launch, ranges=asked, most=most)
        verdicts = tuple(_confirmed(job, verdict) for verdict in proofs.verdicts)
        found.append(LaunchProofs(job, number, replace(proofs, verdicts=verdicts)))
    return ProvenLaunches(tuple(found))


def check_sizes(ranges: Mapping[str, AssumedRange], jobs: Sequence[Job]) -> None:
    """Refuse ranges of what is no size that proofs may choose. UsageError."""
    from warpmill.analyzer.analyses.proofs.launches import free_sizes  # noqa: PLC0415 - z3 is optional

    there = dict.fromkeys(name for job in jobs for name in free_sizes(job.required_launch()))
    unknown = [name for name in ranges if name not in there]
    if unknown:
        listed = f"its sizes are {', '.join(there)}" if there else "it has no sizes of its own"
        raise UsageError(
            *(
                f"--prove-for {name}={ranges[name]}: the launch has no size {name}; {listed}"
                for name in unknown
            )
        )


def _confirmed(job: Job, verdict: Verdict) -> Verdict:
    """A verdict that is refuted only where a walk of the example's CTA leaves the memory as well.

    The walk knows nothing of the proof: what the proof has misunderstood is unknown.
    """
    example = verdict.example
    if example is None:
        return verdict
    if verdict.kind is ProofKind.BOUNDS:
        is_so = _leaves(job, verdict, example)
    else:  # a walk tells nothing of it, and in loops an example may be one that is never come to
        is_so = not job.analysis.structure.loops.containing(verdict.place[0])
    if is_so:
        return verdict
    sizes = ", ".join(f"{name} = {value:,}" for name, value in example.sizes)
    reason = "an example is not confirmed" + (f": {sizes}" if sizes else "")
    return replace(verdict, status=ProofStatus.UNKNOWN, example=None, reason=reason)


def _leaves(job: Job, verdict: Verdict, example: Counterexample) -> bool:
    launch = job.required_launch()
    if launch.document is not None and example.sizes:
        sizes = dict(example.sizes)
        try:
            every = resolve_launches(launch.document, Path(launch.module).parent, sizes)
        except InputError:
            return False  # no such launch
        launch = every[int(launch.path[1])]
    other = job.with_launch(launch)
    limits = WalkLimits(visits=_MOST_VISITS)
    source = StaticSource(
        job.loaded.module, other.analysis.structure, launch, limits=limits, plan=other.analysis.plan
    )
    try:
        source.grouped([example.cta])
    except (InputError, LimitError):
        return False
    return verdict.place in source.reaches


_MOST_VISITS = 3000
"""Visits of blocks that a walk of an example may take: a second or two."""


# Counterexamples as findings: one for each memory of a launch, with the lines of all accesses.


def _findings(launch: LaunchProofs) -> Iterator[Finding]:
    kinds = {
        ProofKind.BOUNDS: FindingKind.OUT_OF_BOUNDS,
        ProofKind.ALIGNMENT: FindingKind.MISALIGNED,
    }
    alike: dict[tuple[ProofKind, str | None, bool], list[Verdict]] = {}
    for verdict in launch.proofs.verdicts:
        if _is_refuted(verdict) and verdict.kind in kinds:
            wraps = verdict.example is not None and verdict.example.wraps
            alike.setdefault((verdict.kind, verdict.memory, wraps), []).append(verdict)
    for (kind, _, wraps), verdicts in alike.items():
        yield _finding(launch, verdicts, FindingKind.WRAPPED_ADDRESS if wraps else kinds[kind])


def _finding(launch: LaunchProofs, verdicts: Sequence[Verdict], what: FindingKind) -> Finding:
    job, first = launch.job, verdicts[0]
    instructions = job.kernel.blocks[first.place[0]].instructions
    instruction, source = instructions[first.place[1]], job.loaded.source
    example = first.example
    assert example is not None
    opcode = instruction.operation.opcode
    others = [
        f"line {job.kernel.blocks[v.place[0]].instructions[v.place[1]].span.line}"
        for v in verdicts[1:]
    ]
    details = [f"so do {len(others)} other accesses: {', '.join(others[:_FEW])}"] if others else []
    if first.in_domain:
        details.append(f"Proven to hold for {domain_words(launch.proofs)}.")
    return Finding(
        tool=Tool.PROOFS,
        kind=what,
        severity=Severity.WARNING,
        kernel=job.kernel.name,
        launch=launch.number,
        message=f"for other sizes: `{opcode}` {_words(first, example)}",
        access=FoundAccess(
            what="access",
            instruction=first.place,
            opcode=opcode,
            file=source.name,
            span=instruction.span,
            excerpt=source.line(instruction.span.line),
            debug=instruction.debug,
            cta=example.cta,
            thread=example.thread,
            warp=None,
            bytes=instruction.operation.width_bytes,
        ),
        space=first.space,
        count=len(verdicts),
        details=tuple(details),
        hint=WIDE_INDEX_HINT if what is FindingKind.WRAPPED_ADDRESS else None,
    )


_FEW = 8


def _words(verdict: Verdict, example: Counterexample) -> str:
    sizes = ", ".join(f"{name} = {value:,}" for name, value in example.sizes)
    with_ = f" with {sizes}" if sizes else ""
    return (
        f"accesses byte {example.offset:,} of `{verdict.memory}`, which has {example.size:,} B"
        f"{with_}"
    )


def domain_words(proofs: Proofs, *, whole: bool = False) -> str:
    """The sizes for which all that holds in the domain does: ``every n up to 46,340``.

    ``whole``: those for which what is proven without a domain does.
    """
    if not proofs.sizes:
        return "every thread of the launch"
    domain = proofs.every if whole else proofs.domain
    multiples = dict(domain.multiples)
    asked = [
        f"{name} from {low:,} to {min(high, domain.most):,}" for name, low, high in domain.ranges
    ]
    others = [name for name in proofs.sizes if name not in {one[0] for one in domain.ranges}]
    by = [f"{name} a multiple of {multiples[name]:,}" for name in proofs.sizes if name in multiples]
    with_ = f", {' and '.join(by)}" if by else ""
    every = [*asked, *([f"{', '.join(others)} up to {domain.most:,}"] if others else [])]
    return f"every {' and '.join(every)}{with_}"
