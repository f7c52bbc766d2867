"""Registers and spills beside ptxas: pairs of kernels and targets, and kernels held to fewer.

Pairs are those that the samples' records have, and the PTX inputs of the front-end benchmark, each
put through ``ptxas -v`` for its target (texts for chips that ptxas no longer knows for the oldest
that it does), optimised and as a whole program, as a launch would have it. Where ptxas is absent
the samples remain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from warpmill.analyzer.analyses.cfg.graph import build_cfg
from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.analyzer.frontends.load import load, load_all
from warpmill.analyzer.ir.inline import inline_calls
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.machine_code.ptxas import FIGURES
from warpmill.benchmarks.benchmark import ROOT, say
from warpmill.benchmarks.checks import Found
from warpmill.benchmarks.frontend_inputs.assembler import Assemblers, chip_of
from warpmill.benchmarks.frontend_inputs.build import CACHE, Input, distinct, make
from warpmill.benchmarks.frontend_inputs.tools import ptxas_versions
from warpmill.benchmarks.static import RegisterPair, SpillCase
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.session.registers import recorded_registers
from warpmill.simulator.assembler.registers import RegisterCount, Spilled, register_pressure
from warpmill.simulator.machines import load_machine

WORKERS = 2
LIMITS = (24, 32, 40, 48, 64, 96, 128)
"""Registers that kernels are held to, by ``ptxas -maxrregcount`` and by the model."""
_ENTRY = re.compile(r"Compiling entry function '([^']+)'")


def register_pairs(quick: bool) -> Found:
    """The pairs of all inputs, one chip a kernel for a look; and what is missing or refused."""
    corpus = make(CACHE)
    inputs = [i for i in corpus.inputs if i.is_ptx]
    bitcode = [i for i in corpus.inputs if i.producer == "samples" and i.path.suffix == ".bc"]
    inputs = [*(distinct(inputs) if quick else inputs), *bitcode]
    rows, told = [], [*corpus.missing, *([] if ptxas_versions() else ["ptxas"])]
    with ProcessPoolExecutor(WORKERS) as pool:
        found = pool.map(rows_of, inputs, chunksize=2)
        for number, (given, (own, problem)) in enumerate(zip(inputs, found, strict=True), 1):
            rows += own
            told += [f"{given.name}: {problem[:200]}"] if problem else []
            if number % 50 == 0 or number == len(inputs):
                say(f"registers of {number} of {len(inputs)} files")
    return {"register_rows": tuple(rows), "missing": tuple(told)}


def rows_of(given: Input) -> tuple[list[RegisterPair], str]:
    """Estimate all kernels of an input for the targets that ptxas has counts for.

    With why it has none where it refuses the text, or the front-end does.
    """
    try:
        counts, problem = _known_counts(given)
        rows = [
            RegisterPair(
                producer=given.producer,
                file=given.name,
                kernel=kernel.name,
                target=target,
                flavour=given.flavour if given.is_ptx else "llvm",
                estimated=register_pressure(kernel, build_cfg(kernel), target),
                ptxas=count,
            )
            for loaded in (load_all(given.path) if counts else ())
            for kernel in (inline_calls(loaded.module, one).kernel for one in loaded.module.kernels)
            for target, count in counts.get(kernel.name, {}).items()
        ]
    except WarpmillError as error:
        return [], str(error)
    return rows, problem


def _known_counts(given: Input) -> tuple[dict[str, dict[str, int]], str]:
    """What ptxas says of an input's kernels by target, and why where it says nothing.

    The ptxas of the toolkit is asked, and the newest one about what the first does not take.
    """
    if given.producer == "samples":
        return recorded_counts(_counted_module(given.path)), ""
    assemblers, text, words = Assemblers(CACHE), given.path.read_text(), ""
    for tool in assemblers.tools:
        said = assemblers.ask(tool, text, "-v")
        if said.accepted:
            found = read_counts(said.output).items()
            return {name: {str(chip_of(text)): count} for name, count in found}, ""
        words = said.words
    return {}, words


def read_counts(text: str) -> dict[str, int]:
    """The registers of each kernel in what ``ptxas -v`` prints."""
    return {name: figures_of(text, name)["registers"] for name in _ENTRY.findall(text)}


def figures_of(said: str, kernel: str) -> dict[str, int]:
    """The figures of a kernel in what ``ptxas -v`` says; others have lines of their own."""
    own = said.rpartition(f"Function properties for {kernel}\n")[2]
    found = {key: pattern.search(own) for key, (_, pattern) in FIGURES.items()}
    return {key: int(match[1]) if match else 0 for key, match in found.items()}


def recorded_counts(file: Path) -> dict[str, dict[str, int]]:
    """What a sample's record has for the kernels of a module, where it is there and unchanged."""
    return {
        kernel.name: {
            f"sm_{chip}": count.registers_per_thread
            for chip, count in recorded_registers(loaded, kernel)[0].items()
        }
        for loaded in (load_all(file) if file.exists() else ())
        for kernel in loaded.module.kernels
    }


def _counted_module(file: Path) -> Path:
    """The PTX that a sample's counts are of: itself, or what clang or nvcc made of the IR."""
    if file.suffix == ".ptx":
        return file
    stem = file.name.removesuffix(file.suffix)
    clang = file.with_name(f"{stem}.sm_80.clang.ptx")
    return clang if clang.exists() else file.with_name(f"{stem}.sm_80.ptx")


# ------------------------------------------------------------------------------------- spills


def spill_cases() -> Iterator[SpillCase]:
    """The workloads' kernels at each limit below what ptxas gives them; none without ptxas.

    Kernels whose launch bounds have ptxas keep to other limits are left out.
    """
    files = sorted(ROOT.glob("samples/workloads/*/*.sm_80.ptx"))
    for path in files if ptxas_versions() else ():
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
    return figures_of(said.output, kernel.name)
