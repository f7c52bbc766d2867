"""Damaged files end in an answer or a clean error, and the fuzzer that shows it sees failures."""

import os
import signal
import struct
import sys
import time
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, Span
from warpmill.analyzer.base.zstd import zstd
from warpmill.analyzer.machine_code import binaries
from warpmill.analyzer.machine_code.binaries import MAGIC, ptx_images
from warpmill.benchmarks.benchmark import ROOT, Measured
from warpmill.benchmarks.fuzz_frontends import BENCHMARK, FuzzResult, commands, measuring
from warpmill.benchmarks.fuzz_frontends import check as checks
from warpmill.benchmarks.fuzz_frontends.check import (
    ACCEPTED,
    BAD_OUTPUT,
    REJECTED,
    TRACEBACK,
    UNLOCATED,
    Found,
)
from warpmill.benchmarks.fuzz_frontends.measuring import (
    SLOW,
    confirmed,
    failure_group,
    failures,
    grouped,
    keep,
    row,
    shrunk,
)
from warpmill.benchmarks.fuzz_frontends.mutate import mutated
from warpmill.benchmarks.fuzz_frontends.seeds import SUFFIXES, seeds
from warpmill.benchmarks.fuzz_frontends.workers import CRASH, HANG, Pool, Task

MUTATIONS = {"ptx": 30, "llvm": 30, "bitcode": 8, "binary": 30}
READ = tuple(MUTATIONS)
COMMANDS = {
    "ptx-statements": 5,
    "llvm-statements": 4,
    "launch": 5,
    "recording": 5,
    "trace": 4,
    "machine": 4,
    "options": 8,
}
"""Of each kind that commands run on, so many mutations are tried here, in this process."""
SECONDS = 4.0  # a worker that allocates much is no hanging one, on a busy machine either


def misbehave(path, frontend, number):
    """Stand for a front-end that is wrong in as many ways as there are."""
    data = path.read_bytes()
    if b"die" in data:
        os.kill(os.getpid(), signal.SIGKILL)
    if b"loop" in data:
        while True:
            time.sleep(0.01)
    if b"large" in data:
        bytearray(300 << 20)
    return Found(TRACEBACK, "here") if b"raise" in data else Found(ACCEPTED)


def given(*files):
    return [Task("ptx", 0, number, data) for number, data in enumerate(files)]


def test_every_kind_is_tried():
    assert {*READ, *COMMANDS} == set(SUFFIXES)


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_commands_on_mutated_forms_end_in_an_answer_or_a_clean_error(kind, tmp_path):
    path = tmp_path / f"case{SUFFIXES[kind]}"
    found = []
    for number in range(COMMANDS[kind]):
        path.write_bytes(mutated(kind, 0, number)[1])
        found.append(checks.check(path, kind, number))
    assert [f for f in found if f.kind not in (ACCEPTED, REJECTED)] == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_commands_take_what_mutations_begin_at(kind, tmp_path):
    path = tmp_path / f"case{SUFFIXES[kind]}"
    for seed in seeds(kind):
        path.write_bytes(seed.data)
        assert checks.check(path, kind, 0).kind in (ACCEPTED, REJECTED), seed.name


def said(code, out, err, monkeypatch):
    """How a command is judged that ends so."""

    def ended(_words):
        print(out, end="")
        print(err, end="", file=sys.stderr)
        return code

    monkeypatch.setattr(commands, "main", ended)
    return commands._ended(("run", "case.ptx", "--format", "json"), Path.cwd() / "case.ptx").kind


TRACED = f'  File "{ROOT}/analyzer/x.py", line 3, in f\ninternal error: KeyError: 1\n'


@pytest.mark.parametrize(
    ("code", "out", "err", "kind"),
    [
        (0, "{}", "", ACCEPTED),
        (0, '{"a": NaN}', "", BAD_OUTPUT),
        (0, "half", "", BAD_OUTPUT),
        (2, "", "case.ptx:1:1: error: no", REJECTED),
        (2, "", "error: no", UNLOCATED),
        (3, "", "error: --max-seconds", REJECTED),
        (3, "", "stopped", UNLOCATED),
        (70, "", TRACED, TRACEBACK),
    ],
)
def test_how_a_command_ends_is_judged(code, out, err, kind, monkeypatch):
    assert said(code, out, err, monkeypatch) == kind


@pytest.mark.slow
@pytest.mark.parametrize("frontend", READ)
def test_damage_ends_in_an_answer_or_a_clean_error(frontend):
    found = measuring.fuzzed([frontend], MUTATIONS[frontend], 0, 1)
    (row,) = found.kinds
    assert found.failures == ()
    assert row.accepted > 0 < row.rejected
    assert row.accepted + row.rejected == row.mutations == MUTATIONS[frontend]


@pytest.mark.slow
@pytest.mark.parametrize("frontend", READ)
def test_what_damage_begins_at_is_valid(frontend, tmp_path):
    refused = []
    for number, seed in enumerate(seeds(frontend)):
        path = tmp_path / f"{number}{SUFFIXES[frontend]}"
        path.write_bytes(seed.data)
        found = checks.check(path, frontend, 0)
        assert found.kind in (ACCEPTED, REJECTED), (seed.name, found)
        refused += [seed.name] * (found.kind == REJECTED)
    assert all(name.endswith((".cubin", ".machine.fatbin")) for name in refused)


@pytest.mark.slow
@pytest.mark.parametrize("frontend", SUFFIXES)
def test_a_mutation_is_the_same_each_time_and_no_other(frontend):
    first = [mutated(frontend, 7, number) for number in range(1, 60)]
    assert first == [mutated(frontend, 7, number) for number in range(1, 60)]
    assert first != [mutated(frontend, 8, number) for number in range(1, 60)]
    originals = {seed.data for seed in seeds(frontend)}
    assert len({data for _, data in first if data not in originals}) > 45


@pytest.mark.slow
def test_results_do_not_depend_on_how_many_processes_there_are():
    def found(processes):
        with Pool(processes) as pool:
            tasks = (Task("ptx", 3, number) for number in range(1, 20))
            return [r.found[:2] for r in pool.run(tasks)]

    assert found(1) == found(3)


@pytest.mark.slow
def test_a_worker_that_dies_or_hangs_takes_only_its_case_with_it():
    files = (b"good", b"die", b"good", b"loop", b"raise", b"large", b"good")
    with Pool(2, misbehave, SECONDS) as pool:
        results = list(pool.run(given(*files)))
    kinds = [result.found.kind for result in results]
    assert kinds == [ACCEPTED, CRASH, ACCEPTED, HANG, TRACEBACK, ACCEPTED, ACCEPTED]
    assert "SIGKILL" in results[1].found.words
    assert "misbehave" in results[3].found.words
    assert results[3].seconds >= SECONDS
    assert results[5].grown_kib > 200 << 10 > results[6].grown_kib


@pytest.mark.slow
def test_failing_cases_are_grouped_kept_and_made_smaller(tmp_path):
    with Pool(1, misbehave, SECONDS) as pool:
        files = (b"good", b"much before raise and after", b"raise", b"die")
        results = list(pool.run(given(*files)))
        groups = grouped(results)
        keep("ptx", groups, tmp_path, pool)
        assert shrunk(groups[TRACEBACK, "here"][0], pool) == b"raise"
    kept = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert kept["ptx-crash-no-Python-frame.0.3.small.ptx"] == b"die"
    assert kept["ptx-traceback-here.1.1.ptx"] == b"much before raise and after"
    assert kept["ptx-traceback-here.1.1.small.ptx"] == b"raise"
    assert kept["ptx-traceback-here.1.1.txt"].startswith(b"2 cases, traceback, here")
    figures = row("ptx", results, 1.0)
    assert (figures.accepted, figures.rejected, figures.mutations) == (1, 0, 4)
    shown = tuple(failure_group("ptx", *group) for group in groups.items())
    found = FuzzResult(seed=0, kinds=(figures,), failures=shown)
    assert found.failed == 3
    assert [(one.kind, one.cases, one.numbers) for one in found.failures] == [
        (TRACEBACK, 2, (1, 2)), (CRASH, 1, (3,)),
    ]  # fmt: skip
    assert BENCHMARK.judged(Measured(found, {}))[0].verdict == "MISSED"


@pytest.mark.slow
def test_a_slow_case_counts_if_it_is_slow_again(monkeypatch):
    monkeypatch.setattr(measuring, "SLOW_S", 0.1)
    with Pool(1, misbehave, SECONDS) as pool:
        slow = [r._replace(seconds=3.0) for r in pool.run(given(b"good", b"loop"))]
        assert all(SLOW in failures(result) for result in slow)
        again = [confirmed(result, pool) for result in slow]
    assert [result.task.data for result in again if failures(result)] == [b"loop"]


SAMPLE = next(seed.data for seed in seeds("ptx") if seed.name.endswith("vecadd.sm_80.ptx"))
LINES = SAMPLE.decode().split("\n")


@pytest.mark.parametrize(
    ("span", "kind"),
    [
        (Span(1, 1, len(LINES[0]) + 1), REJECTED),
        (Span(len(LINES), 1, 2), REJECTED),
        (Span(len(LINES) + 1, 1, 2), checks.BAD_SPAN),
        (Span(0, 1, 2), checks.BAD_SPAN),
        (Span(1, 1, len(LINES[0]) + 3), checks.BAD_SPAN),
        (Span(1, 0, 2), checks.BAD_SPAN),
        (Span(1, 2, 2), checks.BAD_SPAN),
    ],
)
def test_a_place_outside_the_text_is_seen(span, kind, tmp_path, monkeypatch):
    def refuse(path):
        excerpt = LINES[span.line - 1] if 0 < span.line <= len(LINES) else ""
        raise InputError(Diagnostic(Severity.ERROR, "no", str(path), span, excerpt))

    path = tmp_path / "x.ptx"
    path.write_bytes(SAMPLE)
    monkeypatch.setattr(checks, "load_all", refuse)
    assert checks.check(path, "ptx", 1).kind == kind


@pytest.mark.parametrize(
    ("name", "stand_in", "kind"),
    [
        ("verify", lambda _: [Diagnostic(Severity.ERROR, "rule 3: no")], "invalid IR"),
        ("read_module", lambda _: None, "not read back"),
        ("find_nothing", None, ACCEPTED),
        ("loop_bounds", lambda _: {}["x"], TRACEBACK),
        ("instruction_mix", lambda _: 1 / 0, TRACEBACK),
        ("kernel_names", lambda _: ("other",), "invalid IR"),
    ],
)  # fmt: skip
def test_a_result_that_does_not_hold_together_is_seen(name, stand_in, kind, tmp_path, monkeypatch):
    path = tmp_path / "x.ptx"
    path.write_bytes(SAMPLE)
    if stand_in is not None:
        monkeypatch.setattr(checks, name, stand_in)
    assert checks.check(path, "ptx", 0).kind == kind


def packed(payload, announced):
    """A fat binary's entry whose PTX is packed with Zstandard."""
    payload += b"\0" * (-len(payload) % 8)
    fields = (1, 0x101, 80, len(payload), 0, 0, 8, 0, 80, 0, 0, 0x8000, 0, announced)
    entry = struct.pack("<HHIQIIHHIIIQQQ", *fields).ljust(80, b"\0") + payload
    return struct.pack("<4sHHQ", MAGIC, 1, 16, len(entry)) + entry


def test_a_few_bytes_do_not_unpack_to_more_than_they_say(monkeypatch):
    text = b"a" * (1 << 20)
    frame = zstd.compress(text)
    assert ptx_images(packed(frame, len(text)), "x")[0].text == text.decode() + "\n"
    with pytest.raises(InputError, match="1048576 bytes are packed and 100 announced"):
        ptx_images(packed(frame, 100), "x")
    monkeypatch.setattr(binaries, "MAX_TOTAL_BYTES", 2 << 20)
    assert len(ptx_images(packed(frame, len(text)) * 2, "x")) == 2
    with pytest.raises(InputError, match="unpacks to more than 2097152 bytes"):
        ptx_images(packed(frame, len(text)) * 3, "x")
