"""Gates of a target: its kernels' figures found, held, and the baseline renewed where asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from warpmill.gates.baseline import BaselineReport, load_baseline, renewed, save_baseline
from warpmill.gates.budget import BudgetRule, is_chip, machines_named, read_budget
from warpmill.gates.figures import (
    GateSubject,
    subjects_of_launches,
    subjects_of_machine_code,
)
from warpmill.gates.gate import GateRules, HeldGate, hold, missing
from warpmill.gates.options import TOLERANCE, GateOptions
from warpmill.session.options import (
    DEFAULT_MACHINES,
    LaunchOptions,
    RegisterSources,
    TargetOptions,
)
from warpmill.session.prepare import machine_code_of, prepare_all
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import Machine

if TYPE_CHECKING:
    from warpmill.executor.host.recording import Recording

LoadMachines = Callable[[Sequence[str]], Sequence[Machine]]


def held_gate(
    source: TargetOptions,
    launch: LaunchOptions,
    registers: RegisterSources,
    options: GateOptions,
    load: LoadMachines,
) -> HeldGate:
    """Hold the figures of a target's kernels as the options say; ``load`` reads machines by name.

    Of a binary the kernels are those of its machine code, and those that are launched where a
    launch is given. InputError and UsageError, located where they can be.
    """
    budget = None if options.budget is None else read_budget(options.budget)
    baseline = None
    if options.baseline is not None:
        baseline = load_baseline(options.baseline, update=options.update)
    machines = options.machines or _named(budget, baseline) or DEFAULT_MACHINES
    subjects, looked_at = _subjects(source, launch, registers, lambda: load(machines))
    rules = GateRules(
        budget=budget,
        baseline=_or_empty(baseline, options, source.target),
        tolerance=TOLERANCE if options.fail_over is None else options.fail_over,
        update=options.update,
        is_whole=source.kernel is None,
    )
    held = hold(rules, subjects, looked_at)
    if options.baseline is None or not options.update:
        return held
    gone = missing(rules, subjects, looked_at)
    save_baseline(options.baseline, renewed(baseline, source.target, subjects, gone))
    return replace(held, updated=options.baseline)


def _or_empty(
    baseline: BaselineReport | None, options: GateOptions, target: str
) -> BaselineReport | None:
    """The baseline; one without entries where it is made now."""
    if options.baseline is None or baseline is not None:
        return baseline
    return BaselineReport(target=target, entries=[])


def _named(budget: Sequence[BudgetRule] | None, baseline: BaselineReport | None) -> Sequence[str]:
    """The machines that a budget and a baseline name, each once; chips are none."""
    entries = () if baseline is None else baseline.entries
    names = [*machines_named(budget or ()), *(entry.machine for entry in entries)]
    return [name for name in dict.fromkeys(names) if not is_chip(name)]


def _subjects(
    source: TargetOptions,
    launch: LaunchOptions,
    registers: RegisterSources,
    machines: Callable[[], Sequence[Machine]],
) -> tuple[tuple[GateSubject, ...], list[str]]:
    """The kernels of a target, and the machines and chips that were looked at."""
    code = machine_code_of(source.target, source.kernel)
    found = () if code is None else subjects_of_machine_code(code.cubins)
    looked_at = list(dict.fromkeys(subject.machine for subject in found))
    if found and not launch.given:
        return found, looked_at
    jobs = prepare_all(source.target, source.kernel, launch, strict=source.strict)
    timed = machines()
    looked_at += [machine.name for machine in timed]
    return (*found, *subjects_of_launches(jobs, timed, registers)), looked_at


def held_recording(rules: Sequence[BudgetRule], recording: Recording, title: str) -> HeldGate:
    """Hold the figures of a recording's launches, each rule on the machine that it names.

    UsageError where there is no such machine; InputError as estimates give.
    """
    from warpmill.session.applications import Application  # noqa: PLC0415 - LLVM is slow to load

    machines = {rule.machine: load_machine(rule.machine) for rule in rules}
    made = Application(title, recording)
    jobs = [made.job(number) for number in range(len(made.launches))]
    named = {machine.name: machine for machine in machines.values()}
    subjects = subjects_of_launches(jobs, tuple(named.values()), RegisterSources())
    budget = [replace(rule, machine=machines[rule.machine].name) for rule in rules]
    return hold(GateRules(budget=budget), subjects, named)
