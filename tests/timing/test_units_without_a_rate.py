"""A unit that a machine has none of is no fast one: what needs it is refused in words."""

from __future__ import annotations

import pytest

from tests.timing.estimated_kernels import job, streamed
from warpmill.analyzer.base.diagnostics import InputError, UsageError
from warpmill.session.estimates import Estimator
from warpmill.simulator.assembler.costs import interval_cycles
from warpmill.simulator.gpu.spec import specify
from warpmill.simulator.machines import load_machine
from warpmill.simulator.machines.model import l2_bytes_per_clk

LANES = ["compare", "int_logic", "int_shift", "popc", "conv64", "barrier", "fp16"]


@pytest.mark.parametrize("name", LANES)
def test_no_lanes_are_no_lanes_of_floats(name):
    key = f"lanes.{name}"
    assert interval_cycles(load_machine("a100"), key) > 0
    with pytest.raises(InputError, match=rf"as {key} is 0; --set {key}=… gives one"):
        interval_cycles(load_machine("a100", {key: 0}), key)


def test_an_l2_that_moves_nothing_is_refused_by_both_engines(tmp_path):
    machine = load_machine("a100", {"l2.bytes_per_clk": 0})
    with pytest.raises(UsageError, match="moves nothing"):
        Estimator(job(tmp_path, streamed(), 8, params="p q")).on(machine)
    with pytest.raises(UsageError, match="moves nothing"):
        specify(machine, 0)
    assert l2_bytes_per_clk(load_machine("quadro_fx5800")) == 0  # has no L2
