"""Shared options of commands: machines by name, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from warpmill.analyzer.base.diagnostics import Diagnostic, Faults, Severity, UsageError
from warpmill.analyzer.base.naming import nearest_names
from warpmill.cli.output import print_diagnostics
from warpmill.session.options import (
    DEFAULT_MACHINES,
    LaunchOptions,
    MachineOptions,
    SeveralTargets,
    TargetOptions,
)

if TYPE_CHECKING:
    from warpmill.simulator.machines import Machine
    from warpmill.simulator.machines.schema import Scalar
    from warpmill.sweeps.space import Axis, SweepSpace

Read = TypeVar("Read")


def machine_choice(given: Sequence[str] | None) -> tuple[str, ...]:
    """List the machines that were named, with commas or one by one, each once. UsageError."""
    names = [name.strip() for text in given or DEFAULT_MACHINES for name in text.split(",")]
    chosen = dict.fromkeys(machine_name("--machine", name) for name in names if name)
    if not chosen:
        raise UsageError("--machine names no machine")
    called: dict[str, str] = {}
    for name in chosen:
        other = called.setdefault(name.rpartition("/")[2].removesuffix(".toml"), name)
        if other != name:
            words = f"--machine {other},{name}: two machines of one name; give one file another"
            raise UsageError(words)
    return tuple(chosen)


def machines_given(
    given: Sequence[str] | None, settings: Sequence[str] | None
) -> tuple[list[Machine], dict[str, Scalar]]:
    """Load the machines that were named, with the values of --set. UsageError with all faults."""
    from warpmill.simulator.machines import load_machine, parse_overrides  # noqa: PLC0415 - slow to load
    from warpmill.simulator.machines.files import machine_names  # noqa: PLC0415

    faults = Faults()
    overrides = faults.of(lambda: parse_overrides(settings or ()))
    names, machines = machine_choice(given), []
    like: list[str] = []
    for name in names:
        found = faults.of(lambda name=name: load_machine(name, overrides))  # type: ignore[misc]
        near = (name,) if found is not None else nearest_names(name, machine_names())[:1]
        like += near
        machines += [] if found is None else [found]
    try:
        faults.check()
    except UsageError as error:
        fix = ("--machine", (",".join(dict.fromkeys(like)),)) if len(like) == len(names) else None
        known = overrides is not None and fix is not None
        raise UsageError(
            *(replace(d, fix=fix if known else None) for d in error.diagnostics)
        ) from None
    assert overrides is not None
    if overrides:
        from warpmill.simulator.machines.compare import contradictions  # noqa: PLC0415

        print_diagnostics(
            replace(told, message=f"{machine.name}: {told.message}")
            for machine in machines
            for told in contradictions(machine, load_machine(machine.chain[0]))
        )
    return machines, overrides


def check_together(made: Mapping[str, Any], faults: Faults) -> None:
    """See what else is wrong where some options are: with the machines, and with the target.

    An application would have to be run for that, and a file of results (.json) holds no kernels:
    both are let be.
    """
    from warpmill.session.jobs import is_application  # noqa: PLC0415
    from warpmill.session.prepare import prepare_all  # noqa: PLC0415 - slow to load

    of = {type(value): value for value in made.values()}
    machine, launch = of.get(MachineOptions), of.get(LaunchOptions)
    if machine is not None:
        faults.of(lambda: machines_given(machine.machines, machine.settings))
    source = of.get(TargetOptions) or of.get(SeveralTargets)
    if source is None or launch is None:
        return
    whole = replace(launch, launches="largest")  # which of them is meant says the command

    def prepared(target: str) -> None:
        prepare_all(target, source.kernel, whole, strict=source.strict)

    for target in source.targets if isinstance(source, SeveralTargets) else (source.target,):
        if not target.lower().endswith(".json") and not is_application(target):
            faults.of(lambda target=target: prepared(target))  # type: ignore[misc]


def read_together(target: str, jobs: Callable[[], object], *makes: Callable[[], Any]) -> list[Any]:
    """Read options by functions. What is wrong with any is said with all others that are.

    With them what is wrong with the target's jobs, unless that takes running an application.
    UsageError and InputError.
    """
    from warpmill.session.jobs import is_application  # noqa: PLC0415 - slow to load

    faults = Faults()
    made = [faults.of(make) for make in makes]
    if faults.found and not is_application(target):
        faults.of(jobs)
    faults.check()
    return made


def read_all(
    targets: Sequence[str],
    prepared: Callable[[str], tuple[Read, ...]],
    machines: Callable[[], tuple[list[Machine], dict[str, Scalar]]],
) -> tuple[list[Read], tuple[list[Machine], dict[str, Scalar]]]:
    """What is read of all targets, and the machines. UsageError, InputError with all faults."""
    faults = Faults()
    found = faults.of(machines)
    read = [faults.of(lambda target=target: prepared(target)) for target in targets]  # type: ignore[misc]
    faults.check()
    assert found is not None
    return [one for own in read for one in own or ()], found


def machine_name(option: str, typed: str) -> str:
    """The machine that a name means, with a note where it is spelt otherwise; files as is.

    A name that means none stays as it is: what loads it says so.
    """
    from warpmill.simulator.machines.files import machine_meant, packaged_file  # noqa: PLC0415
    from warpmill.simulator.machines.resolve import is_machine_file  # noqa: PLC0415

    if is_machine_file(typed):
        return typed
    try:
        found = machine_meant(typed)
    except UsageError:
        return typed
    if found.name != typed:
        product = packaged_file(found.name).entries["machine.name"].value
        words = f"{option} {typed} is taken to be {found.name} ({product})".lstrip()
        if found.others:
            words += f"; {' and '.join(found.others)} would fit, too"
        print_diagnostics([Diagnostic(Severity.NOTE, words)])
    return found.name


def with_machines_named(space: SweepSpace) -> SweepSpace:
    """A space with the machines of its axis named as ``machine_name`` names them."""

    def named(axis: Axis) -> Axis:
        if axis.name != "machine":
            return axis
        names = [machine_name("--over machine", str(typed)) for typed in axis.values]
        return replace(axis, values=tuple(dict.fromkeys(names)))

    return replace(space, axes=tuple(map(named, space.axes)))


def coordinates(option: str, text: str) -> tuple[int, int, int]:
    """Read ``3`` or ``3,1,0``; what is missing is 0. UsageError."""
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > 3 or not all(p.isascii() and p.isdigit() and len(p) < 12 for p in parts):
        raise UsageError(f"{option} {text}: one to three numbers from 0 are needed, such as 3,1")
    x, y, z = (*map(int, parts), 0, 0)[:3]
    return x, y, z
