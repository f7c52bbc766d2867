"""``warpmill.sweep``: what Python may say of a space, and what it gets."""

from pathlib import Path

import numpy as np
import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import InputError, LimitError, UsageError
from warpmill.session.options import DEFAULT_MACHINES
from warpmill.simulator.gpu.options import Options
from warpmill.sweeps import api as sweep_api
from warpmill.sweeps.space import Axis

VECADD = Path(__file__).parents[2] / "samples" / "vecadd" / "launch.toml"


@pytest.mark.slow
def test_values_of_python_are_those_of_the_command_line():
    found = warpmill.sweep(
        VECADD,
        warpmill.SpaceOptions(
            {
                "block": [np.int64(64), (16, 8), "32x4"],
                "n": "1024..4096*2",
                "clock.sm_mhz": [1000.5],
            },
            where=["n > 1024"],
        ),
        machines=["a100", "t4", "a100"],
    )
    assert found.axes == (
        Axis("block", (64, "16x8", "32x4")),
        Axis("n", (1024, 2048, 4096)),
        Axis("clock.sm_mhz", (1000.5,)),
        Axis("machine", ("a100", "t4")),
    )
    assert len(found.measured) == len(found.rows) == 12
    assert found.sizes == ("n",)
    assert found.kernels == ("vecadd",)
    (row,) = [r for r in found.rows if tuple(r.configuration.values()) == (64, 2048, 1000.5, "t4")]
    assert row.number == found.rows.index(row)
    assert row.facts["grid"] == [32, 1, 1]


@pytest.mark.slow
def test_machines_are_those_of_the_command_line_an_axis_or_one():
    assert sweep_api.DEFAULT_MACHINES == DEFAULT_MACHINES
    of = {"n": [64]}
    assert warpmill.sweep(VECADD, of).axes[-1].values == DEFAULT_MACHINES
    assert warpmill.sweep(VECADD, of, machines="t4").axes[-1].values == ("t4",)
    found = warpmill.sweep(VECADD, {"machine": ["t4", "a40"], "n": [64]})
    assert [axis.name for axis in found.axes] == ["machine", "n"]
    with pytest.raises(UsageError, match="machines are varied already"):
        warpmill.sweep(VECADD, {"machine": ["t4"]}, machines="a40")


def test_what_was_kept_is_known(tmp_path):
    heard = []
    for known in (0, 2):
        found = warpmill.sweep(
            VECADD,
            {"n": [64, 128]},
            machines="t4",
            store=warpmill.StudyOptions(tmp_path / "s.db", told=heard.append),
        )
        assert found.known == known
    assert [(p.over, p.measured) for p in heard] == [(0, 0), (1, 1), (2, 2), (2, 0)]
    assert warpmill.sweep(VECADD, {"n": [64, 128]}, machines="t4").known == 0


def test_options_of_simulations():
    found = warpmill.sweep(
        VECADD, {"n": [65536]}, machines="gtx480_gpgpusim",
        how=warpmill.EvaluationOptions("simulate", simulation=Options(waves=1)),
    )  # fmt: skip
    assert found.rows[0].facts["sampled"] is True
    given = warpmill.EvaluationOptions(simulation=Options(waves=1))
    with pytest.raises(UsageError, match="--waves is for --engine simulate"):
        warpmill.sweep(VECADD, {"n": [64]}, how=given)
    with pytest.raises(UsageError, match="there is no engine guess"):
        warpmill.EvaluationOptions("guess")


def test_what_l2_has_at_first_is_an_option_of_both_engines(tmp_path):
    """A store tells estimates with a warm L2 from others; they are those of ``estimate``."""
    warm = warpmill.EvaluationOptions(simulation=Options(l2="warm"))
    times = []
    for how in (warpmill.EvaluationOptions(), warm):
        found = warpmill.sweep(
            VECADD, {"n": [65536]}, machines="a100", how=how, store=tmp_path / "s.db"
        )
        assert found.known == 0
        times.append(found.rows[0].figures["time_us"])
    job = warpmill.prepare(VECADD, options=warpmill.LaunchOptions(sizes={"n": 65536}))
    options = warpmill.EstimateOptions(l2="warm")
    assert times[1] == warpmill.estimate(job, "a100", options=options).time_us
    assert times[1] < times[0]


def test_files_of_spaces(tmp_path):
    (tmp_path / "s.toml").write_text('where = ["n > 64"]\n[over]\nn = [64, 128]\n')
    found = warpmill.sweep(
        VECADD, warpmill.SpaceOptions(where="n < 200", file=tmp_path / "s.toml"), machines="t4"
    )
    assert [row.configuration["n"] for row in found.rows] == [128]
    (tmp_path / "s.toml").write_text("[over]\nn = [64, nan]\n")
    with pytest.raises(UsageError, match="a value is no finite number"):
        warpmill.sweep(VECADD, warpmill.SpaceOptions(file=tmp_path / "s.toml"), machines="t4")


@pytest.mark.parametrize(
    ("over", "error", "words"),
    [
        ({}, UsageError, "nothing is varied"),
        ({"n": 64}, UsageError, "n=64: values are numbers, words or shapes, in a list"),
        ({"n": [None]}, UsageError, "values are numbers, words or shapes"),
        ({"block": [(16, "x")]}, UsageError, "values are numbers, words or shapes"),
        ({"n": [float("inf")]}, UsageError, "no finite number"),
        ({"n": []}, UsageError, "a value is missing"),
        ({"m": [1]}, UsageError, "no such thing to vary"),
        ({"n": range(100)}, LimitError, "100 configurations, more than 50"),
    ],
)
def test_what_is_no_space_is_said(over, error, words):
    with pytest.raises(error, match=words):
        warpmill.sweep(
            VECADD,
            over,
            machines="t4",
            store=warpmill.StudyOptions(no_store=True, max_points=50),
        )


def test_traces_of_a_file_are_told_apart_by_what_is_in_it(tmp_path):
    options = warpmill.LaunchOptions(sizes={"n": 64})
    job = warpmill.prepare(VECADD, options=options)
    path = tmp_path / "t.wmt"
    given = warpmill.TraceOptions(str(path))
    known = []
    for ctas in ([(0, 0, 0)], [(0, 0, 0)], None):
        if ctas is not None:
            warpmill.save_traces(job, warpmill.trace_source(job), path, ctas)
        else:
            path.write_bytes(path.read_bytes()[:-1])
        found = warpmill.sweep(
            VECADD, {"sm.count": [4, 8]}, machines="t4", launch=options, store=tmp_path / "s.db",
            how=warpmill.EvaluationOptions(trace=given),
        )  # fmt: skip
        known.append((found.known, len(found.failures)))
    assert known == [(0, 0), (2, 0), (0, 2)]
    with pytest.raises(InputError, match="No such file"):
        given = warpmill.TraceOptions(str(tmp_path / "no"))
        warpmill.sweep(VECADD, {"n": [64]}, how=warpmill.EvaluationOptions(trace=given))
