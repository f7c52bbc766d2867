"""The plugin of pytest: a device for each test, and findings that fail tests."""

import subprocess
import sys
from xml.etree import ElementTree as ET

import pytest

import warpmill
from tests.commands.test_check_command import KERNEL
from tests.documents.test_imports import HEAVY
from warpmill.executor.host import device
from warpmill.executor.host.cpu_device import CpuBackend

pytest_plugins = ["pytester"]

PLUGIN = (
    *("-p", "no:warpmill", "-p", "warpmill.testing.plugin"),
    *("-p", "no:hypothesispytest", "-p", "no:cacheprovider", "-q"),
)
"""Options of pytest with the plugin, whether it is installed or only lies here.

That of hypothesis loads all of it at the end of each run.
"""

KERNELS = (
    KERNEL
    + """.visible .entry same(.param .u64 a)
{
  .reg .b64 %rd;
  ld.param.u64 %rd, [a];
  st.global.u32 [%rd], 7;
  ret;
}
.visible .entry trap()
{
  trap;
  ret;
}
"""
)

HEAD = """
import numpy as np
import pytest

@pytest.fixture
def launch(gpu):
    kernels = gpu.load("kernels.ptx")
    a, b = gpu.array(np.arange(32, dtype="u4"), name="a"), gpu.zeros(32, "u4")

    def launch(name, *numbers):
        arrays = {"copy": [a, b], "same": [a], "trap": []}[name]
        gpu.launch(kernels[name], 1 + (name == "same"), 32, [*arrays, *numbers])

    return launch
"""
"""A fixture of the tests: ``launch("copy", past)`` copies 32 words, those from ``past`` on."""


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory):
    """Load here what the plugin loads: pytester forgets modules that came while it ran."""
    path = tmp_path_factory.mktemp("kernels") / "kernels.ptx"
    path.write_text(KERNELS)
    print(warpmill.check(path, kernel="same", grid=1, block=32, args=["buffer=u32:1"]))


@pytest.fixture
def tested(pytester):
    """Run a test file beside the kernels; gives what pytest printed, and how it ended."""
    (pytester.path / "kernels.ptx").write_text(KERNELS)

    def tested(text, *options):
        pytester.makepyfile(HEAD + text)
        return pytester.runpytest_inprocess(*PLUGIN, *options)

    return tested


COPY = """
def test_copy(launch):
    launch("copy", {past})
"""


def test_nothing_watches_unless_it_is_asked_for(tested):
    done = tested(COPY.format(past=0), "--junit-xml=junit.xml")
    done.assert_outcomes(passed=1)
    assert "checked by" not in done.stdout.str()


def test_the_device_is_fresh_for_each_test(tested):
    done = tested(
        "import warpmill\nseen = []\n"
        "@pytest.mark.parametrize('n', [1, 2])\n"
        "def test_one(gpu, n):\n    seen.append(gpu)\n    array = gpu.zeros(4)\n"
        "    assert isinstance(gpu, warpmill.Device)\n    assert len(gpu.arrays) == 1\n"
        "def test_both():\n    assert seen[0] is not seen[1]\n    assert not seen[0].arrays\n"
    )
    done.assert_outcomes(passed=3)


def test_errors_fail_a_test_that_passed_else_with_the_page_and_the_line(tested, pytester):
    done = tested(COPY.format(past=3), "--warpmill-check", "--junit-xml=junit.xml")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines([
        "memcheck: out of bounds in copy, *kernels.ptx:16",
        "*1 error in 1 launch, by memcheck, *",
        "memcheck: out of bounds  (error, 3 times)",
        "*| *ld.global.u32 %r3, [[]%rd3[]];",
        "`copy` was launched at test_*.py:*",
        "*checked by warpmill: 1 findings*",
        "FAILED test_*::test_copy*",
    ])  # fmt: skip
    number = int(_launched_at(done.stdout.str()))
    lines = next(pytester.path.glob("test_*.py")).read_text("utf-8").splitlines()
    assert "gpu.launch(" in lines[number - 1]
    assert properties(pytester)["warpmill_check"] == "findings"
    assert properties(pytester)["warpmill_findings"].startswith("memcheck: `ld.global.u32` ")


def _launched_at(text):
    (line,) = {one for one in text.splitlines() if one.startswith("`copy` was launched at ")}
    return line.rpartition(":")[2]


def properties(pytester):
    found = ET.parse(pytester.path / "junit.xml").iter("property")
    return {one.get("name"): one.get("value") for one in found}


def test_clean_tests_pass_and_are_counted(tested, pytester):
    done = tested(COPY.format(past=0), "--warpmill-check=memcheck", "--junit-xml=junit.xml")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["*checked by warpmill: 1 clean*"])
    assert properties(pytester) == {"warpmill_check": "clean"}


def test_only_the_tools_that_were_named_watch(tested):
    assert tested(SAME, "--warpmill-strict", "--warpmill-check=memcheck,synccheck").ret == 0
    assert tested(SAME, "--warpmill-strict", "--warpmill-check=memcheck,racecheck").ret == 1


def test_a_test_that_failed_keeps_its_failure_and_has_findings_below(tested):
    done = tested(COPY.format(past=3) + "    assert 1 == 2\n", "--warpmill-check")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["E *assert 1 == 2", "*Captured by warpmill's checks in call*", "memcheck: out of bounds *"]
    )


def test_a_fault_that_ends_a_launch_is_told_as_what_was_found(tested, pytester):
    text = 'def test_trap(launch):\n    launch("trap")\n'
    done = tested(text, "--warpmill-check", "--junit-xml=junit.xml")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        ["E *ExecutionFault*", "*ended the run there.", "memcheck: aborted *"]
    )
    assert properties(pytester)["warpmill_check"] == "findings"


SAME = """
def test_same(launch):
    launch("same")
"""


@pytest.mark.parametrize(
    ("options", "mark"),
    [(("--warpmill-strict",), ""), ((), "@pytest.mark.warpmill(strict=True)")],
)
def test_warnings_stand_in_the_report_and_fail_the_strict(tested, options, mark):
    done = tested(SAME, "--warpmill-check", "-rP")
    done.assert_outcomes(passed=1)
    done.stdout.fnmatch_lines(["racecheck: race of equal values  (warning, *", "*1 warnings*"])
    tested(f"{mark}{SAME}", "--warpmill-check", *options).assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("options", "marks", "ends"),
    [
        ((), "check='racecheck'", 1),
        ((), "check=['racecheck', 'memcheck']", 1),
        ((), "check='memcheck'", 0),
        ((), "check=True", 1),
        (("--warpmill-check",), "check=False", 0),
        (("--warpmill-check=racecheck",), "check='synccheck'", 0),
        (("--warpmill-check=synccheck",), "check='racecheck'", 1),
    ],
)
def test_markers_choose_before_the_command_line_does(tested, options, marks, ends):
    text = f"@pytest.mark.warpmill({marks})\n" + SAME.lstrip()
    assert tested(text, "--warpmill-strict", *options).ret == ends


def test_the_nearest_marker_wins_and_others_add_to_it(tested):
    text = (
        "pytestmark = pytest.mark.warpmill(check='memcheck', strict=True)\n"
        "@pytest.mark.warpmill(check='{}')\n"
    )
    tested(text.format("racecheck") + SAME.lstrip()).assert_outcomes(failed=1)
    tested(text.format("synccheck") + SAME.lstrip()).assert_outcomes(passed=1)
    tested(text.partition("@")[0] + SAME).assert_outcomes(passed=1)


def test_what_is_found_as_fixtures_end_is_an_error_there(tested):
    done = tested(
        "@pytest.fixture\ndef late(launch):\n    yield\n    launch('copy', 3)\n"
        "def test_late(late):\n    pass\n",
        "--warpmill-check",
    )
    done.assert_outcomes(passed=1, errors=1)
    done.stdout.fnmatch_lines(["*1 findings*"])


def test_budgets_hold_figures_of_the_launches(tested, pytester):
    budget = "@pytest.mark.warpmill_budget(machine='a100', {})\n"
    text = budget.format("time_us=1e6, occupancy_fraction=0.01") + COPY.format(past=0).lstrip()
    done = tested(text, "--junit-xml=junit.xml")
    done.assert_outcomes(passed=1)
    assert properties(pytester) == {"warpmill_check": "clean"}
    text = budget.format("time_us=1e-3, kernel='copy'") + text
    done = tested(text, "--junit-xml=junit.xml")
    done.assert_outcomes(failed=1)
    told = "budget: copy (launch 0) on a100: Duration * µs, beyond the most of 0.001 µs"
    done.stdout.fnmatch_lines(
        [told, "*1 error in 3 figures, by budget.", "*checked by * findings*"]
    )
    assert properties(pytester)["warpmill_findings"].startswith("budget: copy (launch 0) on ")


def test_budgets_and_sanitizers_are_one_check(tested, pytester):
    text = "@pytest.mark.warpmill_budget(machine='a100', registers_per_thread=1)\n"
    text += COPY.format(past=3).lstrip()
    done = tested(text, "--warpmill-check=memcheck", "--junit-xml=junit.xml")
    done.assert_outcomes(failed=1)
    told = properties(pytester)["warpmill_findings"].splitlines()
    assert [line.partition(":")[0] for line in told] == ["memcheck", "budget"]
    done.stdout.fnmatch_lines(
        [
            "memcheck: out of bounds in * (and 1 more)",
            "*2 errors in 1 launch, by memcheck and 1 figure*",
        ]
    )


def test_figures_of_a_test_that_failed_are_not_held(tested):
    text = "@pytest.mark.warpmill_budget(machine='a100', time_us=1e-3)\n"
    done = tested(text + "def test_one(launch):\n    launch('copy', 0)\n    assert 1 == 2\n")
    done.assert_outcomes(failed=1)
    assert "beyond" not in done.stdout.str()


@pytest.mark.parametrize(
    ("marks", "words"),
    [
        ("time_us=1", "*needs the name of a machine*"),
        ("machine='a100'", "*needs a figure; figures are time_us, *"),
        ("machine='a100', registers=1", "*no figure `registers`; figures are time_us, registers_*"),
        ("machine='a100', time_us='1'", "*time_us is a number*"),
        ("machine='a100', time_us={}", "*time_us is a number*"),
        ("machine='z100', time_us=1", "*z100*"),
    ],
)
def test_budgets_that_mean_nothing_are_refused(tested, marks, words):
    text = f"@pytest.mark.warpmill_budget({marks})\n" + COPY.format(past=0).lstrip()
    done = tested(text)
    assert done.ret == 1
    done.stdout.fnmatch_lines([words])


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--warpmill-check=leaks",), "there is no check `leaks`; tools are memcheck, *"),
        (("--warpmill-check", "--warpmill-device=cuda"), "--warpmill-check is of the executor*"),
    ],
)
def test_options_that_mean_nothing_are_refused(tested, options, words):
    done = tested(COPY.format(past=0), *options)
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines([f"ERROR: *{words}"])


@pytest.mark.parametrize("marks", ["chekc='memcheck'", "'memcheck'", "check='leaks'"])
def test_markers_that_mean_nothing_are_refused(tested, marks):
    text = f"@pytest.mark.warpmill({marks})\n" + COPY.format(past=0).lstrip()
    tested(text).assert_outcomes(errors=1)


def test_the_device_is_chosen_and_a_gpu_is_not_watched(tested, monkeypatch):
    seen = []
    monkeypatch.setattr(device, "_backend", lambda name, _: seen.append(name) or CpuBackend())
    text = "@pytest.mark.warpmill(check='memcheck')\n" + COPY.format(past=0).lstrip()
    done = tested(text, "--warpmill-device=cuda")
    done.assert_outcomes(passed=1)
    assert seen == ["cuda"]
    assert "checked by" not in done.stdout.str()


def test_the_plugin_loads_nothing_that_takes_time():
    code = "import sys, warpmill.testing.plugin; print(*sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert HEAVY & set(done.stdout.split()) == set()
