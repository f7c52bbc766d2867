"""Figures of benchmarks/execution and benchmarks/profiles from rows by hand, and their checks."""

from pathlib import Path

import numpy as np
import pytest

from warpmill.benchmarks import execution, profiles
from warpmill.benchmarks.benchmark import Measured, Request
from warpmill.benchmarks.checks import MOST_TOLD, failures, right
from warpmill.benchmarks.execution import ExecutionResult, KernelSpeed, measuring
from warpmill.benchmarks.execution.compiled.model import SINGLE, Program, normal, same_set, zeros
from warpmill.benchmarks.execution.compiled.running import compared, run
from warpmill.benchmarks.profiles import ProfiledKernel, ProfilesResult
from warpmill.benchmarks.profiles.measuring import figures_of, profiles_of


def kernel(rate, numpy_rate, ms):
    return KernelSpeed(kernel="k", thread_insts=10, ginst_per_s=rate, numpy_ginst_per_s=numpy_rate,
                       instructions=125, ms=ms, next_ms=ms / 4)  # fmt: skip


def test_speeds_are_geometric_means_and_unknown_without_rows():
    found = ExecutionResult(
        failures=(), speed_rows=(kernel(1.0, 0.1, 50.0), kernel(4.0, 0.1, 200.0))
    )
    assert found.counts_ginst_per_s == pytest.approx(2.0)
    assert found.ratio_to_numpy_executor == pytest.approx(20.0)
    assert found.jit_ms_per_250_instructions == pytest.approx(200.0)
    assert found.jit_worst_ms_per_250_instructions == pytest.approx(400.0)
    assert found.jit_next_ms_per_250_instructions == pytest.approx(50.0)
    assert ExecutionResult(failures=()).counts_ginst_per_s is None


def test_what_is_not_right_is_counted_and_the_first_of_it_told():
    wrong = failures("opcodes", (f"o{k}" for k in range(MOST_TOLD + 5)))
    found = ExecutionResult(failures=wrong, opcodes_executed=right(100, len(wrong)))
    told = execution.BENCHMARK.json(Measured(found, {}))
    assert told["opcodes_executed"] == [100 - len(wrong), 100]
    assert told["checks"] == [
        {"check": "opcodes in all their forms", "right": 100 - len(wrong), "of": 100}
    ]
    assert told["goals"][0]["verdict"] == "MISSED"
    text = execution.BENCHMARK.text(Measured(found, {}))
    assert f"o{MOST_TOLD - 1}" in text
    assert f"o{MOST_TOLD}" not in text
    assert len(told["failures"]) == MOST_TOLD + 5


def test_parts_fill_their_own_fields(monkeypatch):
    parts = {
        "a": lambda _: {"samples_checked": (1, 2), "failures": failures("a", ["x"])},
        "b": lambda _: {"refused": ["r"], "missing": ["m"]},
    }
    monkeypatch.setattr(measuring, "PARTS", parts)
    found = measuring.measure(Request())
    assert (found.samples_checked, found.refused, found.missing) == ((1, 2), ("r",), ("m",))
    assert [one.words for one in found.failures] == ["x"]
    assert measuring.measure(Request(names=("b",))).samples_checked is None


def test_a_kernel_is_compiled_twice_in_a_process_of_its_own():
    count, first, following = measuring.child("execution.measuring", "print_compile_times('bfs')")
    assert int(count) > 20
    assert float(first) > 0 < float(following)


def test_costs_of_collectors_are_over_all_kernels():
    rows = tuple(
        ProfiledKernel(kernel="k", thread_insts=1, warp_insts=10, bare_ginst_per_s=2.0,
                       trace_ginst_per_s=1.0, trace_saved_ginst_per_s=0.5, trace_bytes=size,
                       overhead={"profile": cost})
        for cost, size in ((1.0, 5), (4.0, 15))
    )  # fmt: skip
    found = ProfilesResult(failures=(), speed_rows=rows)
    assert found.profile_ginst_per_s == pytest.approx(1.0)
    assert found.trace_bytes_per_warp_inst == 1.0
    (row,) = found.overhead
    assert (row.mean, row.least, row.most) == (pytest.approx(2.0), 1.0, 4.0)
    assert "bare over it" in profiles.BENCHMARK.text(Measured(found, {}))


def test_a_program_with_wrong_results_has_no_profiles(monkeypatch):
    assert figures_of(profiles_of("vecadd", "1024")[0])[:3] == (2048, 1024, 0)
    monkeypatch.setitem(measuring.gpgpusim.PROGRAMS, "vecadd", lambda *_: False)
    assert profiles_of("vecadd", "1024") == []


VECADD = Path("samples/vecadd/vecadd.sm_80.ptx")


def added(oracle):
    given = [normal(100), normal(100), zeros(100), 100]
    return run(Program("cuda", "vecadd:vecadd", 1, 128, given, oracle, SINGLE), VECADD, "nvcc")


def test_a_compiled_program_is_held_to_its_oracle():
    assert added(lambda a, b, *_: {2: a + b}).state == "right"
    wrong = added(lambda a, b, *_: {2: np.where(np.arange(100) == 7, a, a + b)})
    assert (wrong.state, wrong.words[:40]) == ("wrong", "argument 2: 1 of 100 differ, first [7]: ")
    assert added(lambda *_: 1 / 0).words == "ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("got", "wanted", "is_right"),
    [
        ([1.0, np.nan, np.inf], [1.00001, np.nan, np.inf], True),
        ([1.0, 2.0], [1.0, 2.1], False),
        ([1.0, 2.0], np.ma.array([1.0, 2.1], mask=[False, True]), True),
        ([1.0], [1.0, 2.0], False),
        ([3.0, 1.0, 9.0], same_set(np.array([1.0, 3.0])), True),
        ([3.0, 2.0, 9.0], same_set(np.array([1.0, 3.0])), False),
    ],
)
def test_results_are_compared_where_something_is_said(got, wanted, is_right):
    wanted = wanted if callable(wanted) else np.ma.asarray(wanted)
    assert (compared(np.array(got), wanted, SINGLE) == "") is is_right
