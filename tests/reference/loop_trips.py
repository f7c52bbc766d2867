"""How often loops iterate in what a thread executes, counted block by block."""


def trips(visits, loop):
    """Count the passes through a loop's latch, for each time that its header is entered.

    ``visits`` are the blocks that one thread executes, in order. A latch that tests and leaves
    counts as well: its block was executed.
    """
    found, before = [], None
    for block in visits:
        if block == loop.header and before not in loop.blocks:
            found.append(0)
        if block in loop.latches:
            found[-1] += 1
        before = block
    return found
