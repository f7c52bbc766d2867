"""The pattern that ``analyze`` names for an access is the one that executed traces show."""

import pytest

from warpmill.benchmarks.consistency.measuring import of_workloads
from warpmill.benchmarks.consistency.patterns import Compared
from warpmill.session.workloads import workloads


@pytest.mark.slow
@pytest.mark.one_in(16)
@pytest.mark.parametrize("workload", sorted(workloads()))
def test_named_patterns_are_those_of_the_traces(workload):
    compared = Compared()
    for one in of_workloads(workload):
        compared.add(*one)
    assert compared.wrong == []
    assert compared.untraced == []
    assert compared.counts["workloads", "contiguous"]
