"""Schedulers with two issue slots: pairs of one warp's instructions, as Kepler and Maxwell do."""

from pathlib import Path

import pytest

from tests.timing.estimated_kernels import job
from warpmill.session.estimates import Estimator
from warpmill.session.options import RegisterSources
from warpmill.simulator.estimate.kernel import KernelCode
from warpmill.simulator.machines import load_machine

REGISTERS = 16
"""As many as hold what these bodies have."""


def paired_in(folder: Path, body: str) -> list[bool]:
    """Which instructions of a body are issued in pairs, by four schedulers with two slots."""
    subject = job(folder, f"bar.sync 0; {body} bar.sync 0;", 1, 32)
    on = load_machine("tesla_k40")
    code = KernelCode(subject.analysis.kernel_facts.program(on))
    slots = code.on(on).code.issue_cycles
    begin = code.number[0, 1]
    return (slots[begin : begin + body.count(";")] == 1 / 8).tolist()


def add(to: int, a: int, b: int) -> str:
    return f"add.f32 %f{to}, %f{a}, %f{b};"


@pytest.mark.parametrize(
    ("body", "pairs"),
    [
        pytest.param(add(1, 8, 9) + add(2, 8, 9), [True, True], id="independent"),
        pytest.param(add(1, 8, 9) + add(2, 1, 9), [False, False], id="the second reads the first"),
        pytest.param(add(1, 8, 9) + add(1, 8, 7), [False, False], id="both write one register"),
        pytest.param(
            add(1, 8, 9) + add(2, 8, 9) + add(3, 8, 9), [True, True, False], id="two, not three"
        ),
        pytest.param(
            add(1, 8, 9) + add(2, 1, 9) + add(3, 8, 9), [False, True, True], id="a later pair"
        ),
        pytest.param(
            add(1, 8, 9) + "mov.f32 %f4, %f1;" + add(2, 4, 9), [False, False, False], id="by a copy"
        ),
        pytest.param(
            add(1, 8, 9) + "bar.sync 0;" + add(2, 8, 9), [False, False, False], id="over a barrier"
        ),
    ],
)
def test_a_warp_issues_two_that_are_independent(
    tmp_path: Path, body: str, pairs: list[bool]
) -> None:
    assert paired_in(tmp_path, body) == pairs


def test_the_second_slot_is_of_no_use_to_chains(tmp_path: Path) -> None:
    """192 lanes of a Kepler SM add 6 warps a cycle, and four schedulers issue 4 of chains."""
    on = load_machine("tesla_k40")

    def cycles(bodies: str) -> float:
        subject = job(
            tmp_path, f"ld.param.u64 %rd1, [p]; {bodies} st.global.f32 [%rd1], %f1;", 120, 256, "p"
        )
        return Estimator(subject, registers=RegisterSources(REGISTERS)).on(on).cycles

    chain = cycles(add(1, 1, 9) * 400)
    pairs = cycles("".join(add(n, n, 9) for n in (1, 2, 3, 4)) * 100)
    assert chain / pairs == pytest.approx(6 / 4, rel=0.1)


def test_one_slot_takes_one_at_a_time(tmp_path: Path) -> None:
    subject = job(tmp_path, add(1, 8, 9) + add(2, 8, 9), 1, 32)
    on = load_machine("v100")
    found = KernelCode(subject.analysis.kernel_facts.program(on)).on(on)
    assert found.code.issue_cycles.tolist() == found.issues.tolist()
