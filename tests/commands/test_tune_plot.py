"""The picture of ``tune``: which bars there are, and that it is written."""

from dataclasses import replace
from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.commands.tune.plot import figure_of, panels_of, write_tuned
from warpmill.sweeps.launches import Launches, SweepTarget
from warpmill.sweeps.points import EvaluationConfig
from warpmill.sweeps.space import Axis, SweepSpace
from warpmill.sweeps.sweep import MeasuredConfiguration
from warpmill.tuning.model import Choice, MachineTuning, Tuned, TuneRequest
from warpmill.tuning.variants import Variant
from warpmill.tuning.verdicts import Verdict

VECADD = SweepTarget(str(Path(__file__).parents[2] / "samples" / "vecadd" / "launch.toml"))
BASE = Launches(VECADD).base
NAMES = ("default", "wide")


def choice(machine, block, time, variant="default", **more):
    row = MeasuredConfiguration(
        {"variant": variant, "block": block, "machine": machine}, {"time_us": time}, {}
    )
    return Choice(row, variant == "default" and block == 256, **more)


def tuned(*machines):
    axes = (
        Axis("variant", NAMES),
        Axis("block", (64, 256)),
        Axis("machine", tuple(one.machine for one in machines)),
    )
    wanted = TuneRequest(
        tuple(Variant(name, VECADD) for name in NAMES), SweepSpace(()), EvaluationConfig()
    )
    return Tuned(wanted, BASE, axes, {"block": 256}, (), machines, None, 0, 0, 0.0)


def on(machine, *choices, default=None, different=()):
    own = default or choice(machine, 256, 4.0)
    return MachineTuning(machine, own, choices, different, ())


def test_bars_come_in_order_with_what_is_known_of_them():
    same, odd = Verdict(True), Verdict(None, "odd", "odd")
    found = on(
        "a100",
        choice("a100", 64, 2.0, "wide", verdict=same),
        choice("a100", 64, 3.0, verdict=odd),
        choice("a100", 256, 4.0, verdict=same),
        choice("a100", 256, 5.0, "wide"),
        different=(choice("a100", 32, 1.0),),
    )
    (panel,) = panels_of(tuned(found))
    assert [bar.label for bar in panel.bars] == [
        "wide block=64", "default block=64", "default block=256", "wide block=256",
    ]  # fmt: skip
    assert [bar.microseconds for bar in panel.bars] == [2.0, 3.0, 4.0, 5.0]
    assert [bar.is_known for bar in panel.bars] == [True, False, True, False]
    assert [bar.is_default for bar in panel.bars] == [False, False, True, False]
    assert (panel.default, panel.simulated) == (4.0, None)
    assert panel.title == "a100; 1 other compute something else"


def test_not_all_of_many_are_drawn_but_the_default_is():
    many = [choice("a100", block, float(block)) for block in range(1, 101)]
    default = choice("a100", 256, 256.0)
    (panel,) = panels_of(tuned(on("a100", *many, default, default=default)))
    assert len(panel.bars) == 41
    assert panel.bars[-1].is_default
    assert panel.title == "a100; 60 more are slower"


def test_simulated_times_stand_beside_estimated_ones():
    row = MeasuredConfiguration({}, {"time_us": 7.0}, {})
    default = choice("a100", 256, 4.0, simulated=row)
    (panel,) = panels_of(tuned(on("a100", default, choice("a100", 64, 2.0), default=default)))
    assert [bar.simulated for bar in panel.bars] == [7.0, None]
    assert (panel.default, panel.simulated) == (4.0, 7.0)
    (axis,) = figure_of(tuned(on("a100", default, default=default))).axes
    labels = axis.get_legend_handles_labels()[1]
    assert sorted(labels) == [
        "result unknown", "simulated", "the default", "the default, simulated",
    ]  # fmt: skip


def test_a_default_that_does_not_run_has_no_line():
    gone = Choice(MeasuredConfiguration({}, {}, {}, "it does not fit"), is_default=True)
    found = tuned(on("a100", choice("a100", 64, 2.0), default=gone), on("t4", default=gone))
    (panel,) = panels_of(found)
    assert (panel.default, len(panel.bars)) == (None, 1)
    assert len(figure_of(found).axes) == 1


@pytest.mark.parametrize("kind", [".svg", ".png", ".pdf"])
def test_the_same_choices_give_the_same_bytes(kind, tmp_path):
    found = tuned(on("a100", choice("a100", 64, 2.0)), on("v100", choice("v100", 64, 2.0)))
    for name in ("a", "b"):
        write_tuned(found, tmp_path / f"{name}{kind}")
    one, two = ((tmp_path / f"{name}{kind}").read_bytes() for name in ("a", "b"))
    assert one == two
    assert len(one) > 1000


def test_other_kinds_of_picture_are_refused(tmp_path):
    with pytest.raises(UsageError, match="gif"):
        write_tuned(tuned(on("a100", choice("a100", 64, 2.0))), tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []


def test_there_may_be_nothing_to_draw(tmp_path):
    gone = Choice(MeasuredConfiguration({}, {}, {}, "it does not fit"), is_default=True)
    nothing = on("a100", default=replace(gone), different=(choice("a100", 64, 1.0),))
    assert figure_of(tuned(nothing)).axes == []
    write_tuned(tuned(nothing), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().endswith("</svg>\n")
