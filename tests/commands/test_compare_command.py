"""Variants side by side: their figures are those of estimates, the greatest change first."""

import json
from pathlib import Path

import pytest

import warpmill
from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.cli.main import main
from warpmill.reports import compare, diff, estimate

VECADD, REDUCE = "samples/vecadd/launch.toml", "samples/reduce/launch.toml"
SIZES = {"n": 4096}


@pytest.fixture(scope="module")
def machines():
    return compare(VECADD, machine=("a100", "v100"), sizes=SIZES)


def test_machines_have_the_times_of_estimates(machines):
    alone = estimate(VECADD, machine=("a100", "v100"), sizes=SIZES).launches[0].estimates
    assert [one.time_us for one in machines.variants] == [one.time_us for one in alone]
    assert machines.names == ("a100", "v100")
    assert machines.ratios == (1.0, alone[1].time_us / alone[0].time_us)


def test_causes_make_up_the_time(machines):
    for one in machines.variants:
        assert sum(c.time_us for c in one.breakdown) == pytest.approx(one.time_us)


def test_figures_differ_and_the_greatest_change_is_first(machines):
    first, other = (one.estimates[0] for one in machines.variants)
    found = {one.key: one for one in machines.figures}
    assert found["clock_mhz"].values == (first.clock_mhz, other.clock_mhz)
    assert found["roofline.dram_gb_per_s"].values == tuple(
        one.roofline.dram_gb_per_s for one in (first, other)
    )
    assert all(len({*one.values}) > 1 for one in machines.figures)
    known = [one.change for one in machines.figures if one.change is not None]
    assert known == sorted(known, reverse=True)
    low, high = sorted(found["clock_mhz"].values)
    assert found["clock_mhz"].change == pytest.approx(high / low)


def test_the_answer_says_which_is_faster_and_by_what(machines):
    (said,) = machines.answer
    (back,) = compare(VECADD, machine=("v100", "a100"), sizes=SIZES).answer
    ratio = machines.ratios[1]
    assert ratio < 1  # a launch this small hangs on latencies, which are shorter on a V100
    assert said.startswith(f"v100 is {1 / ratio:.3g} times as fast as a100: ")
    assert back.startswith(f"a100 takes {1 / ratio:.3g} times as long as v100: ")
    assert "saves" in said
    assert "adds" in back


def test_targets_are_named_by_what_tells_them_apart():
    found = compare((VECADD, REDUCE), machine="a100", sizes=SIZES)
    assert found.names == (VECADD, REDUCE)  # both files are called launch.toml
    both = compare((VECADD, REDUCE), machine=("a100", "v100"), sizes=SIZES)
    assert both.names[1] == f"{VECADD}, v100"
    assert [one.target for one in both.variants] == [VECADD, VECADD, REDUCE, REDUCE]


def test_equal_variants_take_as_long():
    found = compare((VECADD, VECADD), machine="a100", sizes=SIZES)
    assert found.names == ("a100", "a100 (2)")  # charts have both
    assert found.figures == ()
    assert "takes as long as" in found.answer[0]


def test_the_page_says_what_the_times_rest_on(machines):
    said = str(machines).partition("Assumptions and provenance")[2]
    assert "static traces" in said
    assert said.count("estimates were off by") + said.count("were off by") >= 2


def test_launches_of_a_target_are_summed():
    found = compare("bfs:tiny", machine=("a100", "v100"))
    times = [warpmill.estimate(job, "a100").time_us for job in warpmill.prepare_all("bfs:tiny")]
    assert found.variants[0].time_us == pytest.approx(sum(times))
    assert found.figures == ()


def test_one_variant_is_refused():
    with pytest.raises(UsageError, match="there is one variant"):
        compare(VECADD, machine="a100", sizes=SIZES)


def test_all_that_is_wrong_is_said_at_once(capsys):
    assert main(["compare", "missing.toml", "absent.toml", "--machine", "nosuch"]) != 0
    said = capsys.readouterr().err
    assert all(name in said for name in ("missing.toml", "absent.toml", "nosuch"))


def test_html_has_the_data_and_a_chart(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert (
        main(["compare", VECADD, "-m", "a100,v100", "--size", "n=4096", "--html", str(page)]) == 0
    )
    assert "v100" in capsys.readouterr().out
    text = page.read_text("utf-8")
    data = text.partition('id="warpmill-data">')[2].partition("</script>")[0]
    assert json.loads(data)["report"] == "compare"
    assert 'data-chart="bars"' in text
    assert "warpmill compare" in text.partition("<footer>")[2]


def test_diff_and_compare_have_the_same_registers_and_shared_memory(tmp_path):
    """`diff` is about code, `compare` about time: what both tell of a kernel is equal."""
    own = Path("samples/reduce/launch.toml")
    builds = [tmp_path / "a.toml", tmp_path / "b.toml"]
    modules = [own.with_name(f"reduce.sm_80{kind}.ptx").resolve() for kind in ("", ".clang")]
    for build, module in zip(builds, modules, strict=True):
        build.write_text(own.read_text("utf-8").replace("reduce.sm_80.ptx", str(module)), "utf-8")
    (kernel,) = diff(*map(str, builds), all_rows=True).to_dict()["kernels"]
    rows = {(row["key"], row["of"]): (row["a"], row["b"]) for row in kernel["figures"]}
    found = compare(tuple(map(str, builds)), machine="a100", sizes=SIZES).variants
    (registers,) = (
        both for (key, of), both in rows.items() if key == "registers" and "sm_80" in str(of)
    )
    assert registers == tuple(one.estimates[0].registers.registers_per_thread for one in found)
    assert rows["static_shared_bytes", None] == tuple(
        one.estimates[0].shared_bytes for one in found
    )
