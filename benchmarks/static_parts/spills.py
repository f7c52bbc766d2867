"""How near modelled spills are to ptxas's: ``python -m benchmarks.static_parts.spills [--json]``.

The workloads' kernels are held to fewer registers by ``ptxas -maxrregcount``, and by the model.
Kernels whose launch bounds have ptxas keep to other limits are left out.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from warpmill.analyzer.frontends.load import load
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.machine_code.ptxas import FIGURES
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare
from warpmill.simulator.assembler.registers import RegisterCount, Spilled
from warpmill.simulator.machines import load_machine

SAMPLES = Path(__file__).parents[2] / "samples" / "workloads"
LIMITS = (24, 32, 40, 48, 64, 96, 128)
MOST = 255


def measured() -> dict[str, float | int | None]:
    """How often both say that a kernel spills, one alone, or none; and bytes over ptxas's."""
    cases = [case for path in sorted(SAMPLES.glob("*/*.sm_80.ptx")) for case in _cases(path)]
    ratios = [mine / theirs for theirs, mine in cases if theirs and mine]
    return {
        "spill_cases": len(cases),
        "spill_agreed": sum(bool(theirs) == bool(mine) for theirs, mine in cases),
        "spill_model_alone": sum(not theirs and bool(mine) for theirs, mine in cases),
        "spill_ptxas_alone": sum(bool(theirs) and not mine for theirs, mine in cases),
        "spill_bytes_ratio_median": round(statistics.median(ratios), 3) if ratios else None,
        "spill_bytes_ratio_most": round(max(ratios), 2) if ratios else None,
    }


def _cases(path: Path) -> Iterator[tuple[int, int]]:
    """Bytes that ptxas spills and that the model does, of each kernel at each limit."""
    for kernel in load(path).module.kernels:
        whole = _ptxas(path, kernel, MOST)
        for limit in LIMITS:
            if limit >= whole["registers"]:
                break
            told = _ptxas(path, kernel, limit)
            if told["registers"] <= limit:
                yield _moved(told), _modelled(path, kernel, limit)


def _modelled(path: Path, kernel: Kernel, limit: int) -> int:
    known = prepare(path, kernel.name, LaunchOptions()).analysis
    if limit >= known.register_demand.fewest:
        return 0
    count = RegisterCount(limit, "given", False, Spilled("given"))
    spills = known.kernel_facts.program(load_machine("a100"), count).spills
    return 0 if spills is None else spills.store_bytes + spills.load_bytes


def _ptxas(path: Path, kernel: Kernel, limit: int) -> dict[str, int]:
    with tempfile.TemporaryDirectory() as folder:
        command = ["ptxas", "-v", "-arch=sm_80", "-e", kernel.name, f"-maxrregcount={limit}"]
        done = subprocess.run(
            [*command, str(path), "-o", str(Path(folder, "k.cubin"))],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
    own = (done.stdout + done.stderr).rpartition(f"Function properties for {kernel.name}\n")[2]
    found = {key: re.search(pattern, own) for key, (_, pattern) in FIGURES.items()}
    return {key: int(match[1]) if match else 0 for key, match in found.items()}


def _moved(figures: dict[str, int]) -> int:
    return figures["spill_store_bytes"] + figures["spill_load_bytes"]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object, last")
    options = parser.parse_args()
    if shutil.which("ptxas") is None:
        parser.error("there is no ptxas on PATH")
    found = measured()
    for key, value in found.items():
        print(f"{key:26} {value}")
    if options.json:
        print(json.dumps({"benchmark": "spills", **found}))


if __name__ == "__main__":
    main()
