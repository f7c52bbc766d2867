"""The benchmark of the register pressure: what is read, which rows count, how they are summed."""

import hashlib
import json
from dataclasses import replace

import pytest

from benchmarks.static_parts.ptxas_registers import chip_of, read_counts
from benchmarks.static_parts.registers import (
    Row,
    errors_of,
    figures,
    pairs_of,
    recorded_counts,
    table,
)

ROW = Row("nvcc", "nvcc.a.sm_80.ptx", "k", "sm_80", "plain", "13.0", 10, 12, 10, 0.5)

SAID = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'
ptxas info    : Function properties for helper
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 20 registers, used 0 barriers, 360 bytes cmem[0]
ptxas info    : Compiling entry function 'b' for 'sm_80'
ptxas info    : Used 8 registers
"""


def test_counts_are_read_by_kernel():
    assert read_counts(SAID) == {"_Z1aPf": 20, "b": 8}


def test_texts_for_old_chips_are_assembled_for_the_oldest_that_ptxas_has():
    assert chip_of(".version 6.0\n.target sm_50\n") == "sm_75"
    assert chip_of(".target sm_90a\n") == "sm_90a"
    assert chip_of("nothing") is None


def test_a_kernel_counts_once_for_a_target_and_plain_text_first():
    lines = replace(ROW, file="nvcc.a.lines.sm_80.ptx", flavour="lines", estimated=99)
    other = replace(ROW, target="sm_90")
    assert pairs_of([lines, ROW, other]) == [ROW, other]


def test_errors_are_relative_and_without_sign():
    rows = [ROW, replace(ROW, estimated=9), replace(ROW, estimated=10)]
    assert errors_of(rows) == {
        "pairs": 3, "median_error": 0.1, "mean_error": 0.1, "within_15_percent": 0.6667
    }  # fmt: skip
    assert errors_of([])["median_error"] is None


def test_debug_texts_and_llvm_stand_apart():
    debug = replace(ROW, flavour="debug", estimated=100)
    llvm = replace(ROW, flavour="llvm", estimated=11)
    result = figures([ROW, debug, llvm])
    assert result["registers_pairs"] == 1
    assert result["registers_median_error"] == 0.2
    assert result["unoptimised"]["median_error"] == 9.0
    assert result["llvm"]["median_error"] == 0.1
    assert result["reached"] is False
    json.dumps(result)
    text = "\n".join(table(result | {"refused": [], "missing": ["ptxas"]}))
    assert "MISSED" in text
    assert "missing: ptxas" in text


def test_a_goal_needs_enough_pairs():
    rows = [replace(ROW, kernel=f"k{n}", estimated=11) for n in range(60)]
    assert figures(rows)["reached"] is True
    assert figures(rows[:59])["reached"] is False
    assert figures([])["registers_median_error"] is None


@pytest.mark.parametrize(
    ("changed", "expected"), [(False, [("k", "sm_80", 16, "13.0.88")]), (True, [])]
)
def test_a_sample_counts_as_long_as_its_record_is_of_this_text(tmp_path, changed, expected):
    module = tmp_path / "k.sm_80.ptx"
    module.write_text("text")
    record = {
        module.name: {
            "sha256": hashlib.sha256(b"text").hexdigest(),
            "ptxas": {
                "compiler": "Cuda compilation tools, release 13.0, V13.0.88",
                "kernels": {"k": {"sm_80": {"registers": 16}}},
            },
        }
    }
    (tmp_path / "artefacts.json").write_text(json.dumps(record))
    if changed:
        module.write_text("another text")
    assert list(recorded_counts(module)) == expected
    assert list(recorded_counts(tmp_path / "absent.ptx")) == []
