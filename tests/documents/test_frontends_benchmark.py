"""Figures of benchmarks/frontends from rows by hand; samples are read, and wrong counts seen."""

from pathlib import Path

import pytest

from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.frontend_inputs.build import Corpus, Input, distinct
from warpmill.benchmarks.frontends import (
    BENCHMARK,
    FrontendsResult,
    ReadTime,
    measuring,
    reading,
)
from warpmill.benchmarks.frontends.ptx_counts import count_instructions
from warpmill.benchmarks.frontends.whole_file import parse_whole

SAMPLES = [Input(Path("samples/vecadd", name), "samples", "plain")
           for name in ("vecadd.sm_80.ptx", "vecadd.bc", "vecadd.ll")]  # fmt: skip


def result(**others):
    ones = dict.fromkeys(("parsed", "counts_equal", "ir_read_back", "isa_names_known"), (1, 1))
    return FrontendsResult(failures=(), **ones, **others)


def test_speeds_are_of_all_files_together():
    rows = (
        ReadTime(file="a", producer="nvcc", flavour="plain", work=2.0, read_s=1.0, lark_s=8.0,
                 scan_s=0.1),
        ReadTime(file="b", producer="clang", flavour="plain", work=4.0, read_s=2.0, lark_s=4.0,
                 scan_s=0.1),
    )  # fmt: skip
    modules = [ReadTime(file=name, producer="clang", flavour="plain", work=count, read_s=1.0)
               for name, count in (("m", 100), ("n", 3000))]  # fmt: skip
    found = result(ptx=rows, bitcode=tuple(modules), statements=200, exact=150, unknown=1)
    assert (found.ptx_mb_per_s, found.ratio_to_whole_file_lark) == (2.0, 4.0)
    assert found.scan_mb_per_s == pytest.approx(30.0)
    assert (found.llvm_instr_per_s, found.llvm_large_instr_per_s) == (1550.0, 3000.0)
    assert (found.llvm_exact_share, found.llvm_unknown_share) == (0.75, 0.005)
    groups = [(one.group, one.files, one.ratio) for one in found.ptx_groups]
    assert groups == [("plain", 2, 4.0), ("clang", 1, 2.0), ("nvcc", 1, 8.0)]
    text = BENCHMARK.text(Measured(found, {}))
    assert "MISSED" in text
    assert result().ptx_mb_per_s is None


def test_one_chip_of_each_file_is_enough_for_a_look():
    names = ("nvcc.a.sm_80.ptx", "nvcc.a.sm_90.ptx", "nvcc.b.sm_80.ptx")
    chosen = distinct(Input(Path(name), "nvcc", "plain") for name in names)
    assert [one.name for one in chosen] == ["nvcc.a.sm_90.ptx", "nvcc.b.sm_80.ptx"]


def test_samples_are_read_right_and_timed(monkeypatch, tmp_path):
    monkeypatch.setattr(measuring, "CACHE", tmp_path)
    monkeypatch.setattr(measuring, "make", lambda _: Corpus(tuple(SAMPLES), ("nvcc",), ()))
    monkeypatch.setattr("warpmill.benchmarks.frontend_inputs.assembler.ptxas_versions", lambda: ())
    monkeypatch.setattr(measuring, "LARGE_BYTES", 100)
    found = measuring.measure(Request(quick=True))
    assert found.failures == ()
    assert (found.parsed, found.counts_equal, found.ptxas_checked) == ((3, 3), (3, 3), None)
    assert [row.file for row in found.ptx] == ["vecadd.sm_80.ptx"]
    assert found.bitcode[0].work == found.statements / 2 > found.exact / 2 > 10
    assert found.missing == ("nvcc", "ptxas")


def test_another_count_is_seen(monkeypatch):
    monkeypatch.setattr(reading, "count_instructions", lambda _: {"vecadd": 1})
    record = reading.check(SAMPLES[0])
    assert (record.functions, record.equal) == (1, 0)
    assert record.failures[0][0] == "counts_equal"


@pytest.mark.parametrize("sample", ["nw/nw", "workloads/flash-attention/attention"])
def test_what_speeds_are_compared_with_reads_every_instruction(sample):
    text = Path("samples", f"{sample}.sm_80.ptx").read_text()
    statements = sum(1 for _ in parse_whole(text).find_data("statement"))
    assert statements == sum(count_instructions(text).values()) > 0
