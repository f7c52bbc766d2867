"""Kendall's tau-b as its definition has it: every two rows are looked at."""

from itertools import combinations
from math import sqrt


def kendall_tau_b(xs, ys):
    """Tau-b; None where all of one side are equal."""
    concordant = discordant = only_x = only_y = 0
    for (x, y), (other_x, other_y) in combinations(zip(xs, ys, strict=True), 2):
        product = ((x > other_x) - (x < other_x)) * ((y > other_y) - (y < other_y))
        concordant += product > 0
        discordant += product < 0
        only_x += x == other_x and y != other_y
        only_y += y == other_y and x != other_x
    decided = concordant + discordant
    below = sqrt((decided + only_x) * (decided + only_y))
    return (concordant - discordant) / below if below else None
