"""Liveness by its definition: a register is live where a way leads to a read past no write.

One walk backwards for every read, over single instructions. Slow and obvious.
"""

from warpmill.analyzer.ir.kernel import registers_in


def live_around_blocks(kernel, cfg):
    """The sets of registers live on entry and at the end of each reachable block."""
    entry = [set() for _ in kernel.blocks]
    end = [set() for _ in kernel.blocks]

    def back_from_entry(block, register):
        if register in entry[block]:
            return
        entry[block].add(register)
        for before in cfg.predecessors[block]:
            copies = copies_on(kernel, before, block)
            if all(written.index != register for written, _ in copies):
                back_from_end(before, register)

    def back_from_end(block, register):
        if register in end[block]:
            return
        end[block].add(register)
        back_through(block, len(kernel.blocks[block].instructions), register)

    def back_through(block, place, register):
        for instruction in reversed(kernel.blocks[block].instructions[:place]):
            if register in instruction.writes and instruction.guard is None:
                return
        back_from_entry(block, register)

    for block in cfg.reachable:
        for place, instruction in enumerate(kernel.blocks[block].instructions):
            for register in instruction.reads:
                back_through(block, place, register)
            if instruction.guard is not None:  # lanes that are off keep what was there
                for register in instruction.writes:
                    back_through(block, place, register)
        for after in cfg.successors[block]:
            for _, operand in copies_on(kernel, block, after):
                for register in registers_in(operand):
                    back_from_end(block, register)
    return entry, end


def copies_on(kernel, before, after):
    """The copies on the edge between two blocks."""
    if after >= len(kernel.blocks):
        return ()
    return [c for e in kernel.blocks[after].incoming if e.predecessor == before for c in e.copies]


def most_alive(region, order):
    """The most registers in use at any moment of an order, value by value.

    A value is there from the step that makes it (or the start) to the last one that reads it (or
    the end), and at least at the step that makes it. At each step two moments count: before it
    ends its operands, and once its results are there.
    """
    place = {number: when for when, number in enumerate(order)}
    made = {v: place[n] for n, step in enumerate(region.steps) for v in step.makes}
    read = {}
    for number, step in enumerate(region.steps):
        for value in step.reads:
            read[value] = max(read.get(value, -1), place[number])
    most = sum(region.weights[: region.entering])
    for now in range(len(order)):
        alive = 0
        for value, weight in enumerate(region.weights):
            starts = made.get(value, -1)
            ends = len(order) if value in region.leaving else read.get(value, starts)
            # read last at this step: its register is free for the result
            if starts <= now < ends or starts == now:
                alive += weight
        most = max(most, alive)
    return most
