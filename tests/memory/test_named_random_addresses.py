"""The patterns named of random addresses are never disproved by what is executed."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from tests.reference.address_programs import GRID, WORDS, address_programs
from warpmill.benchmarks.consistency.patterns import BROADCAST, CONTIGUOUS, traced_patterns
from warpmill.session.kernel_analysis import access_facts
from warpmill.session.options import LaunchOptions
from warpmill.session.prepare import prepare


def job_of(folder, text, n, block):
    path = Path(folder, "k.ptx")
    path.write_text(text)
    args = [f"buffer=u32:{WORDS}", f"u32={n}"]
    block = ",".join(map(str, block))
    return prepare(path, options=LaunchOptions(grid=str(GRID), block=block, args=args))


def words_of(job):
    """The words for each access: by the kernel alone, in the launch, and what is traced."""
    traced = traced_patterns(job)
    facts = access_facts(job)
    for access, fact in zip(job.analysis.accesses, facts, strict=True):
        shown = traced.get((access.block, access.instruction))
        if shown is not None:
            yield access, access.pattern.value, fact.pattern.value, shown


@pytest.mark.slow
@settings(
    max_examples=8,
    derandomize=True,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],  # each example compiles a kernel: none is made smaller
    suppress_health_check=list(HealthCheck),
)
@given(address_programs())
def test_no_name_is_disproved(program):
    text, n, block = program
    with TemporaryDirectory() as folder:
        job = job_of(folder, text, n, block)
        for access, alone, launched, shown in words_of(job):
            words = (launched,) if access.is_aligned_warp and block[0] % 32 else (alone, launched)
            for word in words:
                if word in (CONTIGUOUS, BROADCAST):
                    assert word == shown, (str(access.address), alone, launched, shown)
