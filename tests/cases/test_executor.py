"""What the executor runs, and what is counted while it does."""

import pytest


@pytest.mark.parametrize(("machine", "passes"), [("v100", 1), ("gtx980", 2)])
@pytest.mark.parametrize("trace", ["static", "executed"])
def test_lanes_in_pairs_are_packed_by_every_kind_of_trace(warpmill, machine, passes, trace):
    launch = f"--grid 1 --block 32 --arg buffer=f32:32 --machine {machine} --trace {trace}"
    said = warpmill("11-paired-lanes", "explain", "kernel.ptx", launch, "--format json")
    assert f'"bank_passes": {passes}.0' in said.out
