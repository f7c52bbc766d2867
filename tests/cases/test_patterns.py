"""How lanes lie in memory: strides that a launch decides, masks of thread ids, negative indices."""

import pytest


def lanes(found):
    """The pattern and the bytes from lane to lane of each access."""
    (kernel,) = found.data["analyses"]
    return [(a["pattern"], a["lane_stride_bytes"]) for a in kernel["accesses"]]


def test_a_stride_that_an_argument_decides_is_one(warpmill):
    case = "02-ptr-align-params"
    assert lanes(warpmill(case, "analyze launch.toml --format json")) == [("strided", 8)] * 2
    alone = warpmill(case, "analyze kernel.ptx --format json")
    assert lanes(alone) == [("strided", None)] * 2
    assert '"4*axpb_cfg+8"' in alone.out


@pytest.mark.parametrize(
    ("case", "found"),
    [
        ("82-mask-reqntid", [("contiguous", 16)] * 2),
        ("83-negative-index", [("contiguous", 4)]),
        ("86-lane-of-tidx", [("contiguous", 4)]),
    ],
)
def test_masks_and_sign_corrections_leave_neighbours_contiguous(warpmill, case, found):
    assert lanes(warpmill(case, "analyze kernel.ptx --format json")) == found


def test_the_warp_of_a_required_block_decides_a_branch_for_all_its_lanes(warpmill):
    said = warpmill("86-lane-of-tidx", "analyze kernel.ptx").said
    assert "part, meet at END" not in said
