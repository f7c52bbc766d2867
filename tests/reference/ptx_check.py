"""Runs forms of operations natively and holds their answers against the twins'."""

from dataclasses import dataclass

import numpy as np

from tests.reference.one_operation import compile_many
from tests.reference.ptx_forms import REGISTERS
from tests.reference.ptx_operands import LANES, RUNS, operands
from tests.reference.ptx_twins import answers, warp

BATCH = 64
"""Statements in one module: more take no less time each."""

UNTOUCHED = 0x5A
"""What fills destinations, to see that lanes that are off keep theirs."""


@dataclass(frozen=True)
class Verdict:
    """What became of a form: "right", "wrong", "no rule", "refused" or "error", and details."""

    form: object
    kind: str
    details: str = ""


@dataclass(frozen=True)
class Setting:
    """How forms are run: lanes of a warp, warps, from which source on all lanes have one value."""

    lanes: int = LANES
    runs: int = RUNS
    uniform_from: int | None = None


def check_forms(forms, setting=Setting()):
    """A verdict for each form, in order."""
    forms = list(forms)
    return [
        verdict
        for start in range(0, len(forms), BATCH)
        for verdict in _check_batch(forms[start : start + BATCH], setting)
    ]


def _check_batch(forms, setting):
    try:
        batch = compile_many(*statements(forms), setting.lanes, _uniform_names(forms, setting))
    except Exception as error:  # LLVM's or the parser's; found by halving
        if len(forms) == 1:
            return [Verdict(forms[0], "error", f"{type(error).__name__}: {error}"[:500])]
        half = len(forms) // 2
        return [*_check_batch(forms[:half], setting), *_check_batch(forms[half:], setting)]
    return [_judge(batch, n, form, setting) for n, form in enumerate(forms)]


def _uniform_names(forms, setting):
    """The registers of sources that all lanes share."""
    if setting.uniform_from is None:
        return frozenset()
    return frozenset(
        f"%x{number}_{sum(p.is_register for p in form.places[:k])}"
        for number, form in enumerate(forms)
        for k in range(len(form.destinations) + setting.uniform_from, len(form.places))
        if form.places[k].is_register
    )


def statements(forms):
    """Write statements with registers of their own, and the registers' declarations."""
    lines, declarations = [], []
    for number, form in enumerate(forms):
        places = [p for p in form.places if p.is_register]
        names = [f"%x{number}_{k}" for k in range(len(places))]
        lines.append(form.text(names))
        declarations += [
            f".reg .{REGISTERS[p.bits]} {n};" for p, n in zip(places, names, strict=True)
        ]
    return lines, "\n".join(declarations)


def _judge(batch, number, form, setting):
    problem = batch.problems.get(number)
    if problem:
        kind = {"no rule": "no rule", "refused": "refused"}.get(problem.partition(":")[0], "error")
        return Verdict(form, kind, problem)
    sources = operands(form, setting.runs, setting.lanes)
    active = active_lanes(form, setting.runs, setting.lanes)
    _share(form, sources, setting)
    _set_members(form, sources, active, (1, 1, 2, 4) if setting.uniform_from is None else (1,))
    got = _run(batch, number, form, sources, active)
    wanted = answers(form, sources, active)
    return _compare(form, sources, active, wanted, got)


def active_lanes(form, runs, lanes):
    """The lanes that are on in each run: all, or in some runs of each kind a part."""
    active = np.ones((runs, lanes), bool)
    rng = np.random.default_rng(runs * lanes)
    is_warp = form.operation in warp.TWINS
    for run in range(1, runs, 4) if is_warp else [runs - 1]:
        active[run] = rng.random(lanes) < 0.6
        active[run, rng.integers(lanes)] = True
    return active


def _set_members(form, sources, active, divisions):
    """Write the members masks: all that are on, or as many groups as ``divisions`` tell in turn."""
    for values, place in zip(sources, form.sources, strict=True):
        if place.domain == "members":
            rows = values.reshape(active.shape)
            for run, on in enumerate(active):
                groups = divisions[run % len(divisions)]
                for k in range(active.shape[1]):
                    alike = [j for j in range(active.shape[1]) if (j ^ k) % groups == 0 and on[j]]
                    rows[run, k] = sum(1 << j for j in alike)


def _share(form, sources, setting):
    """All lanes of a run the value of its lowest, in the sources that are uniform."""
    if setting.uniform_from is None:
        return
    for values, place in list(zip(sources, form.sources, strict=True))[setting.uniform_from :]:
        if place.is_register:
            rows = values.reshape(setting.runs, setting.lanes, *values.shape[1:])
            rows[:] = rows[:, :1]


def _run(batch, number, form, sources, active):
    frames = batch.frames(active.shape[0])
    frames[:] = UNTOUCHED
    names = iter([f"%x{number}_{k}" for k in range(len(form.places))])
    places = [(p, "cc" if p.type == "cc" else next(names)) for p in form.places if _is_kept(p)]
    inputs = places[len(form.destinations) :]
    given = [s for s, p in zip(sources, form.sources, strict=True) if _is_kept(p)]
    for (_, name), values in zip(inputs, given, strict=True):
        batch.put(frames, name, values)
    masks = [sum(1 << k for k, on in enumerate(row) if on) for row in active]
    outputs = [name for _, name in places[: len(form.destinations)]]
    before = [batch.get(frames, n) for n in outputs]
    batch.run(number, frames, masks)
    return [(b, batch.get(frames, n)) for b, n in zip(before, outputs, strict=True)]


def _is_kept(place):
    return place.is_register or place.type == "cc"


def _compare(form, sources, active, wanted, got):
    on = active.reshape(-1)
    for place, want, (before, after) in zip(form.destinations, wanted, got, strict=True):
        right = want.agrees(after) | ~on
        if not right.all():
            return Verdict(form, "wrong", _first_wrong(place, sources, want, after, right))
        kept = (before == after) | on[:, None] if after.ndim == 2 else (before == after) | on
        if not kept.all():
            return Verdict(form, "wrong", "lanes that are off were written")
    return Verdict(form, "right")


def _first_wrong(place, sources, want, after, right):
    k = int(np.argmin(right))
    share = f"{int((~right).sum())} of {right.size}"
    given = ", ".join(_bits(s[k]) for s in sources)
    return f"{share} {place.type}: of ({given}) got {_bits(after[k])}, expected {want.shown(k)}"


def _bits(value):
    return "_".join(f"{int(v):#x}" for v in np.atleast_1d(value)[::-1])
