"""Memory in profiles is what GPGPU-Sim counts for the same programs: a few of its small inputs.

All of them are held against it by ``python -m benchmarks profiles``.
"""

import pytest

from warpmill.benchmarks.execution.gpgpusim import reference_rows
from warpmill.benchmarks.profiles.measuring import FIGURES, figures_of, profiles_of

SMALL = ["reduce 65536", "stencil 256 2", "spmv 8192 8", "histo 65536", "stridecopy 32768 32"]


@pytest.mark.parametrize("run", SMALL)
def test_loads_stores_conflicts_and_sectors_are_those_of_the_reference(run):
    program, input_ = run.split(" ", 1)
    rows = [r for r in reference_rows() if (r["program"], r["input"]) == (program, input_)]
    wanted = {r["launch"]: tuple(int(r[f]) for f in FIGURES) for r in rows if r["l1d_accesses"]}
    assert wanted
    profiles = profiles_of(program, input_)
    assert {n: figures_of(profiles[n - 1]) for n in wanted} == wanted
