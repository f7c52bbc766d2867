"""The picture of a simulation: what is drawn, as what, and how it fails."""

import warnings
import xml.etree.ElementTree as ET
from dataclasses import replace

import matplotlib
import numpy as np
import pytest
from matplotlib.text import Text

from tests.timing.simulation_results import CLOCK_MHZ, sampled_result, small_result
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.commands.simulate import plot as simulate_plot
from warpmill.commands.simulate.plot import dram_peak, gigabytes, rates, write_plot
from warpmill.report.bars import stall_cycles
from warpmill.report.pictures import check_plot
from warpmill.simulator.resources import SIMULATED_STATES

MAGIC = {".png": b"\x89PNG\r\n", ".svg": b"<?xml", ".pdf": b"%PDF-"}


def figure_of(result, busiest=()):
    return simulate_plot._figure(result, busiest)


def labelled(figure, words):
    """Find the one panel with a label."""
    (axis,) = [
        axis
        for axis in figure.axes
        if words in axis.get_ylabel().replace("\n", " ") or words in axis.get_xlabel()
    ]
    return axis


def curve(axis, number=0):
    return axis.patches[number].get_data()


def words_of(figure):
    return {text.get_text() for text in figure.findobj(Text)}


@pytest.mark.slow
@pytest.mark.parametrize("kind", [".png", ".SVG", ".pdf"])
def test_the_same_result_gives_the_same_picture_whatever_the_user_s_style(tmp_path, kind):
    first, second = tmp_path / f"a{kind}", tmp_path / f"b{kind}"
    write_plot(small_result(), first, [("k.cu:3", 9)])
    with matplotlib.rc_context({"font.size": 20, "axes.grid": True}):
        write_plot(small_result(), str(second), [("k.cu:3", 9)])
        assert matplotlib.rcParams["font.size"] == 20
    assert first.read_bytes() == second.read_bytes()
    assert first.read_bytes().startswith(MAGIC[kind.lower()])
    assert sorted(tmp_path.iterdir()) == [first, second]


def test_curves_are_the_rates():
    result = small_result()
    figure, over = figure_of(result), rates(result)
    ipc = curve(labelled(figure, "warp instructions"))
    assert ipc.edges.tolist() == [0, 64, 128, 192, 256, 320, 384, 418]
    assert ipc.values == pytest.approx(
        [60 / 64, 30 / 64, 20 / 64, 10 / 64, 28 / 64, 26 / 64, 4 / 34]
    )
    caches = labelled(figure, "L1 and L2")
    assert curve(caches, 0).values == pytest.approx(gigabytes(result, over.l1_sectors))
    assert curve(caches, 1).values == pytest.approx(gigabytes(result, over.l2_sectors))
    warps = curve(labelled(figure, "resident warps")).values
    assert warps[1] == 6
    dram = curve(labelled(figure, "DRAM")).values
    assert dram[0] == pytest.approx(32 / 64 * 32 * CLOCK_MHZ * 1e6 / 1e9)


def test_microseconds_stand_above_the_cycles():
    figure = figure_of(small_result())
    figure.draw_without_rendering()
    strip, *over_time, _ = figure.axes
    assert {axis.get_xlim() for axis in (strip, *over_time)} == {(0, 418)}
    assert [axis.get_xlabel() for axis in over_time] == ["", "", "", "cycles"]
    (above,) = strip.child_axes
    assert above.get_xlabel() == "µs"
    assert above.get_xlim() == pytest.approx((0, 418 / CLOCK_MHZ))


def test_what_the_machine_can_do_is_said():
    result = small_result()
    assert dram_peak(result) == pytest.approx(1.0 * 32 * CLOCK_MHZ / 1000)
    titles = [axis.get_title(loc="right") for axis in figure_of(result).axes]
    assert [title for title in titles if title] == [
        "issue slots a cycle: 2",
        "slots for warps: 8",
        "peak, GB/s: 26",
    ]


def test_a_limit_far_above_is_said_and_not_drawn():
    near, far = small_result(), small_result(issue_slots=40 * 418)
    for result, lines, title, top in ((near, 1, "2", 2), (far, 0, "40 (above)", 60 / 64)):
        axis = labelled(figure_of(result), "warp instructions")
        assert len(axis.lines) == lines
        assert axis.get_title(loc="right") == f"issue slots a cycle: {title}"
        assert axis.get_ylim() == pytest.approx((0, 1.05 * top))


def test_what_is_not_known_is_not_said():
    result = small_result()
    idle = replace(result.dram, reads=0, busy_fraction=0.0)
    result = replace(result, dram=idle)
    assert dram_peak(result) is None
    titles = {axis.get_title(loc="right") for axis in figure_of(result).axes}
    assert titles == {"", "issue slots a cycle: 2", "slots for warps: 8"}


def test_launches_are_bars_by_stream():
    strip = figure_of(small_result()).axes[0]
    found = sorted(
        (round(box.y0 + 0.4), round(box.x0), round(box.x1))
        for bars in strip.collections
        for box in (path.get_extents() for path in bars.get_paths())
    )
    assert found == [(0, 0, 300), (0, 301, 418), (1, 0, 190)]
    assert [label.get_text() for label in strip.get_yticklabels()] == ["stream 0", "stream 7"]
    assert {text.get_text() for text in strip.texts} == {"scale", "sum"}


def test_stalls_are_bars_by_reason():
    result = small_result()
    wanted = [
        ("long_scoreboard", 1541), ("wait", 200), ("selected", 178), ("short_scoreboard", 70),
        ("no_instruction", 12), ("not_selected", 3),
    ]  # fmt: skip
    assert [(one.state.key, one.warp_cycles) for one in stall_cycles(result)] == wanted
    axis = labelled(figure_of(result), "by state")
    assert [bar.get_width() for bar in axis.patches] == [cycles for _, cycles in wanted]
    names = [label.get_text() for label in axis.get_yticklabels()]
    assert names[:3] == ["Stall Long Scoreboard", "Stall Wait", "Selected"]
    shares = [text.get_text() for text in axis.texts]
    assert shares[0] == f"{1541 / 2004:.1%}"
    assert axis.yaxis.get_inverted()  # the most stands above


def test_lines_are_drawn_where_they_are_given():
    lines = [(f"k.cu:{n}", 500 - n) for n in range(40)]
    axis = labelled(figure_of(small_result(), lines[:15]), "by line of source")
    assert axis.get_yticklabels()[0].get_text() == "k.cu:0"
    assert axis.texts[0].get_text() == f"{500 / 2004:.1%}"
    assert not any("source" in a.get_xlabel() for a in figure_of(small_result()).axes)


def test_only_the_first_lines_are_drawn(tmp_path, monkeypatch):
    seen = []
    monkeypatch.setattr(simulate_plot, "_drawn", lambda *given: seen.append(given) or b"")
    write_plot(small_result(), tmp_path / "a.png", [(f"k.cu:{n}", 500 - n) for n in range(40)])
    assert [name for name, _ in seen[0][2]] == [f"k.cu:{n}" for n in range(15)]


def test_the_title_says_what_was_sampled():
    assert "sampled: 7 of 11 CTAs" in figure_of(sampled_result()).get_suptitle()
    title = figure_of(small_result()).get_suptitle()
    assert title == "two_sms: 418 cycles, 0.5 µs (modelled)"


@pytest.mark.slow
def test_odd_names_are_drawn_as_they_are(tmp_path):
    odd = "a$b$\x1b\udc80漢"
    launches = tuple(replace(x, kernel=odd) for x in small_result().launches)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        write_plot(small_result(launches=launches, machine=odd), tmp_path / "a.svg", [(odd, 3)])
    ET.parse(tmp_path / "a.svg")
    shown = words_of(figure_of(small_result(launches=launches)))
    assert r"a\$b\$\x1b?漢" in shown


def test_thousands_of_launches_are_few_bars():
    one = small_result().launches[0]
    many = tuple(replace(one, begin_cycle=k, end_cycle=k + 1) for k in range(5000))
    figure = figure_of(small_result(launches=many))
    assert sum(len(axis.collections) for axis in figure.axes) < 20


def test_nothing_simulated_is_a_picture_too(tmp_path):
    line = small_result().timeline
    empty = {key: np.zeros(1) for key in vars(line) if key != "bin_cycles"}
    result = small_result(
        launches=(),
        stalls=(0,) * len(SIMULATED_STATES),
        issue_slots=0,
        timeline=replace(line, **empty),
    )
    write_plot(result, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size


@pytest.mark.parametrize("name", ["a.gif", "a", "png", "a.png.gz", ".png"])
def test_other_kinds_of_picture_are_refused(tmp_path, name):
    for refuse in (check_plot, lambda path: write_plot(small_result(), path)):
        with pytest.raises(UsageError, match=r"its name ends in \.pdf, \.png or \.svg"):
            refuse(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    with pytest.raises(UsageError, match="there is no folder"):
        check_plot(tmp_path / "none" / "a.png")
    (tmp_path / "a.png").mkdir()
    with pytest.raises(UsageError, match="it is a folder"):
        write_plot(small_result(), tmp_path / "a.png")
