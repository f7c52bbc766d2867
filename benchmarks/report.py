"""How long a report takes to make, how large it is, and how long a browser takes to show one.

Seconds are those on the clock, the least of the runs, after one that is not measured. Chromium is
Debian's, headless, from opening a report until its first chart is drawn. ``--docs`` writes the
picture of a report that README shows.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import Annotated

from warpmill.analyzer.base.metric import Metric
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, say
from warpmill.benchmarks.startup import Case, seconds
from warpmill.report.base import Part
from warpmill.report.sections import Comparison

MATMUL = "samples/matmul/launch.toml"
RUNS, QUICK_RUNS, KERNELS = 3, 1, 200
CASES = {
    "report_s": ("report", MATMUL),
    "report_256_s": ("report", MATMUL, "--size", "n=256"),
    "without_simulation_s": ("report", MATMUL, "--without", "simulate"),
}
MANY = ("--without", "what-if,simulate,dfsg")
"""What is left out of reports of many kernels."""
DRAWN = "figure .plot svg, figure .plot canvas"


class ReportResult(Part):
    """Seconds and sizes; of Chromium None where there is none."""

    report_s: Annotated[float, Metric("report of one kernel", "s")]
    report_256_s: Annotated[float, Metric("the same of matrices of 256 rows", "s")]
    without_simulation_s: Annotated[float, Metric("the first without simulation", "s")]
    report_kb: Annotated[float, Metric("size of the report of one kernel, kB")]
    kernels_200_kb: Annotated[float, Metric("size of a report of 200 kernels, kB")]
    kernels_200_s: Annotated[float | None, Metric("200 kernels shown by Chromium", "s")]


def report(words: Sequence[str], file: Path) -> float:
    """The seconds on the clock that a report takes."""
    return seconds(Case("", " ".join(("warpmill", *words, "-o", str(file)))))[1]


def many_kernels(folder: Path, number: int = KERNELS) -> Path:
    """A launch file of different kernels, each with its source's loop, barrier and loads."""
    text = (ROOT / "samples" / "matmul" / "matmul.sm_80.ptx").read_text("utf-8")
    head, _, body = text.partition(".visible .entry")
    kernels = (
        ".visible .entry" + body.replace("matmul", f"matmul{k}").replace("$L__", f"$L{k}__")
        for k in range(number)
    )
    shared = "\n".join(line for line in head.splitlines() if ".shared" not in line)
    (folder / "many.ptx").write_text(shared + "\n".join(kernels), "utf-8")
    buffer = '{ buffer = "f32", shape = [4096], init = { uniform = [0, 1] }, seed = 1 }'
    launches = (
        f'[[launch]]\nmodule = "many.ptx"\nkernel = "matmul{k}"\ngrid = [4, 4]\nblock = [16, 16]\n'
        f"args = [{buffer}, {buffer}, {buffer}, {{ i32 = 64 }}]\n"
        for k in range(number)
    )
    file = folder / "launch.toml"
    file.write_text("\n".join(launches), "utf-8")
    return file


def shown(page: Path, runs: int, picture: Path | None = None) -> float | None:
    """The seconds until a browser has drawn the first charts of a page; None without Chromium."""
    browser = which("chromium")
    if browser is None:
        return None
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as play:
        arguments = ["--no-sandbox", "--disable-gpu"]
        chromium = play.chromium.launch(executable_path=browser, args=arguments)
        taken = []
        for _ in range(runs + 1):
            tab = chromium.new_page(viewport={"width": 1100, "height": 1230}, color_scheme="light")
            begin = time.perf_counter()
            tab.goto(page.as_uri())
            tab.wait_for_selector(DRAWN, state="attached")
            taken.append(time.perf_counter() - begin)
            if picture is not None:
                tab.screenshot(path=picture)
            tab.close()
        chromium.close()
    return min(taken[1:])


def measure(request: Request) -> ReportResult:
    """Make the reports, and show the large one."""
    runs = QUICK_RUNS if request.quick else RUNS
    least = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for figure, words in CASES.items():
            say(f"warpmill {' '.join(words)}")
            file = folder / f"{figure}.html"
            least[figure] = min([report(words, file) for _ in range(runs + 1)][1:])
        say(f"a report of {KERNELS} kernels")
        large = folder / "large.html"
        report(("report", str(many_kernels(folder)), *MANY), large)
        return ReportResult(
            **least,
            report_kb=(folder / "report_s.html").stat().st_size / 1000,
            kernels_200_kb=large.stat().st_size / 1000,
            kernels_200_s=shown(large, runs),
        )


def draw(_: ReportResult, folder: Path) -> None:
    """Write the picture of a report, where there is Chromium."""
    with tempfile.TemporaryDirectory() as name:
        page = Path(name) / "report.html"
        report(CASES["report_s"], page)
        shown(page, 1, folder / "matmul.png")


BENCHMARK: Benchmark[ReportResult] = Benchmark(
    name="report",
    about="How long a report takes to make, how large it is, how long Chromium takes to show it.",
    takes="4 minutes",
    result=":ReportResult",
    measure=":measure",
    sections=(
        Comparison("Reports", (*CASES, "report_kb", "kernels_200_kb", "kernels_200_s")),
    ),
    goals=(Goal("report_s", 5.0), Goal("report_kb", 3000.0), Goal("kernels_200_s", 3.0)),
    draw=":draw",
)  # fmt: skip
