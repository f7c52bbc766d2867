"""What commands say of the samples is what was kept: moving code moves no number.

``python -m tests.reference.kept_numbers`` compares all cases at once and says more; ``--bless``
there keeps what comes out now, where it is meant to differ.
"""

import pytest

from tests.reference.kept_numbers import cases, differing, digests, kept, report

FEW = 40
"""One in so many cases runs without ``--every``."""


@pytest.mark.one_in(FEW)
@pytest.mark.parametrize("name", cases())
def test_numbers_are_those_that_were_kept(name):
    parts = differing(name, digests(report(cases()[name])))
    assert not parts, f"{name}: {', '.join(parts)} differ"


def test_every_case_is_kept():
    assert kept().keys() == cases().keys()
