"""Loads of texels wait for memory in an estimate as in a simulation, where traces tell of them."""

from __future__ import annotations

import pytest

from warpmill.session.estimates import estimate
from warpmill.session.options import TraceOptions
from warpmill.session.prepare import jobs_of
from warpmill.session.simulations import simulate


@pytest.mark.parametrize("name", ["mummer:tiny", "histogram-image:tiny"])
def test_texels_are_waited_for(name: str) -> None:
    job = jobs_of(name)[0]
    found, beside = estimate(job, "a100"), simulate(job, "a100")
    assert found.execution_us == pytest.approx(beside.time_us, rel=0.35)
    waits = {str(stall.reason): stall.fraction for stall in found.stalls}
    memory = sum(waits[f"{level} latency"] for level in ("L1", "L2", "DRAM"))
    assert memory > waits["arithmetic latency"]


def test_texels_are_traced_by_executing_what_no_data_decide() -> None:
    """Static traces do not tell where texels lie; all else of this kernel they do."""
    jobs = jobs_of("gaussian-image:tiny")
    found = [estimate(job, "a100") for job in jobs]
    assert {one.trace for one in found} == {"executed"}
    assert "texels" in found[-1].trace_reason
    static = estimate(jobs[-1], "a100", trace_options=TraceOptions("static"))
    assert static.trace == "static"
    assert static.execution_us < found[-1].execution_us
