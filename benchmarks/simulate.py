"""How near the simulator is to another one, and how fast it is.

    python -m benchmarks.simulate                    a table of the result that was kept
    python -m benchmarks.simulate --json             the same as one JSON object on the last line
    python -m benchmarks.simulate --fresh [--json]   measure and keep the result: 15 minutes
    python -m benchmarks.simulate --quick            measure small inputs once; nothing is kept
    python -m benchmarks.simulate --programs spmv    measure programs by name; nothing is kept

The result that is kept tells whether it is `fresh`, and which files have `changed` since.
`python -m benchmarks.validation` writes it into docs/validation.md.

`gpgpusim` is beside GPGPU-Sim 4.2.0, over the launches that it timed on SM75_RTX2060 and SM7_QV100;
the machines are its own configurations, imported:

- `counts_equal` [n, of m]: launches whose thread and warp instructions, sectors that reads and
  atomics ask L2 for, sectors that writes do, and accesses to L1 are equal; within 1 % where threads
  race. `counts_exact` are equal everywhere, `counts_off` lists what is not;
- `mape`: the mean over programs of the mean error of their launches' cycles, as a share; `bias` is
  the mean error with its sign; `pearson` the correlation of the cycles' logarithms;
- `l1_hit_error_points`, `l2_hit_error_points`: how far hit rates are apart, the mean over programs;
- `ctas_per_sm_equal`, `limiters_equal` [n, of m]: launches of which an SM holds as many CTAs, and
  for the same reason. Registers are estimated, as no compiler for these chips is asked.

Speeds are warp instructions a second of CPU time, geometric means over the reference's large inputs
and all workloads at preset `small`, medians of three rounds:

- `warp_inst_per_s`: of the engine; `total_warp_inst_per_s`: from loading the kernels to the result;
- `time_over_instructions`, `time_over_sms`, `time_over_sms_and_work`: the most that the engine
  takes longer with more instructions, more SMs for the same work, and more SMs that each have
  as much to do, over how much more there is; 1 is linear;
- `peak_bytes`: the peak memory of a fresh process that simulates `peak_warp_insts`.

The exit code is 1 where a program's results are wrong.
"""

import argparse
import json
import sys
import time

from benchmarks.keeping import computer, keep, kept, snapshot

NAME = "simulate"
DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
    "benchmarks/execution_inputs/gpgpusim/*.ptx",
    "benchmarks/execution_inputs/gpgpusim/*.csv",
    "benchmarks/execution_inputs/gpgpusim/*.json",
)


def say(words):
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def measure(*, quick, programs=()):
    """Compare and measure everything, or some programs; the whole result."""
    from benchmarks.simulate_parts import agreement, scaling, speed  # noqa: PLC0415 - slow to load

    start = time.perf_counter()
    rows, wrong = agreement.compare(agreement.timed_rows(programs, quick=quick), say)
    speeds, wrong_too = speed.measure(programs, say, quick=quick)
    return {
        "benchmark": NAME,
        "quick": quick,
        "programs": list(programs),
        "gpgpusim": {**agreement.figures(rows), "agreement_rows": rows} if rows else {},
        **speed.figures(speeds),
        **({} if programs else scaling.figures(say, quick=quick)),
        "failures": sorted({*wrong, *wrong_too}),
        "seconds": round(time.perf_counter() - start, 1),
    }


def measure_and_keep():
    """Measure everything and keep it; what was kept."""
    before = snapshot(DATA)
    result = measure(quick=False)
    keep(NAME, result, before)
    return kept(NAME)


def table(result):
    """Lay the figures out for people."""
    if "fresh" in result:
        state = "fresh" if result["fresh"] else f"{len(result['changed'])} files changed since"
        yield f"kept on {result['date']}: {state}"
    if result["gpgpusim"]:
        yield from _agreement(result["gpgpusim"])
    if "speed_rows" in result:
        yield from _speeds(result)
    if "longer_rows" in result:
        yield from _growth(result)
    if "peak_bytes" in result:
        of = f"{result['peak_warp_insts'] / 1e6:,.0f} million warp instructions"
        yield f"peak memory: {result['peak_bytes'] / 1e6:,.0f} MB for {of}"
    yield from (f"wrong results: {name}" for name in result["failures"])


def _agreement(found):
    yield (
        f"{'suite':13}{'program':11}{'input':11}{'configuration':14}{'n':>2}{'cycles':>8}"
        f"{'reference':>10}{'error':>8}{'L1':>7}{'':>7}{'L2':>7}{'':>7}{'read':>9}{'':>9}"
    )
    yield from map(_agreement_row, found["agreement_rows"])
    for name, (n, of) in found["counts_equal"].items():
        exact = found["counts_exact"][name][0]
        yield f"{name:<28}{n:>5} of {of} equal, {exact} without any difference"
    for name in ("ctas_per_sm_equal", "limiters_equal"):
        yield f"{name:<28}{found[name][0]:>5} of {found[name][1]}"
    yield f"{'mape':<28}{found['mape']:>11.1%}"
    yield f"{'bias':<28}{found['bias']:>+11.1%}"
    for name in ("pearson", "l1_hit_error_points", "l2_hit_error_points"):
        yield f"{name:<28}{found[name]:>11.4f}" if found[name] is not None else f"{name:<28}-"


def _agreement_row(row):
    ours, reference = row["cycles"]
    rates = (rate for pair in (row["l1_hit_rate"], row["l2_hit_rate"]) for rate in pair)
    hits = "".join(f"{'-' if rate is None else f'{rate:.1%}':>7}" for rate in rates)
    reads = "".join(f"{n:>9,}" for n in row["counts"]["global_read_transactions"])
    return (
        f"{row['suite']:13}{row['program']:11}{row['input']:11}{row['config']:14}{row['launch']:>2}"
        f"{ours:>8,}{reference:>10,}{row['error']:>+8.1%}{hits}{reads}"
    )


def _speeds(result):
    yield ""
    yield f"{'':30}{'warp insts':>14}{'engine/s':>12}{'total/s':>12}{'engine s':>10}{'load':>6}"
    for row in result["speed_rows"]:
        rates = f"{row['warp_inst_per_s']:>12,.0f}{row['total_warp_inst_per_s']:>12,.0f}"
        tail = f"{row['engine_s']:>10.2f}{row['load']:>6.1f}"
        yield f"{row['name']:30}{row['warp_insts']:>14,}{rates}{tail}"
    means = (result[name] for name in ("warp_inst_per_s", "total_warp_inst_per_s"))
    yield f"{'geometric mean':44}" + "".join(f"{mean:>12,.0f}" for mean in means)


def _growth(result):
    yield ""
    yield f"{'':30}{'SMs':>5}{'warp insts':>14}{'engine s':>10}{'over linear':>13}"
    for row in (*result["longer_rows"], *result["wider_rows"]):
        name = f"{row['program']} {row['input']}"
        figures = f"{row['warp_insts']:>14,}{row['engine_s']:>10.2f}{row['over_linear']:>13.2f}"
        yield f"{name:30}{row['sms']:>5}{figures}"


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--quick", action="store_true", help="small inputs, one round")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--programs", nargs="+", default=[], help="these programs alone")
    arguments = parser.parse_args()
    if arguments.fresh and (arguments.quick or arguments.programs):
        parser.error("--fresh is of the whole: leave out --quick and --programs")
    if unknown := sorted(set(arguments.programs) - known_programs()):
        parser.error(f"no such program: {', '.join(unknown)}")
    return arguments


def known_programs():
    """The names that ``--programs`` takes."""
    from benchmarks.execution.gpgpusim import PROGRAMS  # noqa: PLC0415 - slow to load
    from warpmill.session.workloads import workload_names  # noqa: PLC0415 - as above

    return {*PROGRAMS, *workload_names()}


def main():
    """Run the command line; the exit code."""
    arguments = _arguments()
    if arguments.quick or arguments.programs:
        measured = measure(quick=arguments.quick, programs=tuple(arguments.programs))
        result = {**measured, "computer": computer()}
    else:
        result = None if arguments.fresh else kept(NAME)
        result = result or measure_and_keep()
    print(json.dumps(result) if arguments.json else "\n".join(table(result)))
    return 1 if result["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
