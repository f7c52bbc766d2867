"""Excerpts on pages of the guide: what is renewed, and what is not to be found any more."""

from __future__ import annotations

import pytest

from tests.reference.pages import excerpt

PRINTED = "title\nfound  1\n\ntime\n  in all  3\n\nbusy\n  pipe  4\n\nend\n"


@pytest.mark.parametrize(
    ("written", "renewed"),
    [
        ("old\n", PRINTED),
        ("...\ntime\n  in all  2\n...\n", "...\ntime\n  in all  3\n...\n"),
        ("title\n...\n", "title\n...\n"),
        ("...\nbusy\n  pipe  9\n...\nend\n", "...\nbusy\n  pipe  4\n...\nend\n"),
    ],
)
def test_pieces_are_renewed_and_stay_as_long(written, renewed):
    assert excerpt(written, PRINTED) == renewed


@pytest.mark.parametrize("written", ["...\nslow\n...\n", "...\nbusy\n...\ntime\n...\n"])
def test_a_piece_whose_head_is_not_printed_there_is_refused(written):
    with pytest.raises(AssertionError, match="nothing begins with"):
        excerpt(written, PRINTED)
