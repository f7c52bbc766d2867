"""The tables of docs/engines_speed.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from benchmarks.engines_speed_parts.figures import RATIOS, gpgpusim_seconds
from benchmarks.engines_speed_parts.paper import table_v
from benchmarks.pages import table as markdown

Result = Mapping[str, Any]


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Write a table in Markdown."""
    text: str = markdown(header, rows)
    return text


def seconds(value: float | None) -> str:
    """Write seconds in three digits, small ones as milliseconds; ``-`` where they are unknown."""
    if value is None:
        return "-"
    if value < 1:
        return f"{_three(value * 1e3)} ms"
    return f"{_three(value)} s"


def ratio(value: float) -> str:
    """Write how many times in three digits."""
    return f"{_three(value)}×"


def _three(value: float) -> str:
    return f"{value:,.{0 if value >= 100 else 1 if value >= 10 else 2}f}"


def beside_the_paper(result: Result, machine: str) -> str:
    """Show Table V with the same of warpmill beside it, on one machine."""
    header = (
        "application", "GPGPU-Sim", "framework", "ratio", "`simulate`, all launches",
        "`estimate`, each kernel once", "ratio", "GPGPU-Sim at its median rate",
    )  # fmt: skip
    return table(header, _paper_rows(result, machine))


def _paper_rows(result: Result, machine: str) -> Iterator[tuple[str, ...]]:
    rate = result["gpgpusim"]["warp_instructions_per_cpu_s"]
    for row in _on(result, machine):
        paper = table_v().applications[row["workload"]]
        yield (
            row["workload"],
            seconds(paper.gpgpusim_ms / 1e3),
            seconds(paper.framework_ms / 1e3),
            f"{paper.speedup:,.2f}×",
            seconds(row["simulate_all"]["cpu_s"]),
            seconds(row["estimate_each_kernel_once"]["cpu_s"]),
            ratio(row["cpu_ratios"]["each_kernel_once"]),
            seconds(gpgpusim_seconds(row, rate)),
        )
    printed, own = table_v().mean, result["means"][machine]
    yield (
        "geometric mean",
        seconds(printed.gpgpusim_ms / 1e3),
        seconds(printed.framework_ms / 1e3),
        f"{result['paper']['of_its_rows']:,.2f}× (printed: {printed.speedup:,.2f}×)",
        seconds(own["simulate_all"]["cpu_s"]),
        seconds(own["estimate_each_kernel_once"]["cpu_s"]),
        ratio(own["cpu_ratios"]["each_kernel_once"]),
        "",
    )


def means(result: Result) -> str:
    """Show geometric means of each machine."""
    header = ("machine", *_WORDS, "`simulate`", "`estimate`, all", "`estimate`, once")
    return table(header, (_mean(*one) for one in result["means"].items()))


_WORDS = ("each kernel once", "all launches", "launch by launch")


def _mean(machine: str, own: Mapping[str, Any]) -> tuple[str, ...]:
    ratios = (
        f"{ratio(own['cpu_ratios'][key])} ({ratio(own['wall_ratios'][key])})" for key in RATIOS
    )
    keys = ("simulate_all", "estimate_all", "estimate_each_kernel_once")
    return (machine, *ratios, *(seconds(own[key]["cpu_s"]) for key in keys))


def applications(result: Result) -> str:
    """Show every application on every machine: seconds of CPU time, and those of the clock."""
    header = (
        "application", "machine", "launches", "warp instructions", "`simulate`, all",
        "`estimate`, all", "ratio", "`estimate`, once", "ratio", "host program",
    )  # fmt: skip
    return table(header, map(_application, result["rows"]))


def _application(row: Mapping[str, Any]) -> tuple[str, ...]:
    executed = row["warp_instructions"]
    return (
        row["workload"],
        row["machine"],
        f"{row['launches']:,}",
        "-" if executed is None else f"{executed:,}",
        _both(row["simulate_all"]),
        _both(row["estimate_all"]),
        ratio(row["cpu_ratios"]["all_launches"]),
        _both(row["estimate_each_kernel_once"]),
        ratio(row["cpu_ratios"]["each_kernel_once"]),
        seconds(row["host"]["cpu_s"]),
    )


def _both(spent: Mapping[str, float]) -> str:
    return f"{seconds(spent['cpu_s'])} ({seconds(spent['wall_s'])})"


def kernels(result: Result) -> str:
    """Show the launches that were asked for alone: seconds, and the times that are predicted."""
    header = (
        "kernel", "launch", "machine", "`simulate`", "`estimate`", "ratio", "simulated µs",
        "estimated µs", "over simulated",
    )  # fmt: skip
    rows = (_kernel(row, one) for row in result["rows"] for one in row["kernels"])
    return table(header, rows)


def _kernel(row: Mapping[str, Any], one: Mapping[str, Any]) -> tuple[str, ...]:
    estimated, simulated = one["estimate"], one["simulate"]
    return (
        one["kernel"],
        f"{one['launch']:,}",
        row["machine"],
        seconds(simulated["cpu_s"]),
        seconds(estimated["cpu_s"]),
        ratio(simulated["cpu_s"] / estimated["cpu_s"]),
        *_times(estimated["time_us"], simulated["time_us"]),
    )


def _times(estimated: float, simulated: float) -> tuple[str, str, str]:
    return f"{_three(simulated)}", f"{_three(estimated)}", f"{estimated / simulated:.2f}"


def times(result: Result) -> str:
    """Show the predicted times of all launches, an application a row, machines side by side."""
    machines = list(result["means"])
    header = ("application", *(words for name in machines for words in _headings(name)))
    named = dict.fromkeys(row["workload"] for row in result["rows"])
    rows = [(name, *_predicted(result, name, machines)) for name in named]
    mean = [words for name in machines for words in ("", "", _mean_time(result, name))]
    return table(header, [*rows, ("geometric mean", *mean)])


def _headings(machine: str) -> tuple[str, str, str]:
    return f"{machine}: simulated µs", "estimated µs", "ratio"


def _predicted(result: Result, name: str, machines: list[str]) -> Iterator[str]:
    for machine in machines:
        row = next(one for one in _on(result, machine) if one["workload"] == name)
        yield from _times(row["estimate_all"]["time_us"], row["simulate_all"]["time_us"])


def _mean_time(result: Result, machine: str) -> str:
    return f"{result['means'][machine]['time_ratio']:.2f}"


def gpgpusim(result: Result) -> str:
    """Show the programs that GPGPU-Sim itself was timed on."""
    header = (
        "program", "input", "configuration", "launches", "GPGPU-Sim", "`simulate`", "ratio",
        "`estimate`", "ratio",
    )  # fmt: skip
    found = result["gpgpusim"]
    rows = [_beside(row) for row in found["gpgpusim_rows"]]
    mean = ("geometric mean", "", "", "", "", "", ratio(found["simulate_ratio"]), "",
            ratio(found["estimate_ratio"]))  # fmt: skip
    return table(header, [*rows, mean])


def _beside(row: Mapping[str, Any]) -> tuple[str, ...]:
    theirs = row["gpgpusim_cpu_s"]
    return (
        row["program"],
        row["input"],
        row["config"],
        f"{row['launches']}",
        seconds(theirs),
        seconds(row["simulate_cpu_s"]),
        ratio(theirs / row["simulate_cpu_s"]),
        seconds(row["estimate_cpu_s"]),
        ratio(theirs / row["estimate_cpu_s"]),
    )


def _on(result: Result, machine: str) -> list[Mapping[str, Any]]:
    return [row for row in result["rows"] if row["machine"] == machine]
