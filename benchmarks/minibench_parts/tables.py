"""The benchmark's figures for people who look at a terminal."""

from __future__ import annotations

from benchmarks.minibench_parts.figures import by_kernel

SHOWN = (
    "workloads", "workloads_with_loops", "mean_abs_ipc_error", "judged_mean_abs_ipc_error",
    "pairs_over_10", "hard_mean_abs_ipc_error", "hard_max_abs_ipc_error", "error_by_machine",
    "speedup", "speedup_with_search", "harmonic_mean_speedup", "harmonic_mean_over_workloads",
    "max_speedup", "min_speedup", "engine_speedup", "engine_harmonic_mean_speedup",
)  # fmt: skip


def table(result, *, verbose=False):
    """Lay a result out, line by line; ``verbose``: with the kernels of each workload."""
    if "fresh" in result:
        state = "fresh" if result["fresh"] else f"{len(result['changed'])} files changed since"
        yield f"kept on {result['date']}: {state}"
    yield (
        f"{'':5}{'workload':18}{'machine':17}{'IPC':>9}{'clone':>9}{'error':>9}{'speedup':>9}"
        f"{'timing':>9}{'insts over':>11}{'original s':>11}{'clone s':>9}"
    )
    for row in result["rows"]:
        yield _row(row)
        if verbose:
            yield from _kernels(row)
    yield from map(_problem, result["problems"])
    yield from _figures(result)
    if result.get("auto"):
        yield ""
        yield f"reductions searched on {result['auto']['searched_on']}:"
        yield from _figures(result["auto"])
    for name, met in result["goals"].items():
        yield f"{name:<40}{'reached' if met else 'MISSED'}"


def _row(row):
    own, clone = row["ipc"]
    loops = "" if row["loops"] else "  no loops"
    return (
        f"{row['name']:5}{row['workload']:18}{row['machine']:17}{own:>9.2f}{clone:>9.2f}"
        f"{row['error_percent']:>+8.1f}%{row['speedup']:>9.1f}{row['engine_speedup']:>9.1f}"
        f"{row['instructions_over']:>11.1f}{row['cpu_s'][0]:>11.2f}{row['cpu_s'][1]:>9.3f}{loops}"
    )


def _kernels(row):
    yield (
        f"     {'kernel':26}{'launches':>12}{'share':>8}{'error':>8}{'worst':>8}{'insts over':>11}"
        f"{'lanes':>12}{'L1 hits':>16}{'DRAM/1000':>14}"
    )
    for part in by_kernel(row.get("parts", ())):
        launches = f"{part['launches'][0]}>{part['launches'][1]}"
        dram = "/".join(_text(x, "{:.1f}") for x in part["dram_per_1000_threads"])
        yield (
            f"     {part['kernel'][:25]:26}{launches:>12}{_text(part['share'], '{:.1%}'):>8}"
            f"{_text(part['error_percent'], '{:+.1f}%'):>8}"
            f"{_text(part['worst_percent'], '{:+.1f}%'):>8}{part['instructions_over']:>11.1f}"
            f"{'/'.join(_text(x, '{:.1f}') for x in part['lanes']):>12}"
            f"{'/'.join(_text(x, '{:.1%}') for x in part['l1_hit_rate']):>16}{dram:>14}"
        )


def _text(value, form):
    return "-" if value is None else form.format(value)


def _problem(row):
    place = f"{row['kind']} of {row['workload']}" + (
        f" on {row['machine']}" if row["machine"] else ""
    )
    return f"{place}: {row['problem']}"


def _figures(found):
    for name in SHOWN:
        value = found.get(name)
        if name not in found:
            continue
        if isinstance(value, float):
            yield f"{name:<40}{value:>10.2f}"
        elif isinstance(value, int) or value is None:
            yield f"{name:<40}{'-' if value is None else value:>10}"
        elif isinstance(value, dict):
            yield from (
                f"{name}.{key:<{39 - len(name)}}{one:>10.2f}"
                for key, one in value.items() if isinstance(one, float)
            )  # fmt: skip
    if "ranks_kept" in found:
        kept, of = found["ranks_kept"]["workloads"]
        yield f"{'ranks of machines kept':<40}{kept:>10} of {of}"
