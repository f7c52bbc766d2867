"""Launches programs on the executor and holds the results against the oracles."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.naming import demangle
from warpmill.benchmarks.execution.compiled.model import (
    EXACT,
    Draw,
    Image,
    OnDevice,
    Outcome,
    Strided,
    is_whole,
    wide,
)
from warpmill.executor.host.cpu_device import CpuOptions
from warpmill.executor.host.device import Device

MAX_SECONDS = 120.0
"""Of execution: a launch that hangs is told as a failure."""

REFUSED = (
    (r"^`wgmma\.", "wgmma: matrix products of a warp group on descriptors of shared memory"),
    (r"^`tcgen05\.", "tcgen05: tensor memory and its matrix products"),
    (r"^`cp\.async\.bulk\.tensor|^`prefetch\.tensormap", "bulk copies by a tensor map"),
    (r"^`cp\.async\.bulk|^`cp\.reduce\.async\.bulk", "bulk copies"),
    (r"^`[\w.:]*cluster|^`mapa|%cluster_|::cluster", "clusters of CTAs"),
    (r"^`griddepcontrol", "launches that depend on one another"),
    ("calls through registers", "calls through a pointer"),
    (r"_Znwm|_ZdlPv", "operators new and delete, which clang leaves for a linker"),
    ("%reserved_smem_offset", "%reserved_smem_offset: memory that the driver keeps for itself"),
    ("complex_div", "a function of another module of numba's"),
)
"""What may be refused by name before anything runs, by the messages; no failure."""

_UNTOLD = re.compile(r"^void |nvcuda::wmma::|(?<=[ <])\((?:int|bool|unsigned int)\)")
"""What a demangled name has that the table leaves out: types of numbers, the one name space."""


def run(program, artefact, compiler):
    """Run one program with one artefact."""
    try:
        words = _differences(program, artefact)
        state = "wrong" if words else "right"
    except Exception as error:  # one that fails is told among the others
        reason = _reason(error)
        words = reason or f"{type(error).__name__}: {' '.join(str(error).split())}"[:400]
        state = "refused" if reason else "wrong"
    return Outcome(program.name, artefact.name, compiler, state, words)


def _reason(error):
    """Why a kernel is refused: the first reason, where all messages have one; '' otherwise."""
    reasons = [
        next((why for pattern, why in REFUSED if re.search(pattern, told.message)), "")
        for told in (error.diagnostics if isinstance(error, InputError) else ())
    ]
    return reasons[0] if reasons and all(reasons) else ""


def find(module, name):
    """The kernel whose demangled name, without result and parameters, is this one."""
    if not name:
        return module[module.kernel_names[0]]
    plain = {n: _UNTOLD.sub("", demangle(n)) for n in module.kernel_names}
    found = [n for n, p in plain.items() if name in {n, p} or p.startswith(f"{name}(")]
    if len(found) != 1:
        raise LookupError(f"kernel {name} is not there exactly once: {sorted(plain.values())}")
    return module[found[0]]


def drawn(program):
    """The arguments of a program, always the same ones."""
    rng = np.random.default_rng(zlib.crc32(program.name.encode()))
    given = program.inputs(rng) if callable(program.inputs) else program.inputs
    return [_drawn(one, rng) for one in given]


def _drawn(value, rng):
    match value:
        case Draw():
            return value.make(rng)
        case Strided() | Image():
            return replace(value, values=_drawn(value.values, rng))
    return value


def launched(device, program, artefact):
    """Launch; the launch, the arguments as they were given, and what they are on the device."""
    module = device.load(Path(artefact))
    kernel = find(module, (*program.name.split(":"), "")[1])
    given = drawn(program)
    for name, values in program.symbols.items():
        device.symbol(module, name, values.dtype, values.shape).set(values)
    passed = [_passed(device, value) for value in given]
    arguments = [one for _, own in passed for one in own]
    arguments += [None] * (len(kernel.kernel.parameters) - len(arguments))  # of Triton's own
    done = device.launch(kernel, program.grid, program.block, arguments, program.shared)
    return done, given, [there for there, _ in passed]


def _passed(device, value):
    """An argument on the device, and the parameters that it takes."""
    there = value
    match value:
        case Strided(array):
            there = device.array(array)
            sizes = [array.size, array.itemsize]
            return there, [None, None, *sizes, there, *array.shape, *array.strides]
        case Image(array):
            there = device.texture(array)
        case OnDevice(make):
            there = make(device)
        case np.ndarray():
            there = device.array(value)
        case np.complexfloating():
            return value, [value.real, value.imag]
    return there, [there]


def expected(program, given, artefact):
    """What the oracle says: by place, what is expected and how near it has to be."""
    known = [one.values if isinstance(one, Strided | Image) else one for one in given]
    if program.near is not EXACT:
        known = [_as_double(one) for one in known]
    named = [artefact.name] if program.by_artefact else []
    with np.errstate(all="ignore"):
        told = program.oracle(*named, *known)
    return {place: own if isinstance(own, tuple) else (own, program.near)
            for place, own in told.items()}  # fmt: skip


def _as_double(value):
    is_number = isinstance(value, np.ndarray | np.generic) and not value.dtype.names
    return wide(value) if is_number and not is_whole(value.dtype) else value


def _differences(program, artefact):
    """Launch; what is wrong with the results, '' where nothing is."""
    device = Device(record=False, options=CpuOptions(max_seconds=MAX_SECONDS))
    done, given, on_device = launched(device, program, artefact)
    problems = []
    for place, (wanted, near) in expected(program, given, artefact).items():
        got = done.counts.printed if place == "printed" else on_device[place].get()
        problem = compared(got, wanted, near)
        if problem:
            problems.append(f"argument {place}: {problem}")
    return "; ".join(problems)


def compared(got, wanted, near):
    """How results differ: the first place and how many; '' where they do not."""
    if callable(wanted):
        return "" if wanted(got) else "not as it should be"
    mask = np.ma.getmaskarray(wanted).reshape(-1)
    want, got = np.ma.getdata(wanted).reshape(-1), np.asarray(got).reshape(-1)
    if got.size != want.size:
        return f"{got.size} elements, not {want.size}"
    if near is EXACT and got.dtype.kind in "iub":
        wrong = got != want.astype(got.dtype)
    else:
        exact = want.astype(np.complex128 if np.iscomplexobj(want) else np.float64)
        wrong = ~np.isclose(got.astype(exact.dtype), exact, near.relative, near.absolute,
                            equal_nan=True)  # fmt: skip
    wrong &= ~mask
    if not wrong.any():
        return ""
    first = int(np.flatnonzero(wrong)[0])
    return f"{wrong.sum()} of {want.size} differ, first [{first}]: {got[first]} not {want[first]}"
