"""The picture of a sweep: the order of its configurations, its lines, and how it fails."""

import math
import random
import warnings
import xml.etree.ElementTree as ET
from itertools import product
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.commands.sweep.plot import curves_of, figure_of, is_wide, write_sweep
from warpmill.report.pictures import look
from warpmill.sweeps.launches import SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.sweeps.sweep import MeasuredConfiguration, Swept

VECADD = Path(__file__).parents[2] / "samples" / "vecadd" / "launch.toml"
MAGIC = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}
NAMES = ("a100", "v100")


def swept(blocks=(256, 64), sizes=(1000, 300), *, machines=NAMES, lost=(), time=None, regs=(32,)):
    """Make a sweep of one element a thread; rows come in any order."""
    axes = (Axis("block", blocks), Axis("n", sizes), Axis("regs", regs))
    rows = []
    for block, n, registers, machine in product(blocks, sizes, regs, machines):
        where = {"block": block, "n": n, "regs": registers, "machine": machine}
        if (block, n, machine) in lost:
            rows.append(MeasuredConfiguration(where, {}, {}, "lost"))
            continue
        figures = {"time_us": n / 100 + block / 1000 if time is None else time(n, block, machine)}
        rows.append(
            MeasuredConfiguration(
                where, figures, {"grid": [-(-n // block), 1, 1], "block": [block]}
            )
        )
    random.Random(3).shuffle(rows)
    how = EvaluationConfig(machines=machines)
    return Swept(SweepTarget("a$b$.toml"), how, SweepSpace(axes), tuple(rows), 0, 1.0, ("vecadd",))


def test_the_order_is_of_the_grid_then_of_the_block_then_of_the_rest():
    found = curves_of(swept(blocks=(256, 64, 128), sizes=(1024, 300, 256), regs=(64, 32)))
    shapes = list(zip(found.grid_threads, found.block_threads, strict=True))
    wanted = [(-(-n // b) * b, b) for n in (1024, 300, 256) for b in (256, 64, 128)]
    assert shapes == sorted(wanted * 2)
    times = [n / 100 + b / 1000 for n in (1024, 300, 256) for b in (256, 64, 128)]
    by_shape = dict(zip(wanted, times, strict=True))
    assert found.times == {name: pytest.approx([by_shape[s] for s in shapes]) for name in NAMES}


def test_the_rest_comes_in_the_order_of_its_values():
    axes = (Axis("n", (64, 65)), Axis("kind", ("z", "a")), Axis("machine", ("t4",)))
    facts = {"grid": [2, 1, 1], "block": [64, 1, 1]}
    places = {("z", 64): 0, ("a", 64): 1, ("z", 65): 2, ("a", 65): 3}
    rows = tuple(
        MeasuredConfiguration(
            {"n": n, "kind": kind, "machine": "t4"}, {"time_us": 1.0 + place}, facts
        )
        for (kind, n), place in sorted(places.items())
    )
    found = curves_of(
        Swept(SweepTarget("t"), EvaluationConfig(), SweepSpace(axes), rows, 0, 1.0, ("k",))
    )
    assert found.times["t4"] == [1.0, 2.0, 3.0, 4.0]


def test_each_machine_is_a_line_with_gaps_where_nothing_was_measured():
    lost = [(64, 1000, "a100"), (64, 300, "a100"), (64, 300, "v100")]
    top, below = figure_of(curves_of(swept(lost=lost))).axes
    lines = {line.get_label(): line for line in top.lines}
    assert set(lines) == set(NAMES)
    assert lines["v100"].get_xdata().tolist() == [1, 2, 3]  # what no machine has is left out
    assert [math.isnan(y) for y in lines["a100"].get_ydata()] == [False, True, False]
    assert not any(math.isnan(y) for y in lines["v100"].get_ydata())
    assert lines["v100"].get_color() != lines["a100"].get_color()
    assert [line.get_label() for line in below.lines] == ["of a block", "of the grid"]
    grid = below.lines[1].get_ydata().tolist()
    assert grid == sorted(grid) == [512, 1024, 1024]
    assert top.get_title() == r"vecadd: 3 configurations of a\$b\$.toml"
    assert top.get_ylabel() == "estimated time, µs (modelled)"


def test_a_machine_without_any_time_has_no_line():
    lost = [(b, n, "a100") for b in (256, 64) for n in (1000, 300)]
    top, _ = figure_of(curves_of(swept(lost=lost))).axes
    assert [line.get_label() for line in top.lines] == ["v100"]


@pytest.mark.parametrize(("factor", "scale"), [(99.0, "linear"), (101.0, "log")])
def test_times_over_two_orders_of_magnitude_are_on_an_axis_of_logarithms(factor, scale):
    found = swept(time=lambda _, block, __: factor if block == 256 else 1.0)
    top, below = figure_of(curves_of(found)).axes
    assert top.get_yscale() == scale
    assert scale == "log" or top.get_ylim()[0] == 0
    assert below.get_yscale() == "log"
    assert not is_wide([0.0, 1000.0])


def test_many_configurations_have_thin_lines_without_markers():
    few, many = (figure_of(curves_of(swept(sizes=tuple(range(1, n))))).axes for n in (100, 1500))
    assert {line.get_marker() for line in few[0].lines} == {"o"}
    assert {line.get_marker() for line in many[0].lines} == {"None"}
    assert max(line.get_linewidth() for line in many[0].lines) < 1.0
    looks = {look(number) for number in range(30)}
    assert len(looks) == 30


@pytest.mark.parametrize("kind", [".png", ".SVG", ".pdf"])
def test_the_same_rows_give_the_same_picture_whatever_the_user_s_style(tmp_path, kind):
    first, second = tmp_path / f"a{kind}", tmp_path / f"b{kind}"
    write_sweep(swept(), first)
    with matplotlib.rc_context({"font.size": 20, "axes.grid": True}):
        write_sweep(swept(), str(second))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(MAGIC[kind.lower()])


def test_odd_names_and_noisy_times_of_many_configurations_are_drawn(tmp_path):
    chance = np.random.default_rng(1)
    found = swept(
        sizes=tuple(range(1, 1500)),
        machines=("a$b$", "漢"),
        time=lambda *_: float(np.exp(chance.normal(0, 3))),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_sweep(found, tmp_path / "a.svg")
        write_sweep(found, tmp_path / "a.png")
    ET.parse(tmp_path / "a.svg")


def test_the_command_draws(tmp_path, capsys):
    path = tmp_path / "a.svg"
    words = ["sweep", str(VECADD), "--over", "n=64,128", "-m", "t4", "--no-store"]
    assert main([*words, "--plot", str(path)]) == 0
    assert capsys.readouterr().out.startswith("sweep:")
    ET.parse(path)


def test_other_kinds_of_picture_are_refused(tmp_path):
    with pytest.raises(UsageError, match="its name ends in"):
        write_sweep(swept(), tmp_path / "a.gif")
    assert not (tmp_path / "a.gif").exists()
