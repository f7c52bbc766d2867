"""How long a report takes to make, how large it is, and how long a browser takes to show one.

    python -m benchmarks.report            a table
    python -m benchmarks.report --json     the figures as one JSON object on the last line
    python -m benchmarks.report --quick    one run each, not three
    python -m benchmarks.report --docs     write docs/report.png, the picture in README, too

Seconds are those on the clock, the least of the runs, after one that is not measured: `report_s` of
`warpmill report samples/matmul/launch.toml` from start to end, `report_256_s` of matrices of 256
rows, `without_simulation_s` of the first without its simulation. `kernels_200_s` is from opening a
report of 200 kernels in Chromium (Debian's, headless) until its first chart is drawn; without
Chromium it is null.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from shutil import which

ROOT = Path(__file__).resolve().parents[1]
MATMUL = "samples/matmul/launch.toml"
RUNS, QUICK_RUNS, KERNELS = 3, 1, 200
CASES = {
    "report_s": ("report", MATMUL),
    "report_256_s": ("report", MATMUL, "--size", "n=256"),
    "without_simulation_s": ("report", MATMUL, "--without", "simulate"),
}
MANY = ("--without", "what-if,simulate,dfsg")
"""What is left out of reports of many kernels."""
GOALS = {"report_s": 5.0, "report_kb": 3000.0, "kernels_200_s": 3.0}
DRAWN = "figure .plot svg, figure .plot canvas"


def report(words, file):
    """The seconds on the clock that a report takes."""
    command = (sys.executable, "-m", "warpmill", *words, "-o", str(file))
    begin = time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - begin
    if done.returncode != 0:
        raise SystemExit(f"warpmill {' '.join(words)}: exit code {done.returncode}\n{done.stderr}")
    return taken


def many_kernels(folder, number=KERNELS):
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


def shown(page, runs, picture=None):
    """The seconds until a browser has drawn the first charts of a page; None without Chromium."""
    browser = which("chromium")
    if browser is None:
        return None
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only where there is a browser

    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
        )
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


def measure(runs, *, docs):
    """The figures, with what they should not exceed."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for figure, words in CASES.items():
            print(f"warpmill {' '.join(words)}", file=sys.stderr, flush=True)
            file = folder / f"{figure}.html"
            found[figure] = round(min([report(words, file) for _ in range(runs + 1)][1:]), 2)
        made = folder / "report_s.html"
        found["report_kb"] = round(made.stat().st_size / 1000, 1)
        if docs:
            shown(made, 1, ROOT / "docs" / "report.png")
        print(f"a report of {KERNELS} kernels", file=sys.stderr, flush=True)
        large = folder / "large.html"
        report(("report", str(many_kernels(folder)), *MANY), large)
        found["kernels_200_kb"] = round(large.stat().st_size / 1000, 1)
        taken = shown(large, runs)
        found["kernels_200_s"] = None if taken is None else round(taken, 2)
    known = {name: found[name] for name in GOALS if found[name] is not None}
    return {
        "benchmark": "report",
        "python": platform.python_version(),
        "machine": platform.machine(),
        "runs": runs,
        **found,
        "goals": GOALS,
        "reached": {name: value <= GOALS[name] for name, value in known.items()},
    }


def table(result):
    """Lay the figures out for people."""
    yield f"{'figure':<24}{'measured':>10}{'goal':>10}"
    for name in (*CASES, "report_kb", "kernels_200_kb", "kernels_200_s"):
        goal = f"{GOALS[name]:10,.0f}" if name in GOALS else " " * 10
        value = "-" if result[name] is None else f"{result[name]:,.2f}"
        missed = "" if result["reached"].get(name, True) else "  missed"
        yield f"{name:<24}{value:>10}{goal}{missed}"


def main():
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="one run each, not three")
    parser.add_argument("--docs", action="store_true", help="write docs/report.png, too")
    arguments = parser.parse_args()
    result = measure(QUICK_RUNS if arguments.quick else RUNS, docs=arguments.docs)
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))


if __name__ == "__main__":
    main()
