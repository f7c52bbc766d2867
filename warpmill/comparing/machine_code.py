"""Machine code of two builds: which kernels are compared, and what they take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.machine_code.cubins import Cubin, KernelResources
from warpmill.comparing.blocks import pair_names
from warpmill.session.prepare import machine_code_of


@dataclass(frozen=True)
class MachineKernels:
    """A kernel's resources in two builds, each in the machine code for a chip."""

    a: tuple[Cubin, KernelResources]
    b: tuple[Cubin, KernelResources]


@dataclass(frozen=True)
class PairedCode:
    """Kernels in the machine code of both builds, and those of one alone, in words."""

    pairs: tuple[MachineKernels, ...] = ()
    only_in_a: tuple[str, ...] = ()
    only_in_b: tuple[str, ...] = ()


def paired_code(
    paths: tuple[str, str], kernels: tuple[str | None, str | None]
) -> tuple[PairedCode, bool]:
    """Machine code of two files side by side, and whether there are texts to be compared as well.

    ``kernels`` are named as those of texts. InputError for a damaged binary, UsageError where one
    file has machine code alone and the other none.
    """
    names = (kernels[0], kernels[1] or kernels[0])
    found = [machine_code_of(path, name) for path, name in zip(paths, names, strict=True)]
    alone = [one is not None and bool(one.cubins) and not one.has_ptx for one in found]
    cubins = [() if one is None else one.cubins for one in found]
    for one, other in ((0, 1), (1, 0)):
        if alone[one] and not cubins[other]:
            words = f"{paths[one]} has machine code and no PTX, and {paths[other]} no machine code"
            hint = "compile with -gencode arch=compute_80,code=compute_80 to keep the PTX"
            raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    both = all(cubins)
    return pair_code(*cubins) if both else PairedCode(), not any(alone)


def pair_code(a: Sequence[Cubin], b: Sequence[Cubin]) -> PairedCode:
    """Pair kernels of one name and chip; where each side has one chip, whichever these are."""
    chips = [sorted({cubin.chip for cubin in side}) for side in (a, b)]
    partners = {chip: chip for chip in chips[0] if chip in chips[1]}
    if not partners and len(chips[0]) == len(chips[1]) == 1:
        partners = {chips[0][0]: chips[1][0]}
    pairs: list[MachineKernels] = []
    lone: tuple[list[str], list[str]] = ([], [])
    for chip in chips[0]:
        x, y = _of_chip(a, chip), _of_chip(b, partners.get(chip))
        named = pair_names(tuple(x), tuple(y))
        pairs += (MachineKernels(x[i], y[j]) for i, j in named)
        lone[0].extend(_words(x, chip, (i for i, _ in named)))
        lone[1].extend(_words(y, partners.get(chip), (j for _, j in named)))
    for chip in chips[1]:
        if chip not in partners.values():
            lone[1].extend(_words(_of_chip(b, chip), chip, ()))
    return PairedCode(tuple(pairs), tuple(lone[0]), tuple(lone[1]))


def _of_chip(cubins: Sequence[Cubin], chip: int | None) -> dict[str, tuple[Cubin, KernelResources]]:
    """The kernels of a chip by name."""
    own = [cubin for cubin in cubins if cubin.chip == chip]
    return {kernel.name: (cubin, kernel) for cubin in own for kernel in cubin.kernels}


def _words(names: Iterable[str], chip: int | None, taken: Iterable[str]) -> list[str]:
    known = set(taken)
    return [f"{demangle(name)}, machine code for sm_{chip}" for name in names if name not in known]
