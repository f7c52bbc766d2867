"""The slow, obvious twin of ``simulator.memory.stack_distance``: a list for each set."""


def stack_distances(lines, sets=1):
    """The distances; -1 where a line comes for the first time."""
    stacks = [[] for _ in range(sets)]
    found = []
    for line in lines:
        stack = stacks[line % sets]
        if line in stack:
            found.append(stack.index(line))
            stack.remove(line)
        else:
            found.append(-1)
        stack.insert(0, line)
    return found
