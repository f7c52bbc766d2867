"""Smaller files that fail in the same way."""

MOST_TRIES, FEW_TRIES = 400, 40
_AT_ONCE = 2


def shrunk(result, pool, most_tries=MOST_TRIES):
    """Take pieces off a failing case, halves first, while it fails at the same place."""
    data, pieces, tries = result.task.content(), 2, 0
    while tries < most_tries:
        size = -(-len(data) // pieces)
        smaller, taken = _without_a_piece(data, size, result, pool)
        tries += taken
        if smaller is not None:
            data, pieces = smaller, max(2, pieces - 1)
        elif size == 1:
            break
        else:
            pieces = min(len(data), pieces * 2)
    return data


def _without_a_piece(data, size, result, pool):
    """The first file of those without one piece that fails alike, and how many were tried."""
    cuts = [data[:place] + data[place + size :] for place in range(0, len(data), size)]
    for first in range(0, len(cuts), _AT_ONCE):
        tasks = [result.task._replace(data=cut) for cut in cuts[first : first + _AT_ONCE]]
        alike = [
            found.task.data
            for found in pool.run(tasks)
            if found.task.data and (found.kind, found.place) == (result.kind, result.place)
        ]
        if alike:
            return min(alike), first + len(tasks)
    return None, len(cuts)
