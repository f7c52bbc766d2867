"""What each form of a PTX operation answers, written from the PTX ISA manual alone."""

import numpy as np

from tests.reference.ptx_twins import (
    approximate,
    bits,
    compare,
    convert,
    floats,
    integer,
    moves,
    video,
    warp,
)

_PLAIN = bits.TWINS | compare.TWINS | convert.TWINS | moves.TWINS | video.TWINS
_APPROXIMATE = {"approx", "full"}


def answers(form, sources, active):
    """What each destination of a form should get.

    ``sources`` are the operands that are no immediates, arrays of one element for each lane of each
    warp; ``active`` has a row of truths a warp, the lanes that are on.
    """
    if form.operation in warp.TWINS:
        return warp.TWINS[form.operation](form, sources, np.asarray(active), active.shape[1])
    if form.operation in _PLAIN:
        return _PLAIN[form.operation](form, sources)
    if _APPROXIMATE & set(form.modifiers):
        return approximate.TWINS[form.operation](form, sources)
    is_float = form.types[-1].lstrip("b").startswith("f")
    return (floats.TWINS if is_float else integer.TWINS)[form.operation](form, sources)
