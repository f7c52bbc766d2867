"""The picture of a correlation: where its points and lines are, and how it fails."""

import warnings
import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib
import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.commands.correlate.plot import figure_of, limits, write_correlation
from warpmill.measurements import correlated_rows
from warpmill.measurements.correlated_rows import Timed
from warpmill.measurements.correlation_figures import TimePair
from warpmill.measurements.correlations import correlate
from warpmill.simulator.machines import machine_names

VECADD = Path(__file__).parents[2] / "samples" / "vecadd" / "launch.toml"
MAGIC = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


@pytest.fixture
def found(tmp_path, monkeypatch):
    """Correlate rows of machines and times; each is estimated to be 2 µs."""
    monkeypatch.setattr(correlated_rows, "timed_on", lambda *_: Timed(2.0, 3000.0))

    def made(*rows, name="m.csv"):
        folder = tmp_path / "in"
        folder.mkdir(exist_ok=True)
        text = "".join(f"{VECADD},{machine},{time}\n" for machine, time in rows)
        (folder / name).write_text(f"target,machine,time_us\n{text}")
        return correlate(folder / name)

    return made


def test_points_are_the_rows_by_machine(found):
    (axis,) = figure_of(found(("a100", 1), ("v100", 4), ("a100", 16))).axes
    points = {c.get_label(): c.get_offsets().tolist() for c in axis.collections}
    assert points == {
        "a100: 2 rows, MAPE 93.8%": [[1.0, 2.0], [16.0, 2.0]],
        "v100: 1 row, MAPE 50.0%": [[4.0, 2.0]],
    }
    colours = [tuple(c.get_facecolor()[0]) for c in axis.collections]
    assert len(set(colours)) == 2


def test_axes_are_of_logarithms_with_the_diagonal_and_both_factors(found):
    (axis,) = figure_of(found(("a100", 1), ("a100", 50))).axes
    assert (axis.get_xscale(), axis.get_yscale()) == ("log", "log")
    assert axis.get_xlim() == axis.get_ylim()
    low, high = axis.get_xlim()
    assert low < 1
    assert high > 50
    ratios = [line.get_ydata()[0] / line.get_xdata()[0] for line in axis.lines]
    ends = [line.get_ydata()[1] / line.get_xdata()[1] for line in axis.lines]
    assert ratios == pytest.approx([1.0, 2.0, 0.5])
    assert ends == pytest.approx(ratios)
    assert [axis.get_xlabel(), axis.get_ylabel()] == ["measured, µs", "estimated, µs (modelled)"]


def test_the_axes_hold_all_points_and_a_decade():
    chance = np.random.default_rng(2)
    for spread in (0.0, 0.01, 1.0, 20.0):
        logs = chance.uniform(-spread, spread, (9, 2))
        pairs = [TimePair(float(x), float(y)) for x, y in np.exp(logs)]
        low, high = limits(pairs)
        assert high / low >= 10.0 * (1 - 1e-9)
        values = [value for pair in pairs for value in (pair.measured, pair.estimated)]
        assert min(values) / low == pytest.approx(high / max(values)) and low < min(values)


def test_many_machines_are_told_apart(found):
    names = machine_names()[:12]
    (axis,) = figure_of(found(*((name, 3) for name in names))).axes
    looks = {
        (tuple(c.get_facecolor()[0]), c.get_paths()[0].vertices.tobytes()) for c in axis.collections
    }
    assert len(looks) == len(names) == 12


@pytest.mark.parametrize("kind", [".png", ".SVG", ".pdf"])
def test_the_same_rows_give_the_same_picture_whatever_the_user_s_style(found, tmp_path, kind):
    result = found(("a100", 1), ("v100", 4))
    first, second = tmp_path / f"a{kind}", tmp_path / f"b{kind}"
    write_correlation(result, first)
    with matplotlib.rc_context({"font.size": 20, "axes.grid": True}):
        write_correlation(result, str(second))
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(MAGIC[kind.lower()])


def test_odd_names_are_drawn_as_they_are(found, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_correlation(found(("a100", 1), name="a$b$漢.csv"), tmp_path / "a.svg")
    ET.parse(tmp_path / "a.svg")
    (axis,) = figure_of(found(("a100", 1), name="a$b$.csv")).axes
    assert axis.get_title() == r"a\$b\$.csv"


def test_the_command_draws(found, tmp_path, capsys):
    found(("a100", 1))
    path = tmp_path / "a.svg"
    assert main(["correlate", str(tmp_path / "in" / "m.csv"), "--plot", str(path)]) == 0
    assert capsys.readouterr().out.startswith("correlate:")
    ET.parse(path)


def test_other_kinds_of_picture_are_refused(found, tmp_path):
    with pytest.raises(UsageError, match="its name ends in"):
        write_correlation(found(("a100", 1)), tmp_path / "a.gif")
    assert not (tmp_path / "a.gif").exists()
