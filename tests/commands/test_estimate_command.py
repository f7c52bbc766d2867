"""``warpmill estimate``: what it writes where more than one estimate is asked for."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from warpmill.cli.main import main
from warpmill.report import estimate_sections
from warpmill.simulator.machines import new_machine_text

SAMPLES = Path(__file__).parents[2] / "samples"
VECADD = ("estimate", str(SAMPLES / "vecadd" / "launch.toml"), "--size", "n=1048576")


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "100")

    def written(*words: str) -> str:
        assert main(list(words)) == 0
        return capsys.readouterr().out

    return written


def section(text: str, title: str) -> list[str]:
    lines = text.splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(title)) + 1
    return lines[start : [*lines, ""].index("", start)]


WHAT_IF = "What if: duration in µs, over that of now"


def test_changes_with_an_effect_are_shown_the_greatest_gain_first(out: Any) -> None:
    text = out(*VECADD, "-m", "v100", "--what-if")
    data = json.loads(out(*VECADD, "-m", "v100", "--what-if", "-f", "json"))
    (estimate,) = data["launches"][0]["estimates"]
    changes = estimate["what_if"]
    shown = [line for line in section(text, WHAT_IF) if "(" in line]
    ratios = [float(line.rpartition("(")[2].rstrip(")")) for line in shown]
    assert ratios == sorted(ratios)
    strong = [c for c in changes if not c["within_noise"]]
    assert estimate["what_if_noise_fraction"] == pytest.approx(0.01)
    assert all((abs(c["ratio"] - 1) > 0.01) != c["within_noise"] for c in changes)
    assert len(shown) == len(strong) < len(changes)
    assert shown[0].lstrip().startswith("twice the DRAM bandwidth")
    whole = out(*VECADD, "-m", "v100", "--what-if", "--verbose")
    cells = [x for x in section(whole, WHAT_IF) if "(" in x or "within noise" in x]
    assert len(cells) == len(changes)


def test_ratios_are_over_the_time_of_the_machine_as_it_is(out: Any) -> None:
    data = json.loads(out(*VECADD, "-m", "v100,a100", "--what-if", "-f", "json"))
    for estimate in data["launches"][0]["estimates"]:
        for change in estimate["what_if"]:
            assert change["ratio"] == pytest.approx(change["time_us"] / estimate["time_us"])
            assert change["factor"] in (0.5, 2.0) and not change["problem"]
        (sms,) = (c for c in estimate["what_if"] if (c["name"], c["factor"]) == ("sms", 2.0))
        count = {"v100": 80, "a100": 108}[estimate["machine"]]
        assert sms["settings"] == [
            {"key": "sm.count", "unit": "SMs", "before": count, "after": 2 * count}
        ]
    marks = estimate["marks"]
    assert (marks["what_if.ratio"], marks["what_if.factor"]) == ("modelled", "exact")


def test_changes_have_rows_of_their_own(out: Any) -> None:
    rows = list(csv.DictReader(out(*VECADD, "-m", "v100", "--what-if", "-f", "csv").splitlines()))
    (base,) = (row for row in rows if not row["what_if"])
    (half,) = (r for r in rows if (r["what_if"], r["factor"]) == ("dram_bandwidth", "0.5"))
    assert float(half["time_us"]) == pytest.approx(float(base["time_us"]) * float(half["ratio"]))
    assert (half["machine"], half["mark"]) == ("v100", "modelled")
    parts = float(half["execution_us"]) + float(half["launch_us"])
    assert parts == pytest.approx(float(half["time_us"]))


def test_nothing_is_changed_unless_asked(out: Any) -> None:
    data = json.loads(out(*VECADD, "-m", "v100", "-f", "json"))
    assert data["launches"][0]["estimates"][0]["what_if"] is None
    assert WHAT_IF not in out(*VECADD, "-m", "v100")


def test_changes_that_leave_no_estimate_are_told(out: Any) -> None:
    text = out(*VECADD, "-m", "v100", "--what-if", "--set", "reg.per_sm=4096", "--regs", "16")
    (line,) = (x for x in text.splitlines() if "half the register file:" in x)
    assert "v100" in line
    assert "registers of a CTA do not fit" in text


def test_where_no_change_has_an_effect_the_page_says_so(out: Any) -> None:
    tiny = (*VECADD[:2], "--size", "n=32", "-m", "v100", "--timed", "back-to-back")
    text = out(*tiny, "--what-if", "--set", "launch.back_to_back_us=900")
    assert section(text, WHAT_IF) == [
        "  twice or half of no one thing makes a difference beyond noise",
        "  noise  1.0% on v100",
    ]


# All launches together.


SCAN = ("estimate", str(SAMPLES / "scan" / "launch.toml"), "--size", "n=65536")


def test_all_launches_are_summed_up(out: Any) -> None:
    data = json.loads(out(*SCAN, "-m", "v100,a100", "-f", "json"))
    for number, total in enumerate(data["totals"]):
        estimates = [launch["estimates"][number] for launch in data["launches"]]
        for key in ("time_us", "execution_us", "launch_us"):
            assert total[key] == pytest.approx(sum(e[key] for e in estimates))
        assert (total["machine"], total["launches"], total["not_estimated"]) == (
            estimates[0]["machine"], 3, 0,
        )  # fmt: skip
        times = [x["time_us"] for x in total["by_launch"]]
        assert times == sorted((e["time_us"] for e in estimates), reverse=True)
        for part in ("by_launch", "kernels"):
            assert sum(x["fraction"] for x in total[part]) == pytest.approx(1.0)
        counts = {k["kernel"].partition("(")[0]: k["launches"] for k in total["kernels"]}
        assert counts == {"scan_blocks": 2, "scan_add": 1}
        for kernel in total["kernels"]:
            own = [x["time_us"] for x in total["by_launch"] if x["kernel"] == kernel["kernel"]]
            assert kernel["time_us"] == pytest.approx(sum(own))


def test_launches_of_several_files_are_named_with_them(out: Any) -> None:
    files = [str(SAMPLES / name / "launch.toml") for name in ("vecadd", "reduce")]
    words = ("--size", "n=4096", "-m", "v100", "-f", "json")
    (total,) = json.loads(out("estimate", *files, *words))["totals"]
    assert {x["kernel"]: x["file"] for x in total["by_launch"]} == dict(
        zip(("vecadd", "reduce"), files, strict=True)
    )
    (alone,) = json.loads(out("estimate", files[0], *words))["totals"]
    assert [x["file"] for x in alone["by_launch"]] == [None]


def test_the_sum_stands_above_the_launches(out: Any) -> None:
    text = out(*SCAN, "-m", "v100,a100")
    assert text.count("estimate: scan_") == 3
    page = text[text.index("estimate: 3 launches\n") :]
    whole = section(page, "All launches")[1]
    data = json.loads(out(*SCAN, "-m", "v100,a100", "-f", "json"))
    assert [float(x) for x in whole.split()[2:]] == [
        pytest.approx(t["time_us"], rel=1e-3) for t in data["totals"]
    ]
    assert len(section(page, "By kernel: duration in µs, share")) == 3
    assert len(section(page, "By launch: duration in µs, share")) == 4


def test_every_launch_has_a_page_where_everything_is_asked_for(
    out: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimate_sections, "MOST_PAGES", 1)
    one = (*SCAN, "-m", "v100")
    assert (out(*one).count("estimate: scan_"), out(*one, "-v").count("estimate: scan_")) == (1, 3)


def test_one_launch_is_not_summed_up(out: Any) -> None:
    assert "Whole application" not in out(*VECADD, "-m", "v100")
    data = json.loads(out(*VECADD, "-m", "v100", "-f", "json"))
    assert data["totals"][0]["time_us"] == data["launches"][0]["estimates"][0]["time_us"]


def test_of_many_launches_those_that_take_longest_have_pages(out: Any) -> None:
    every = ("estimate", "bfs:tiny", "--launch", "all", "-m", "v100")
    text = out(*every)
    data = json.loads(out(*every, "-f", "json"))
    count = len(data["launches"])
    assert count > 4
    assert text.count("estimate: bfs") == 4
    assert f"estimate: {count} launches\n" in text
    longest = data["totals"][0]["by_launch"][0]
    by_launch = section(text, "By launch: duration in µs, share")
    assert by_launch[0].strip().startswith(f"{longest['number']}: ")
    assert len({x["number"] for x in data["totals"][0]["by_launch"]}) == count


def test_ranges_of_launches_are_summed_up_end_by_end(tmp_path: Path, out: Any) -> None:
    """The same launch twice; one of the loops that data decide, the other is assumed as a range."""
    text = (SAMPLES / "spmv" / "launch.toml").read_text().replace("65536", "4096")
    module = str(SAMPLES / "spmv" / "spmv.sm_80.ptx")
    sizes, launch = text.replace("spmv.sm_80.ptx", module).split("[[launch]]")
    (tmp_path / "launch.toml").write_text("[[launch]]".join([sizes, launch, launch]))
    words = ("estimate", str(tmp_path / "launch.toml"), "-m", "v100", "--trace", "static")
    assumed = ("--assume", "$L__BB0_4=0..3", "--assume", "$L__BB0_7=4")
    data = json.loads(out(*words, *assumed, "-f", "json"))
    (total,) = data["totals"]
    each = [x["estimates"][0]["ranges"]["time_us"] for x in data["launches"]]
    assert len(each) == 2
    for end in ("low", "high"):
        assert total["time_range_us"][end] == pytest.approx(sum(one[end] for one in each))
    assert total["time_us"] == pytest.approx(total["time_range_us"]["low"])
    assert total["time_range_us"]["low"] < total["time_range_us"]["high"]
    assert total["marks"]["time_range_us"] == "assumed"
    page = out(*words, *assumed).partition("estimate: 2 launches")[2]
    line = next(x for x in page.splitlines() if "as assumed" in x)
    assert f".. {total['time_range_us']['high']:.4g}?" in page, line
    fixed = json.loads(out(*words, *assumed[2:], "--assume", "$L__BB0_4=1", "-f", "json"))
    assert fixed["totals"][0]["time_range_us"] is None


WIDE = """[sizes]
n = 65536
{launches}"""
ONE = """
[[launch]]
name = "by {block}"
module = "{module}"
kernel = "vecadd"
grid = ["ceil(n / {block})"]
block = [{block}]
args = [
  {{ buffer = "f32", shape = ["n"] }}, {{ buffer = "f32", shape = ["n"] }},
  {{ buffer = "f32", shape = ["n"] }}, {{ i32 = "n" }},
]
"""


def test_launches_without_an_estimate_are_in_no_sum(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A machine whose CTAs have 512 threads at most."""
    narrow = tmp_path / "narrow.toml"
    narrow.write_text(new_machine_text("v100", {"sm.max_threads_per_block": 512}, "narrow"))
    text = (SAMPLES / "vecadd" / "vecadd.sm_80.ptx").read_text()
    (tmp_path / "k.ptx").write_text(text)
    launches = "".join(ONE.format(block=block, module="k.ptx") for block in (256, 1024))
    (tmp_path / "launch.toml").write_text(WIDE.format(launches=launches))
    words = ["estimate", str(tmp_path / "launch.toml"), "-m", f"v100,{narrow}", "--regs", "9"]
    assert main([*words, "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    found = {t["machine"]: (t["launches"], t["not_estimated"]) for t in data["totals"]}
    assert found == {"v100": (2, 0), "narrow": (1, 1)}
    (only,) = data["totals"][1]["by_launch"]
    assert (only["launch"], only["fraction"]) == ("by 256", 1.0)
    assert data["totals"][1]["time_us"] == only["time_us"]
    assert main(words) == 0
    page = capsys.readouterr().out
    (missing,) = (line for line in page.splitlines() if "Launches not estimated" in line)
    assert [x.rstrip("=") for x in missing.split()[-2:]] == ["0", "1"]
    (wide,) = (line for line in page.splitlines() if line.strip().startswith("by 1024"))
    assert wide.split()[-1] == "-"
