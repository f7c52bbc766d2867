"""Measuring of benchmarks/frontends: checks of every input, ptxas's verdicts, speeds."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from benchmarks.benchmark import Request, say
from benchmarks.checks import Failure, Right, failures, right
from benchmarks.frontend_inputs.assembler import Assemblers
from benchmarks.frontend_inputs.build import CACHE, Input, distinct, make
from benchmarks.frontends import BitcodeTime, FrontendsResult, PtxTime, speeds
from benchmarks.frontends.reading import Record, check
from warpmill.analyzer.ir.operation import Knowledge, decode

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 3
WORKERS = 2


def measure(request: Request) -> FrontendsResult:
    """Make the inputs, check and time them; for a look one chip a kernel and one round."""
    corpus, assemblers = make(CACHE), Assemblers(CACHE)
    inputs = distinct(corpus.inputs) if request.quick else list(corpus.inputs)
    records = _checked(inputs)
    told = [record for record in records if record.read_back is not None]
    unknown, names = _isa_names()
    taken, refused, not_taken = _assembled(inputs, records, assemblers)
    could_not = {record.name for record in records if record.read_back is None}
    read = [one for one in inputs if one.name not in could_not]  # others are failures already
    ptx, bitcode = _timed(read, records, 1 if request.quick else ROUNDS)
    return FrontendsResult(
        parsed=(sum(r.parsed for r in records), len(records)),
        counts_equal=(sum(r.equal for r in records), sum(r.functions for r in records)),
        ir_read_back=(sum(bool(r.read_back) for r in told), len(told)),
        isa_names_known=right(names, len(unknown)),
        ptxas_checked=taken,
        statements=sum(r.statements for r in records),
        exact=sum(r.exact for r in records),
        unknown=sum(r.unknown for r in records),
        ptx=ptx,
        bitcode=bitcode,
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


def _checked(inputs: Sequence[Input]) -> list[Record]:
    """Check every input, two at a time."""
    records = []
    with ProcessPoolExecutor(WORKERS) as pool:
        for number, record in enumerate(pool.map(check, inputs, chunksize=4), start=1):
            records.append(record)
            if number % 50 == 0 or number == len(inputs):
                say(f"checked {number} of {len(inputs)}")
    return records


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
    lines = (ROOT / "tests" / "contract" / "isa_names.txt").read_text().splitlines()
    names = [name for name in (line.split("#")[0].strip() for line in lines) if name]
    return [name for name in names if decode(name).knowledge is not Knowledge.TABLE], len(names)


def _timed(
    inputs: Sequence[Input], records: Sequence[Record], rounds: int
) -> tuple[tuple[PtxTime, ...], tuple[BitcodeTime, ...]]:
    """Time both front-ends on the inputs that they read."""
    statements = {record.name: record.statements for record in records}
    ptx = [
        PtxTime(
            file=one.given.name, producer=one.given.producer, flavour=one.given.flavour,
            size_bytes=one.size_bytes, read_s=one.median("read"), lark_s=one.median("lark"),
            scan_s=one.median("scan"),
        )
        for one in speeds.ptx_times(distinct(speeds.large(inputs)), rounds)
    ]  # fmt: skip
    bitcode = [
        BitcodeTime(file=one.given.name, producer=one.given.producer,
                    statements=statements[one.given.name], read_s=one.median("read"))
        for one in speeds.bitcode_times([i for i in inputs if i.path.suffix == ".bc"], rounds)
    ]  # fmt: skip
    return tuple(ptx), tuple(bitcode)
