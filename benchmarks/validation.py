"""How far off warpmill is: one page, the worst first, of what other benchmarks have kept.

::

    python -m benchmarks.validation            write docs/validation.md, and print its sums
    python -m benchmarks.validation --json     the same; the headline figures as an object, last

Nothing is measured. What is kept of `benchmarks.accuracy`, `error_bands`, `engines`, `simulate`,
`tbpoint` and `gtpin` is taken as it is, fresh or not; what is not kept yet, the page says so.

- `silicon`: figures of each engine beside real GPUs, in percent of the measured time;
- `simulator`: those of simulations beside GPGPU-Sim, as shares;
- `engines`: launches whose estimated and simulated durations are apart, in percent;
- `sampled`: those of samples beside full simulations, in percent;
- `goals`: whether figures are what is aimed at (`met`), and whole and fresh as well (`reached`).

Each has `date`, `version`, `fresh` and how many files have `changed` since. There is no figure of
all: the three kinds of error are not put together.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from benchmarks.benchmark import Measured
from benchmarks.keeping import kept
from benchmarks.kept_command import DOCS
from warpmill.report.fields import plain

if TYPE_CHECKING:
    from benchmarks.accuracy import Accuracy

PAGE = DOCS / "validation.md"
Results = Mapping[str, Mapping[str, Any] | None]


def main(words: Sequence[str] | None = None) -> None:
    """Run the command line."""
    from benchmarks.validation_parts.glance import glance  # noqa: PLC0415 - slow to load
    from benchmarks.validation_parts.headline import headline  # noqa: PLC0415 - as above
    from benchmarks.validation_parts.page import page  # noqa: PLC0415 - as above

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    arguments = parser.parse_args(words)
    results = kept_results()
    PAGE.write_text(page(results), "utf-8")
    print(glance(results))
    if arguments.json:
        print(json.dumps(headline(results)))


def kept_results() -> Results:
    """What is kept, by benchmark; None: nothing is."""
    return {
        "accuracy": _accuracy(),
        "error_bands": kept("error-bands"),
        "tbpoint": _tbpoint(),
        "gtpin": _gtpin(),
        "engines": _engines(),
        "simulate": _simulate(),
    }


def _simulate() -> Mapping[str, Any] | None:
    """The result of benchmarks.simulate in the shape that the page takes."""
    from benchmarks.simulate import BENCHMARK, COUNTS, SMS  # noqa: PLC0415 - as above

    found = BENCHMARK.kept()
    if found is None:
        return None
    told, result = BENCHMARK.json(found), found.result
    by_words = {words: name for name, words in COUNTS.items()}
    sums = {by_words[one.count]: one for one in result.counts}
    worst = max(told["launches"], key=lambda row: abs(row["error"]))
    of = len(result.launches)
    return {
        **told,
        "speed_rows": told["speeds"],
        "longer_rows": [row for row in told["growth"] if row["of"] == "instructions"],
        "wider_rows": [{**row, "same_work": row["of"] == SMS} for row in told["growth"]
                       if row["of"] != "instructions"],
        "peak_bytes_before_simulating": told["idle_bytes"],
        "gpgpusim": {
            **{key: told[key] for key in (
                "mape", "bias", "pearson", "l1_hit_error_points", "l2_hit_error_points")},
            "rows": of,
            "worst": worst,
            "agreement_rows": told["launches"],
            "mape_by_program": {one.program: one.error for one in result.programs},
            "counts_equal": {name: [one.equal, one.of] for name, one in sums.items()},
            "counts_exact": {name: [one.exact, one.of] for name, one in sums.items()},
            "counts_off": [
                {**{key: getattr(row, key)
                    for key in ("suite", "program", "input", "config", "launch")},
                 "count": name, "ours": row.counts[name][0], "reference": row.counts[name][1],
                 "off": abs(row.off(name))}
                for row in result.launches for name in COUNTS if not row.is_equal(name)
            ],
            "ctas_per_sm_equal": [sum(r.ctas_per_sm[0] == r.ctas_per_sm[1]
                                      for r in result.launches), of],
            "limiters_equal": [sum(r.limiters[0] == r.limiters[1] for r in result.launches), of],
        },
    }  # fmt: skip


def _accuracy() -> Mapping[str, Any] | None:
    """The results of benchmarks.accuracy in the shape that the page takes; None: none."""
    from benchmarks.accuracy import BENCHMARKS  # noqa: PLC0415 - as above

    every = {one.name.partition("-")[2]: one.kept() for one in BENCHMARKS}
    found = {engine: own for engine, own in every.items() if own is not None}
    if not found:
        return None
    told = {engine: _told(own) for engine, own in found.items()}
    left = [told[engine]["unfinished"] if engine in told else [engine] for engine in every]
    first = next(iter(found.values()))
    return {
        **by_engine({engine: own.result for engine, own in found.items()}),
        **first.about,
        "fresh": all(own.is_fresh for own in found.values()),
        "missing": list(first.result.missing),
        "unfinished": [name for names in left for name in names],
        "by_engine": told,
    }


def _told(own: Measured[Accuracy]) -> dict[str, Any]:
    return {
        **{key: own.about[key] for key in ("date", "version", "changed")},
        "fresh": own.is_fresh,
        "unfinished": [f"{own.result.engine}/{name}" for name in own.result.unfinished],
    }


def by_engine(results: Mapping[str, Accuracy]) -> dict[str, Any]:
    """Figures by engine: overall ones, and kernels."""
    found: dict[str, Any] = {
        name: {
            "overall": own.whole.flat(but=("what",)),
            "groups": [{**plain(one), "apart": one.apart} for one in own.groups],
        }
        for name, own in results.items()
    }
    if {"estimate", "simulate"} <= results.keys():
        found["simulate"]["estimate_of_these"] = results["estimate"].sums[-1].flat(but=("what",))
    return found


def _engines() -> Mapping[str, Any] | None:
    """The result of benchmarks.engines in the shape that the page takes."""
    from benchmarks.engines import BENCHMARK  # noqa: PLC0415 - as above

    found = BENCHMARK.kept()
    if found is None:
        return None
    told = BENCHMARK.json(found)
    return {**told, "differs": {one["cause"]: one["launches"] for one in told["differs"]}}


def _tbpoint() -> Mapping[str, Any] | None:
    """The result of benchmarks.tbpoint in the shape that the page takes."""
    from benchmarks.tbpoint import BENCHMARK, TbpointResult  # noqa: PLC0415 - as above

    found = BENCHMARK.kept()
    if found is None:
        return None
    told = BENCHMARK.json(found)
    result: TbpointResult = found.result
    known = [row for row in result.rows if row.held is not None]
    return {
        **told,
        **result.by_method["TBPoint"].flat(),
        "changed": told["changed"],
        "intervals": {"held": sum(bool(row.held) for row in known), "of": len(known)},
        "others": {
            on: [{"workload": row["workload"], **row["elsewhere"][on]} for row in told["rows"]]
            for on in result.rows[0].elsewhere
        },
        "goals": _goals(BENCHMARK, told),
    }  # fmt: skip


def _gtpin() -> Mapping[str, Any] | None:
    """The result of benchmarks.gtpin in the shape that the page takes."""
    from benchmarks.gtpin import BENCHMARK, KINDS, WAYS, GtpinResult  # noqa: PLC0415 - as above
    from benchmarks.gtpin.measuring import MACHINE  # noqa: PLC0415

    found = BENCHMARK.kept()
    if found is None:
        return None
    told, result = BENCHMARK.json(found), found.result
    assert isinstance(result, GtpinResult)
    names = dict(zip(KINDS, ("trials", "clocks", "machines"), strict=True))
    for row in told["rows"]:
        for way in WAYS:
            kinds: dict[str, Any] = {name: {} for name in names.values()}
            for one in row[way]["judged"]:
                known = {"error": one["error"]} if one["error"] is not None else {}
                kinds[names[one["kind"]]][one["run"]] = known
            row[way]["validation"] = kinds
    one = result.rows[0].universal
    sums = {way: own.flat() for way, own in result.by_way.items()}
    sums["universal"] |= {"division": one.division, "feature": one.feature}
    return {**told, **sums, "machine": MACHINE, "goals": _goals(BENCHMARK, told)}


def _goals(benchmark: Any, told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The goals of a benchmark that have a bar."""
    return [
        {"what": one["what"], "figure": goal.path, "wanted": one["wanted"],
         "here": one["here"], "reached": bool(goal.met(one["here"]))}
        for goal, one in zip(benchmark.goals, told["goals"], strict=True)
        if goal.bar is not None
    ]  # fmt: skip


if __name__ == "__main__":
    main()
