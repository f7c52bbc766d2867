"""The least that a pairing of two divergence flow graphs costs, by trying everything."""

from fractions import Fraction
from functools import cache

from warpmill.analyzer.profile.dfsg.distance import cfg_of


def sequence(dfsg, loop=None):
    """A level as (block, None), and (header, sequence) for loops, in reverse postorder."""
    headers = {each.shape.header: each.shape for each in dfsg.loops}
    items = []
    for block in cfg_of(dfsg).reverse_postorder:
        shape = headers.get(block)
        if shape is not None and shape.parent == loop:
            items.append((block, sequence(dfsg, shape.id)))
        elif shape is None and dfsg.nodes[block].loop == loop:
            items.append((block, None))
    return tuple(items)


def often(dfsg):
    return [Fraction(node.ecount, dfsg.launch.threads) for node in dfsg.nodes]


def least_cost(a, b):
    """What the best pairing costs: executions a thread, lone blocks, unequal pairs."""
    of_a, of_b = often(a), often(b)

    @cache
    def least(x, y):
        if not x or not y:
            return added(alone(x, of_a), alone(y, of_b))
        costs = [
            added(alone(x[:1], of_a), least(x[1:], y)),
            added(alone(y[:1], of_b), least(x, y[1:])),
        ]
        (first, inside), (other, within) = x[0], y[0]
        if (inside is None) == (within is None):
            pair = together(of_a[first], of_b[other])
            if inside is not None:
                pair = added(pair, least(inside, within))
            costs.append(added(pair, least(x[1:], y[1:])))
        return min(costs)

    return least(sequence(a), sequence(b))


def together(a, b):
    return abs(a - b), 0, int(a != b)


def added(*costs):
    return tuple(map(sum, zip(*costs, strict=True)))


def alone(items, of):
    found = (Fraction(0), 0, 0)
    for block, inside in items:
        found = added(found, (of[block], 1, 0), alone(inside or (), of))
    return found


def cost_of(a, b, partners):
    """What some pairs cost; blocks that are not reached have nothing and are not counted."""
    of_a, of_b = often(a), often(b)
    pairs = [together(of_a[x], of_b[y]) for x, y in partners.items()]
    lone = [(of_a[x], 1, 0) for x in cfg_of(a).reverse_postorder if x not in partners]
    taken = set(partners.values())
    lone += [(of_b[y], 1, 0) for y in cfg_of(b).reverse_postorder if y not in taken]
    return added((Fraction(0), 0, 0), *pairs, *lone)
