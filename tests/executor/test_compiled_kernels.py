"""Kernels that are kept compiled: one for each kernel and options, the last ones alone."""

from __future__ import annotations

from pathlib import Path

from warpmill.analyzer.frontends.load import load
from warpmill.executor.compile import CompiledKernels, CompileOptions

SAMPLES = Path(__file__).parents[2] / "samples"
PLAIN, RECORDING = CompileOptions(), CompileOptions(record_events=True)


def kernel_of(sample: str):
    module = load(SAMPLES / sample / f"{sample}.sm_80.ptx").module
    return module, module.kernels[0]


def test_a_kernel_is_compiled_once_for_each_way() -> None:
    kept, given = CompiledKernels(), kernel_of("vecadd")
    first = kept.of(*given, PLAIN)
    assert kept.of(*given, RECORDING) is not first
    assert kept.of(*given, PLAIN) is first
    assert (first.options, first.kernel) == (PLAIN, given[1])


def test_an_equal_kernel_that_was_read_again_is_another() -> None:
    kept = CompiledKernels()
    assert kept.of(*kernel_of("vecadd"), PLAIN) is not kept.of(*kernel_of("vecadd"), PLAIN)


def test_those_used_last_are_kept() -> None:
    kept, (one, other) = CompiledKernels(2), (kernel_of("vecadd"), kernel_of("reduce"))
    first = kept.of(*one, PLAIN)
    kept.of(*other, PLAIN)
    assert kept.of(*one, PLAIN) is first
    kept.of(*other, RECORDING)
    assert kept.of(*one, PLAIN) is first
    assert len(kept._kept) == 2
