"""Faults chosen by seed, planted, and checked: each a point of a study."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Any

from warpmill.benchmarks.benchmark import Request, put_aside, say
from warpmill.benchmarks.check import CLASSES, FITTING, CheckResult, PlantedFault
from warpmill.benchmarks.check.harmless import is_harmless
from warpmill.benchmarks.check.oracles import is_pattern_read
from warpmill.benchmarks.check.planting import (
    Checked,
    ExecutedKernel,
    Fault,
    Rule,
    TextEdit,
    check,
    edited,
    executed_kernels,
)
from warpmill.benchmarks.check.rules import barriers, masks, scopes, waits
from warpmill.benchmarks.check.subjects import Subject, subjects
from warpmill.benchmarks.check.value_rules import bounds, indices, initialisations
from warpmill.benchmarks.keeping import measured, results
from warpmill.studies.model import Evaluate, PointOutcome, StudyPoint
from warpmill.studies.places import default_store
from warpmill.studies.sources import sources_digest

RULES: Mapping[str, Rule] = {
    "barrier": barriers, "bound": bounds, "wait": waits, "mask": masks,
    "initialisation": initialisations, "index": indices, "scope": scopes,
}  # fmt: skip
"""The rule of each class."""

STUDY = "check"
SEED = 55
NUMBER, QUICK_NUMBER = 64, 3
"""Faults of a class, where there are so many places."""
MOST_OF_SUBJECT = 12
"""Faults of a class that one subject has at most."""
TRIED = frozenset({"bound", "initialisation", "index"})
"""Classes of which each fault is tried first: whether it matters, whether its counterpart is clean.

Of a subject so many are taken, of so many tried at most.
"""
MOST_OF_TRIED, MOST_TRIED = 3, 8
MOST_INSTRUCTIONS = 700
"""Kernels that are longer are left out: each fault of one would take seconds to compile."""
SOURCES = ("analyzer", "executor", "warpmill/session", "benchmarks/check")
QUICK = (
    "copies:four_stages", "histogram-buffer:tiny", "hotspot:tiny", "lanes:passing",
    "layer-norm:tiny", "meetings:last_block", "objects:bulk_tiles", "reduce",
)  # fmt: skip
"""What a glance plants faults in."""


def measure(request: Request) -> CheckResult:
    """Plant faults and run ``check``; what was interrupted goes on where it was."""
    classes = request.chosen(CLASSES)
    names = [name for name in subjects() if not request.quick or name in QUICK]
    aside = put_aside(subjects())
    points = [_point(name) for name in names]
    say(f"{len(points)} programs are looked through for places")
    places = _found(points, candidates, request)
    every = [_fault(one) for found in places for one in found["faults"]]
    number = QUICK_NUMBER if request.quick else NUMBER
    chosen = [one for name in classes for one in drawn(every, name, number)]
    say(f"{len(chosen)} faults are planted, of {len(every)}")
    rows = _found([_point(one.subject, fault=asdict(one)) for one in chosen], evaluate, request)
    faults = [PlantedFault(**row, is_aside=row["subject"] in aside) for row in map(_frozen, rows)]
    unclean = [one for found in places for one in found["unclean"]]
    return CheckResult(seed=SEED, faults=tuple(faults), unclean=tuple(unclean))


def _point(name: str, **others: Any) -> StudyPoint:
    digest = sources_digest(*SOURCES)
    return StudyPoint({"subject": name, "texts": _digest(name), "sources": digest, **others})


@cache
def _digest(name: str) -> str:
    texts = subjects()[name].texts
    return sha256("\0".join(texts[one] for one in sorted(texts)).encode()).hexdigest()[:16]


def _found(points: Sequence[StudyPoint], evaluated: Evaluate, request: Request) -> list[Any]:
    store = request.store or default_store()
    return results(measured(STUDY, store, points, evaluated, workers=request.workers, say=say))


def _fault(row: Mapping[str, Any]) -> Fault:
    edits = {name: tuple(TextEdit(**one) for one in row[name]) for name in ("edits", "counterpart")}
    return Fault(**{**row, **edits})


def _frozen(row: Mapping[str, Any]) -> dict[str, Any]:
    return {**row, "found_by": tuple(row["found_by"])}


def candidates(inputs: Mapping[str, Any]) -> PointOutcome:
    """The faults that a subject may have, and its kernels that have findings as they are."""
    subject = subjects()[inputs["subject"]]
    faults, unclean = faults_of(subject)
    rows = [asdict(one) for one in faults]
    return PointOutcome(facts={"result": {"faults": rows, "unclean": unclean}})


def faults_of(subject: Subject) -> tuple[list[Fault], list[str]]:
    """Faults by the rules, some of each class drawn by seed; kernels that are not clean."""
    kernels = executed_kernels(subject)
    dirty = _as_it_is(subject.name).unclean
    short = [one for one in kernels if one.instructions <= MOST_INSTRUCTIONS]
    clean = [one for one in short if one.kernel.name not in dirty]
    chosen: list[Fault] = []
    for name, rule in RULES.items():
        each = {one.key: one for kernel in clean for one in rule(kernel)}
        chosen += _chosen(subject, clean, name, each.values())
    return chosen, [f"{subject.name}: {one}" for one in sorted(dirty)]


def _chosen(
    subject: Subject, kernels: Sequence[ExecutedKernel], name: str, faults: Iterable[Fault]
) -> list[Fault]:
    """Some faults of a class; of those that an oracle chooses the first that it says matter."""
    mixed = _mixed(faults, f"{subject.name} {name}")
    if name not in TRIED:
        return mixed[:MOST_OF_SUBJECT]
    of = {one.kernel.name: one.kernel for one in kernels}

    def matters(fault: Fault) -> bool:
        if fault.counterpart:
            return _is_clean(subject, fault)
        return is_pattern_read(subject, of[fault.kernel], fault)

    return list(islice(filter(matters, mixed[:MOST_TRIED]), MOST_OF_TRIED))


def _is_clean(subject: Subject, fault: Fault) -> bool:
    """Whether what does right what a fault does wrong is right, and has no findings of its own."""
    text = edited(subject.texts[fault.module], fault.counterpart)
    texts = {**subject.texts, fault.module: text}
    found = check(subject, texts, fault.bias_bytes, is_right=True)
    return not found.problem and set(found.findings) <= set(_as_it_is(subject.name).findings)


def _mixed(faults: Iterable[Fault], words: str) -> list[Fault]:
    """Faults in an order drawn by seed, and words that tell draws apart."""
    ordered = sorted(faults, key=lambda one: one.key)
    return random.Random(f"{SEED} {words}").sample(ordered, len(ordered))


def drawn(faults: Sequence[Fault], fault_class: str, number: int) -> list[Fault]:
    """So many faults of a class: of each subject in turn the next one, as long as there are."""
    own: dict[str, list[Fault]] = {}
    for one in faults:
        if one.fault_class == fault_class:
            own.setdefault(one.subject, []).append(one)
    names = _shuffled(own, fault_class)
    turns = max(map(len, own.values()), default=0)
    in_turn = [own[name][turn] for turn in range(turns) for name in names if turn < len(own[name])]
    return in_turn[:number]


def _shuffled(names: Iterable[str], words: str) -> list[str]:
    ordered = sorted(names)
    return random.Random(f"{SEED} {words}").sample(ordered, len(ordered))


@cache
def _as_it_is(name: str) -> Checked:
    """What ``check`` says of a subject without a fault."""
    subject = subjects()[name]
    return check(subject, subject.texts)


def evaluate(inputs: Mapping[str, Any]) -> PointOutcome:
    """Whether a fault is found."""
    return PointOutcome(facts={"result": judged(_fault(inputs["fault"]))})


def judged(fault: Fault) -> dict[str, Any]:
    """Row of a fault: what finds it, and where nothing does whether it is harmless."""
    subject = subjects()[fault.subject]
    texts = subject.texts
    found = check(subject, fault.planted(texts), fault.bias_bytes)
    known = set(_as_it_is(fault.subject).findings)
    new = [one for one in found.findings if one not in known]
    return {
        "fault_class": fault.fault_class,
        "subject": fault.subject,
        "kernel": fault.kernel,
        "line": fault.line,
        "rule": fault.rule,
        "before": fault.before(texts),
        "after": fault.edits[0].after,
        "found_by": list(dict.fromkeys(f"{tool}: {kind}" for tool, kind, *_ in new)),
        "is_fitting": any(tool in FITTING[fault.fault_class] for tool, *_ in new),
        "harmless": None if new else is_harmless(fault),
        "problem": found.problem,
        "seconds": round(found.seconds, 2),
    }
