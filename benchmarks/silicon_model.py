"""What warpmill predicts of the launches that ``benchmarks.silicon`` has timed on a GPU.

    python -m benchmarks.silicon_model --of FOLDER                 estimates, simulations, clones
    python -m benchmarks.silicon_model --of FOLDER --parts estimate,clones
    python -m benchmarks.silicon_model --of FOLDER --machine my_h200.toml --only bfs,nw
    python -m benchmarks.silicon_model --of FOLDER --json          one JSON object on the last line

FOLDER is what ``benchmarks.silicon --out FOLDER`` wrote. The machine is that of the GPU's name,
unless ``--machine`` names another one or a file, as ``warpmill calibrate`` writes it. No GPU is
needed. Times are compared in the state of L2 that an engine has it in: estimates with flushed
times, simulations, whose launches follow each other, with warm ones. What launching adds is what a
kernel took that does next to nothing.

- ``estimate``, ``simulate``: ``mape`` and ``bias``, in percent of the measured time, means over
  workloads of more than 10 µs (``short`` ones are left out); ``kendall_tau`` of these;
  ``kernels_mape``, the mean over their kernels; ``rows`` of all, and ``problems`` by target;
- ``clones``: how many ran, and how far their IPC is from the originals' on the GPU;
- ``gtpin``: launches selected by simulated times, judged by those of the GPU (takes the
  simulations).

Predictions are kept in the study store (``--store``), so that an interrupted run goes on.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.kept_command import say
from warpmill.analyzer.base.diagnostics import WarpmillError
from warpmill.measurements.machines import find_machine
from warpmill.studies.places import default_store

ENGINES = ("estimate", "simulate")
PARTS = (*ENGINES, "clones", "gtpin")
SHOWN = 20
"""Rows that are printed of each part."""


def main(words: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit code."""
    arguments = _arguments(words)
    try:
        result = _measured(arguments)
    except WarpmillError as error:
        say(str(error))
        return error.exit_code
    for line in table(result):
        print(line)
    if arguments.json:
        print(json.dumps(result))
    return 0


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--of", type=Path, required=True, help="the folder of a GPU's figures")
    parser.add_argument("--machine", help="a machine, or its file; without it the GPU's")
    parser.add_argument("--parts", default=",".join(PARTS), help="these alone, with commas")
    parser.add_argument("--presets", default="small", help="whole names, or their first word")
    parser.add_argument("--only", default="", help="workloads by name; all without it")
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    parser.add_argument("--workers", type=int, default=1, help="processes that predict")
    parser.add_argument("--store", default=default_store(), help="where predictions are kept")
    arguments = parser.parse_args(words)
    arguments.parts = _names(arguments.parts)
    unknown = [name for name in arguments.parts if name not in PARTS]
    if unknown:
        parser.error(f"--parts {', '.join(unknown)}: there are {', '.join(PARTS)}")
    return arguments


def _names(text: str) -> list[str]:
    return [name for name in text.split(",") if name]


def _measured(arguments: argparse.Namespace) -> dict[str, Any]:
    from benchmarks.silicon_parts import (  # noqa: PLC0415 - engines are slow to load
        beside,
        clones_beside,
        predicting,
        readings,
        selections,
    )

    silicon = readings.read_silicon(arguments.of)
    machine = arguments.machine or find_machine(silicon.gpu).machine
    targets = chosen(silicon, _names(arguments.presets), _names(arguments.only))
    result: dict[str, Any] = {"benchmark": "silicon_model", "gpu": silicon.gpu, "machine": machine}
    how = (targets, machine, arguments.store, arguments.workers, say)
    wanted = set(arguments.parts) | ({"simulate"} if "gtpin" in arguments.parts else set())
    found = {name: predicting.predicted(name, *how) for name in ENGINES if name in wanted}
    for engine in (name for name in ENGINES if name in arguments.parts):
        state = predicting.STATE[engine]
        timing = predicting.Timing(machine, state, silicon.floor_us(state))
        result[engine] = beside.beside(silicon, found[engine], timing, state)
    if "clones" in arguments.parts:
        result["clones"] = clones_beside.clones_beside(silicon)
    if "gtpin" in arguments.parts:
        result["gtpin"] = selections.selections(silicon, found["simulate"], *how[2:])
    return result


def chosen(silicon: Any, presets: Sequence[str], only: Sequence[str]) -> list[str]:
    """The targets of these presets and workloads that were timed."""
    return [
        target
        for target, (first, *_) in silicon.by_target.items()
        if (not only or first.workload in only)
        and any(first.preset == word or first.preset.startswith(f"{word}-") for word in presets)
    ]


def table(result: Mapping[str, Any]) -> Iterator[str]:
    """The result as lines, the worst rows first."""
    yield f"{result['gpu']}, predicted as {result['machine']}"
    for engine in (name for name in ENGINES if name in result):
        one = result[engine]
        yield ""
        yield (
            f"{engine}: mean error {_figure(one['mape'])} % over {one['workloads']} workloads "
            f"({one['short']} shorter ones), bias {_figure(one['bias'])} %, "
            f"τ {_figure(one['kendall_tau'], 2)}; by kernel {_figure(one['kernels_mape'])} %"
        )
        yield f"  {'target':36}{'kernel':28}{'launches':>9}{'measured ms':>13}{'error %':>9}"
        for row in one["rows"][:SHOWN]:
            yield (
                f"  {row['target']:36}{row['kernel'] or 'all':28.28}{row['launches']:9,}"
                f"{row['measured_ms']:13.4f}{row['error']:9.1f}{'' if row['counts'] else ' short'}"
            )
        yield from (f"  {target}: {why}" for target, why in one["problems"].items())
    if "clones" in result:
        yield from _clones(result["clones"])
    if "gtpin" in result:
        yield from _selections(result["gtpin"])


def _clones(one: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield (
        f"clones: {one['ran']} of {one['clones']} ran, {one['equal_to_executor']} as the executor; "
        f"in CUDA {one['cuda_built']} of {one['cuda']} built, {one['cuda_ran']} ran; "
        f"mean IPC error {_figure(one['mean_abs_ipc_error'])} %"
    )
    yield f"  {'workload':36}{'IPC':>9}{'clone':>9}{'error %':>9}{'speed-up':>10}"
    for row in one["rows"][:SHOWN]:
        yield (
            f"  {row['workload'] + ':' + row['preset']:36}{_figure(row['ipc'], 2):>9}"
            f"{_figure(row['clone_ipc'], 2):>9}{_figure(row['ipc_error']):>9}"
            f"{_figure(row['speedup']):>10}"
        )


def _selections(one: Mapping[str, Any]) -> Iterator[str]:
    yield ""
    yield f"selected launches of {one['programs']} programs, chosen by simulated times"
    for way, own in one["ways"].items():
        yield (
            f"  {way:16}error {_figure(own['error'], 2)} %, worst {_figure(own['worst'], 2)} %, "
            f"speed-up {_figure(own['speedup'])}"
        )
    yield from (f"  {target}: {why}" for target, why in one["problems"].items())


def _figure(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


if __name__ == "__main__":
    sys.exit(main())
