"""Measuring of benchmarks/frontends: checks of every input, ptxas's verdicts, speeds."""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

from warpmill.analyzer.base.diagnostics import Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.load import kernel_names, load
from warpmill.analyzer.ir.kernel import Module
from warpmill.analyzer.ir.operation import Knowledge, decode
from warpmill.benchmarks.benchmark import ROOT, Request, say
from warpmill.benchmarks.checks import Failure, Right, failures, right
from warpmill.benchmarks.frontend_inputs.assembler import Assemblers
from warpmill.benchmarks.frontend_inputs.build import CACHE, Input, distinct, make
from warpmill.benchmarks.frontends import FrontendsResult, ReadTime
from warpmill.benchmarks.frontends.reading import Record, check
from warpmill.benchmarks.frontends.whole_file import parse_whole

ROUNDS = 3
WORKERS = 2
LARGE_BYTES = 100_000
_TINY = ".version 8.0\n.target sm_80\n.address_size 64\n.entry k() {\n ret;\n}\n"


def measure(request: Request) -> FrontendsResult:
    """Make the inputs, check and time them; for a look one chip a kernel and one round."""
    corpus, assemblers = make(CACHE), Assemblers(CACHE)
    inputs = distinct(corpus.inputs) if request.quick else list(corpus.inputs)
    say(f"checking {len(inputs)} inputs")
    with ProcessPoolExecutor(WORKERS) as pool:
        records = list(pool.map(check, inputs, chunksize=4))
    told = [record for record in records if record.read_back is not None]
    unknown, names = _isa_names()
    taken, refused, not_taken = _assembled(inputs, records, assemblers)
    could_not = {record.name for record in records if record.read_back is None}
    read = [one for one in inputs if one.name not in could_not]  # others are failures already
    rounds = 1 if request.quick else ROUNDS
    large = [one for one in read if one.is_ptx and one.path.stat().st_size > LARGE_BYTES]
    modules = [one for one in read if one.path.suffix == ".bc"]
    return FrontendsResult(
        parsed=(sum(r.parsed for r in records), len(records)),
        counts_equal=(sum(r.equal for r in records), sum(r.functions for r in records)),
        ir_read_back=(sum(bool(r.read_back) for r in told), len(told)),
        isa_names_known=right(names, len(unknown)),
        ptxas_checked=taken,
        statements=sum(r.statements for r in records),
        exact=sum(r.exact for r in records),
        unknown=sum(r.unknown for r in records),
        ptx=ptx_times(distinct(large), rounds),
        bitcode=bitcode_times(modules, rounds, {r.name: r.statements for r in records}),
        refused_originals=tuple(refused),
        missing=(*corpus.missing, *(() if assemblers.tools else ("ptxas",))),
        failures=(
            *failures("made", (f"{name}: {words}" for name, words in corpus.refused)),
            *(Failure(check=what, words=f"{r.name}: {words}") for r in records
              for what, words in r.failures),
            *failures("isa_names_known", unknown),
            *failures("ptxas_checked", not_taken),
        ),
    )  # fmt: skip


def _assembled(
    inputs: Sequence[Input], records: Sequence[Record], assemblers: Assemblers
) -> tuple[Right | None, list[str], list[str]]:
    """Have every ptxas judge the originals and what was printed of them from the IR.

    How many are taken by each that takes the original; the originals that none takes, with its
    words; and those that are not taken. None without a ptxas.
    """
    if not assemblers.tools:
        return None, [], []
    pairs = [
        (given, record.reprinted)
        for given, record in zip(inputs, records, strict=True)
        if given.is_ptx and record.reprinted is not None
    ]
    say(f"ptxas on {2 * len(pairs)} texts")
    originals = assemblers.judge(given.path.read_text() for given, _ in pairs)
    printed = assemblers.judge(text for _, text in pairs)
    n_wrong, refused, wrong = 0, list[str](), list[str]()
    for (given, _), before, after in zip(pairs, originals, printed, strict=True):
        taken = [name for name, verdict in before.items() if verdict.accepted]
        if not taken:
            refused.append(f"{given.name}: {next(iter(before.values())).words}")
        own = [f"{given.name}, {n}: {after[n].words}" for n in taken if not after[n].accepted]
        n_wrong += bool(own)
        wrong += own
    return right(len(pairs) - len(refused), n_wrong), refused, wrong


def _isa_names() -> tuple[list[str], int]:
    """The manual's instructions that the opcode table lacks, and how many it has in all."""
    lines = (ROOT / "tests" / "frontends" / "isa_names.txt").read_text().splitlines()
    names = [name for name in (line.split("#")[0].strip() for line in lines) if name]
    return [name for name in names if decode(name).knowledge is not Knowledge.TABLE], len(names)


def ptx_module(text: str) -> Module:
    """Verified IR of all kernels of a text."""
    return ptx.parse(Source("benchmark", text)).module


def ptx_times(inputs: Sequence[Input], rounds: int) -> tuple[ReadTime, ...]:
    """Time three ways to read each text, one after the other in every round."""

    def ways(one: Input) -> tuple[Callable[[], object], ...]:
        text = one.path.read_text()
        return (
            partial(ptx_module, text),
            partial(parse_whole, text),
            partial(kernel_names, one.path),
        )

    parse_whole(_TINY)
    ptx_module(_TINY)
    return tuple(
        ReadTime(file=one.name, producer=one.producer, flavour=one.flavour, read_s=read,
                 work=one.path.stat().st_size / 1e6, lark_s=lark, scan_s=scan)
        for one, (read, lark, scan) in _times(inputs, ways, rounds)
    )  # fmt: skip


def bitcode_times(
    inputs: Sequence[Input], rounds: int, statements: Mapping[str, int] | None = None
) -> tuple[ReadTime, ...]:
    """Time reading bitcode to IR; the work of the child process counts."""
    for one in inputs[:3]:
        load(one.path)
    return tuple(
        ReadTime(file=one.name, producer=one.producer, flavour=one.flavour, read_s=read_s,
                 work=(statements or {}).get(one.name, 0))
        for one, (read_s,) in _times(inputs, lambda one: (partial(load, one.path),), rounds)
    )  # fmt: skip


def _times(
    inputs: Sequence[Input], ways: Callable[[Input], Sequence[Callable[[], object]]], rounds: int
) -> Iterator[tuple[Input, list[float]]]:
    """The median seconds of ways to read each input, in turn in every round."""
    spent: dict[Input, list[list[float]]] = {one: [] for one in inputs}
    for number in range(rounds):
        for one, own in spent.items():
            own.append([_seconds(way) for way in ways(one)])
        say(f"{len(inputs)} inputs timed, round {number + 1} of {rounds}")
    for one, own in spent.items():
        yield one, [median(each) for each in zip(*own, strict=True)]


def _seconds(call: Callable[[], object]) -> float:
    """Seconds of CPU time that a call takes."""
    gc.collect()
    start = _own_and_child_seconds()
    call()
    return _own_and_child_seconds() - start


def _own_and_child_seconds() -> float:
    """The CPU time of this process and of its children that still run (to 1 ns by Linux).

    Where the system does not tell it of a running child, real time takes the place.
    """
    try:
        pids = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        spent = [int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) for pid in pids]
    except OSError:
        return time.perf_counter()
    gone = os.times()
    return time.process_time() + sum(spent) / 1e9 + gone.children_user + gone.children_system
