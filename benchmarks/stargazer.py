"""Stargazer's models of eleven workloads over 933,120 machines: errors, terms, other ways.

::

    python -m benchmarks.stargazer [--json]             what was measured last, at once
    python -m benchmarks.stargazer --fresh [--json]     measure and keep the result: hours
    python -m benchmarks.stargazer --docs               write docs/stargazer.md from what was kept
    python -m benchmarks.stargazer --workloads matmul,nw

For each workload 500 random points of Table 2 are simulated. Five times 300 of them are drawn to
train models with (and fewer of these, from 30 on), and the 200 others to test them (§7.3).

- `mean_error_300`, `worst_error_300`, `max_error_300`: mean over workloads, largest mean of a
  workload, largest of a point, in percent, θ = φ = 0; `worst_error_300_adjusted`: with AES's tail
  adjusted (§7.2), `max_error_300_without_aes`: without AES; `worst_error_60`: with 60 samples;
- `mean_r_squared`: of the models of 300 samples; `at_0.01`: the same figures where θ = φ = 0.01;
- `held_95`: how many of the measured times 95 % intervals of predictions hold;
- `others`: a linear model, a random forest and a Gaussian process on the same splits;
- `table_1`, `figures`: Table 1 and Figures 3 to 7; `speed`: seconds; `goals`: what is reached.

Points are kept in the study store (`--store`), so that an interrupted run goes on.
"""

from __future__ import annotations

from benchmarks.kept_command import KeptBenchmark, chosen, say

DATA = (
    "analyzer/**/*.toml",
    "grammars/*.lark",
    "simulator/**/*.toml",
    "warpmill/exploring/spaces/stargazer.toml",
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)


def known_workloads():
    """Name the workloads that have the paper's preset."""
    from warpmill.session.workloads import workloads  # noqa: PLC0415 - slow to load

    return [name for name, one in workloads().items() if one.form.paper.stargazer is not None]


def measure(names, store, workers):
    """Measure workloads, all without names."""
    from benchmarks.stargazer_parts import measuring  # noqa: PLC0415 - slow to load

    return measuring.measure(chosen(names, known_workloads()), store, workers, say)


def table(result):
    """A result as lines."""
    from benchmarks.stargazer_parts import tables  # noqa: PLC0415 - as above

    return tables.table(result)


def write(result, docs):
    """Write docs/stargazer.md and its pictures."""
    from benchmarks.stargazer_parts import page  # noqa: PLC0415 - matplotlib is slow

    page.write(result, docs)


BENCHMARK = KeptBenchmark(
    "stargazer", __doc__.splitlines()[0], DATA, "workloads", measure, table, write
)

if __name__ == "__main__":
    BENCHMARK.main()
