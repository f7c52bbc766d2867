"""How near clones of whole workloads are to their originals, and how much faster they simulate.

    python -m benchmarks.minibench                    a table of the result that was kept
    python -m benchmarks.minibench --json             the same as one JSON object on the last line
    python -m benchmarks.minibench --fresh [--json]   measure and keep the result: an hour
    python -m benchmarks.minibench --quick            measure some small workloads; nothing is kept
    python -m benchmarks.minibench --workloads matmul,nn --machines minibench_8sm -v
                                                      these alone, kernel by kernel

GPGPU-MiniBench's 23 benchmarks (its Table 2, preset `paper-minibench`) are cloned with the largest
reduction of all loops, and original and clone are simulated on the machines of its Table 3.

- `mean_abs_ipc_error`: percent, Equation 4, the mean over workloads with loops and machines;
  `pairs_over_10`: pairs of these over 10 %; `hard_*` are of the eight workloads that sampling in
  space does not work for, `without_loops` lists those that have nothing to reduce;
- `speedup`: CPU time of the original over that of the clone, end to end: plan, execution for
  traces, timing, result; not reading and compiling kernels. By machine the mean over workloads,
  those without loops as 1; `engine_speedup` is that of timing alone; `harmonic_mean_speedup` is of
  the machines' means, `harmonic_mean_over_workloads`, `max_speedup`, `min_speedup` as they say;
- `ranks_kept`: workloads whose clones rank the machines as their originals do;
- `alike`: what original and clone execute: bank conflicts, coalescing, divergence;
- `goals`: which of the paper's figures are reached.

Rows are kept in a study (`--store`, or where sweeps are kept): what nothing has changed for is not
measured again. The exit code is 1 where something could not be measured.
"""

import argparse
import json
import sys
from pathlib import Path

from benchmarks.keeping import computer, keep, kept, snapshot
from warpmill.studies.places import default_store

DIGITS = 6
NAME = "minibench"
DATA = (
    "analyzer/**/*.toml",
    "codegen/templates/**/*.j2",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)
DOCS = Path(__file__).resolve().parents[1] / "docs"
QUICK = ("lps", "matmul", "nn", "scalar-product")


def say(words):
    """Tell progress."""
    print(words, file=sys.stderr, flush=True)


def measure(workloads, machines, store, workers, *, with_extras):
    """Measure originals and clones, and compare them; the whole result."""
    from benchmarks.minibench_parts import measuring  # noqa: PLC0415 - slow to load

    known = known_workloads()
    rows = measuring.Rows(store, workers, say)
    names = {name: known[name] for name in workloads}
    return measuring.measure(names, machines, rows, with_extras=with_extras)


def measure_and_keep(store, workers):
    """Measure everything and keep it; what was kept."""
    from benchmarks.minibench_parts.figures import MACHINES  # noqa: PLC0415 - as above

    before = snapshot(DATA)
    result = measure(tuple(known_workloads()), MACHINES, store, workers, with_extras=True)
    keep(NAME, shortened(result), before)
    return kept(NAME)


def shortened(value):
    """Leave out what is known of single launches, and round to the digits that anybody reads."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items() if key != "parts"}
    if isinstance(value, list | tuple):
        return [shortened(each) for each in value]
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def known_workloads():
    """The paper's name of each of its workloads, and whether it has loops."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - slow to load

    facts = {name: one.form.paper.minibench for name, one in workloads().items()}
    found = {name: (own.name, own.loops) for name, own in facts.items() if own is not None}
    return dict(sorted(found.items(), key=lambda item: item[1][0]))


def write_docs(result):
    """Write docs/clones.md and its pictures."""
    from benchmarks.minibench_parts.page import write  # noqa: PLC0415 - matplotlib is slow

    write(result, DOCS)


def _arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--quick", action="store_true", help="some small workloads, one machine")
    parser.add_argument("--fresh", action="store_true", help="measure, and keep the result")
    parser.add_argument("--workloads", type=_names, default=(), help="these alone, with commas")
    parser.add_argument("--machines", type=_names, default=(), help="on these alone, with commas")
    parser.add_argument("-v", "--verbose", action="store_true", help="kernel by kernel")
    parser.add_argument(
        "--extras", action="store_true", help="with them, all that --fresh measures"
    )
    parser.add_argument("--docs", action="store_true", help="write docs/clones.md")
    parser.add_argument("--store", help="where rows are kept: a file, or a database's URL")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure rows")
    arguments = parser.parse_args()
    partial = arguments.quick or arguments.workloads or arguments.machines
    if partial and (arguments.fresh or arguments.docs):
        words = "--fresh and --docs are of the whole"
        parser.error(f"{words}: leave out --quick, --workloads and --machines")
    names = {key for name, (short, _) in known_workloads().items() for key in (name, short)}
    if unknown := sorted(set(arguments.workloads) - names):
        parser.error(
            f"no such workload: {', '.join(unknown)}; there are {', '.join(sorted(names))}"
        )
    return arguments, partial


def _names(text):
    return tuple(name for name in text.split(",") if name)


def chosen(names):
    """Workloads by their names or by those of the paper."""
    known = known_workloads()
    return tuple(w for w, (short, _) in known.items() if w in names or short in names)


def main():
    """Run the command line; the exit code."""
    from benchmarks.minibench_parts.figures import MACHINES  # noqa: PLC0415 - numpy is slow
    from benchmarks.minibench_parts.tables import table  # noqa: PLC0415 - as above

    arguments, partial = _arguments()
    store = arguments.store or default_store()
    if partial:
        workloads = chosen(arguments.workloads or (QUICK if arguments.quick else known_workloads()))
        machines = arguments.machines or (MACHINES[:1] if arguments.quick else MACHINES)
        result = measure(
            workloads, machines, store, arguments.workers, with_extras=arguments.extras
        )
        result |= {"computer": computer()}
    else:
        result = None if arguments.fresh else kept(NAME)
        result = result or measure_and_keep(store, arguments.workers)
    if arguments.docs:
        write_docs(result)
    for line in table(result, verbose=arguments.verbose):
        print(line)
    if arguments.json:
        print(json.dumps(result))
    return 1 if result["problems"] else 0


if __name__ == "__main__":
    sys.exit(main())
