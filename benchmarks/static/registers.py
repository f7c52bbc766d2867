"""Registers and spills beside ptxas: pairs of kernels and targets, and kernels held to fewer.

Pairs are those that the samples' records have, and the PTX inputs of the front-end benchmark, each
put through ``ptxas -v`` for its target (texts for chips that ptxas no longer knows for the oldest
that it does), optimised and as a whole program, as a launch would have it. Where ptxas is absent
the samples remain.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.load import load, load_all
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.machine_code.ptxas import FIGURES
from warpmill.benchmarks.benchmark import say
from warpmill.benchmarks.frontend_inputs.assembler import Assemblers, chip_of
from warpmill.benchmarks.frontend_inputs.build import CACHE, Input, distinct, make
from warpmill.benchmarks.static import RegisterPair, SpillCase
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.registers import RegisterCount, Spilled, register_pressure
from warpmill.simulator.machines import load_machine

ROOT = Path(__file__).resolve().parents[2]
WORKERS = 2
RECORD = "artefacts.json"
LIMITS = (24, 32, 40, 48, 64, 96, 128)
"""Registers that kernels are held to, by ``ptxas -maxrregcount`` and by the model."""
_ENTRY = re.compile(r"Compiling entry function '(?P<name>[^']+)'")
_USED = re.compile(r"Used (?P<count>\d+) registers")
Count = tuple[str, str, int]
"""Kernel, target, registers."""


def register_pairs(quick: bool) -> tuple[list[RegisterPair], list[str]]:
    """The pairs of all inputs, one chip a kernel for a look; and what is missing or refused."""
    corpus = make(CACHE)
    inputs: Sequence[Input] = [i for i in corpus.inputs if i.is_ptx]
    inputs = distinct(inputs) if quick else inputs
    bitcode = (i for i in corpus.inputs if i.producer == "samples" and i.path.suffix == ".bc")
    inputs = [*inputs, *bitcode]
    rows, told = [], [*corpus.missing, *([] if Assemblers(CACHE).tools else ["ptxas"])]
    with ProcessPoolExecutor(WORKERS) as pool:
        found = pool.map(rows_of, inputs, chunksize=2)
        for number, (given, (own, problem)) in enumerate(zip(inputs, found, strict=True), 1):
            rows += own
            if problem:
                told.append(f"{given.name}: {problem[:200]}")
            if number % 50 == 0 or number == len(inputs):
                say(f"registers of {number} of {len(inputs)} files")
    return rows, told


def rows_of(given: Input) -> tuple[list[RegisterPair], str]:
    """Estimate all kernels of an input for the targets that ptxas has counts for.

    With why it has none where it refuses the text, or the front-end does.
    """
    counts, problem = _known_counts(given)
    rows = []
    try:
        for loaded in load_all(given.path) if counts else ():
            for whole in loaded.module.kernels:
                kernel = inline_calls(loaded.module, whole).kernel
                for _, target, count in (c for c in counts if c[0] == kernel.name):
                    rows.append(
                        RegisterPair(
                            producer=given.producer,
                            file=given.name,
                            kernel=kernel.name,
                            target=target,
                            flavour=given.flavour if given.is_ptx else "llvm",
                            estimated=register_pressure(kernel, build_cfg(kernel), target),
                            ptxas=count,
                        )
                    )
    except WarpmillError as error:
        return [], str(error)
    return rows, problem


def _known_counts(given: Input) -> tuple[list[Count], str]:
    """What ptxas says of an input's kernels, and why where it says nothing.

    The ptxas of the toolkit is asked, and the newest one about what the first does not take.
    """
    if given.producer == "samples":
        return list(recorded_counts(_counted_module(given.path))), ""
    assemblers, text, words = Assemblers(CACHE), given.path.read_text(), ""
    for tool in assemblers.tools:
        said = assemblers.ask(tool, text, "-v")
        if said.accepted:
            found = read_counts(said.output).items()
            return [(name, str(chip_of(text)), count) for name, count in found], ""
        words = said.words
    return [], words


def read_counts(text: str) -> dict[str, int]:
    """Read the registers of each kernel from what ``ptxas -v`` prints."""
    counts: dict[str, int] = {}
    name = None
    for line in text.splitlines():
        if entry := _ENTRY.search(line):
            name = entry["name"]
        elif (used := _USED.search(line)) and name is not None:
            counts[name], name = int(used["count"]), None
    return counts


def recorded_counts(file: Path) -> Iterator[Count]:
    """What a sample's record has for a module.

    Nothing where there is no such module, or it has changed since.
    """
    record = file.with_name(RECORD)
    if not file.exists():
        return
    entry = json.loads(record.read_text()).get(file.name, {}) if record.exists() else {}
    if entry.get("sha256") != hashlib.sha256(file.read_bytes()).hexdigest():
        return
    for kernel, targets in entry.get("ptxas", {}).get("kernels", {}).items():
        yield from ((kernel, target, facts["registers"]) for target, facts in targets.items())


def _counted_module(file: Path) -> Path:
    """The PTX that a sample's counts are of: itself, or what clang or nvcc made of the IR."""
    if file.suffix == ".ptx":
        return file
    stem = file.name.removesuffix(file.suffix)
    clang = file.with_name(f"{stem}.sm_80.clang.ptx")
    return clang if clang.exists() else file.with_name(f"{stem}.sm_80.ptx")


# ------------------------------------------------------------------------------------- spills


def spill_cases() -> list[SpillCase]:
    """The workloads' kernels at each limit below what ptxas gives them.

    Kernels whose launch bounds have ptxas keep to other limits are left out.
    """
    files = sorted((ROOT / "samples" / "workloads").glob("*/*.sm_80.ptx"))
    return [case for path in files for case in _cases(path)]


def _cases(path: Path) -> Iterator[SpillCase]:
    say(f"spills of {path.name}")
    for kernel in load(path).module.kernels:
        whole = _figures(path, kernel, 255)
        for limit in (one for one in LIMITS if one < whole["registers"]):
            told = _figures(path, kernel, limit)
            if told["registers"] <= limit:
                moved = told["spill_store_bytes"] + told["spill_load_bytes"]
                yield SpillCase(kernel=f"{path.name} {kernel.name}", limit=limit, ptxas=moved,
                                modelled=_modelled(path, kernel, limit))  # fmt: skip


def _modelled(path: Path, kernel: Kernel, limit: int) -> int:
    known = prepare(path, kernel.name, LaunchOptions()).analysis
    if limit >= known.register_demand.fewest:
        return 0
    count = RegisterCount(limit, "given", False, Spilled("given"))
    spills = known.kernel_facts.program(load_machine("a100"), count).spills
    return 0 if spills is None else spills.store_bytes + spills.load_bytes


def _figures(path: Path, kernel: Kernel, limit: int) -> dict[str, int]:
    assemblers = Assemblers(CACHE)
    options = "-v", "-e", kernel.name, f"-maxrregcount={limit}"
    said = assemblers.ask(assemblers.tools[0], path.read_text(), *options)
    if not said.accepted:
        raise SystemExit(f"{path.name}: {said.words}")
    own = said.output.rpartition(f"Function properties for {kernel.name}\n")[2]
    found = {key: pattern.search(own) for key, (_, pattern) in FIGURES.items()}
    return {key: int(match[1]) if match else 0 for key, match in found.items()}
