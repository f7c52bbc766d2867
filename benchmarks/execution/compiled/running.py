"""Launches programs on the executor and holds the results against the oracles."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import numpy as np

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.naming import demangle
from warpmill.benchmarks.execution.compiled.model import (
    Image,
    OnDevice,
    Outcome,
    Strided,
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
    state, words = "right", ""
    try:
        words = _differences(program, artefact)
        state = "wrong" if words else "right"
    except InputError as error:
        reason = _reason(error)
        words = reason or f"InputError: {' '.join(str(error).split())}"[:400]
        state = "refused" if reason else "wrong"
    except Exception as error:  # one that fails is told among the others
        words, state = f"{type(error).__name__}: {' '.join(str(error).split())}"[:400], "wrong"
    return Outcome(program.name, artefact.name, compiler, state, words)


def _reason(error):
    """Why a kernel is refused: the first reason, where all messages have one; '' otherwise."""
    reasons = [
        next((why for pattern, why in REFUSED if re.search(pattern, d.message)), "")
        for d in error.diagnostics
    ]
    return reasons[0] if reasons and all(reasons) else ""


def find(module, name):
    """The kernel whose demangled name, without result and parameters, is this one."""
    names = module.kernel_names
    if not name:
        return module[names[0]]
    plain = {n: _UNTOLD.sub("", demangle(n)) for n in names}
    found = [n for n, p in plain.items() if name in {n, p} or p.startswith(f"{name}(")]
    if len(found) != 1:
        raise LookupError(f"kernel {name} is not there exactly once: {sorted(plain.values())}")
    return module[found[0]]


def launched(device, program, artefact):
    """Launch; the launch, the arguments as they were given, and what they are on the device."""
    module = device.load(Path(artefact))
    kernel = find(module, program.kernel)
    given = program.inputs(np.random.default_rng(zlib.crc32(program.name.encode())))
    for name, values in program.symbols.items():
        device.symbol(module, name, values.dtype, values.shape).set(values)
    on_device = [_passed(device, value) for value in given]
    pairs = zip(given, on_device, strict=True)
    arguments = [one for value, there in pairs for one in _flat(value, there)]
    arguments += [None] * (len(kernel.kernel.parameters) - len(arguments))  # of Triton's own
    done = device.launch(kernel, program.grid, program.block, arguments, program.shared)
    return done, given, on_device


def _differences(program, artefact):
    """Launch; what is wrong with the results, '' where nothing is."""
    device = Device(record=False, options=CpuOptions(max_seconds=MAX_SECONDS))
    done, given, on_device = launched(device, program, artefact)
    before = [v.values if isinstance(v, Strided) else v for v in given]
    with np.errstate(all="ignore"):
        if program.by_artefact:
            wanted = program.oracle(artefact.name, *before)
        else:
            wanted = program.oracle(*before)
    problems = []
    for place, expected in wanted.items():
        got = done.counts.printed if place == "printed" else on_device[place].get()
        problem = _compared(got, expected, program.near)
        if problem:
            problems.append(f"argument {place}: {problem}")
    return "; ".join(problems)


def _passed(device, value):
    match value:
        case Image():
            return device.texture(value.values)
        case OnDevice():
            return value.make(device)
        case Strided():
            return device.array(value.values)
        case np.ndarray() if value.ndim:
            return device.array(value)
    return value


def _flat(value, passed):
    """The parameters that an argument takes."""
    if isinstance(value, Strided):
        array = value.values
        sizes = [array.size, array.itemsize], [*array.shape, *array.strides]
        return [None, None, *sizes[0], passed, *sizes[1]]
    if isinstance(value, np.complexfloating):
        return [value.real, value.imag]
    return [passed]


def _compared(got, expected, near):
    """How results differ; the worst place and how many."""
    if callable(expected):
        found = expected(got)
        return (
            "" if found is True else f"not as it should be{'' if found is False else f': {found}'}"
        )
    mask = np.ma.getmaskarray(expected).reshape(-1)
    want = np.ma.getdata(expected).reshape(-1)
    got = np.asarray(got).reshape(-1)
    if got.size != want.size:
        return f"{got.size} elements, not {want.size}"
    if near.relative == near.absolute == 0 and got.dtype.kind in "iub":
        wrong = got != want.astype(got.dtype)
    else:
        exact = want.astype(np.complex128 if np.iscomplexobj(want) else np.float64)
        found = got.astype(exact.dtype)
        with np.errstate(all="ignore"):
            within = abs(found - exact) <= near.absolute + near.relative * abs(exact)
        wrong = ~(within | (found == exact) | (np.isnan(found) & np.isnan(exact)))
    wrong &= ~mask
    if not wrong.any():
        return ""
    first = int(np.flatnonzero(wrong)[0])
    return f"{wrong.sum()} of {want.size} differ, first [{first}]: {got[first]} not {want[first]}"
