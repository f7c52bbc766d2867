"""Suffix trees, with suffix links, as arrays."""

from dataclasses import dataclass

import numpy as np

ROOT = 0


@dataclass(frozen=True)
class SuffixTree:
    """A suffix tree of a text, whose nodes are numbered breadth first; the root is node 0.

    The edge to node v reads ``text[start[v]:end[v]]``; ``children[v, symbol]`` is 0 where there is
    none. ``link[v]`` of an inner node is the node that reads the same without the first symbol.
    """

    start: np.ndarray
    end: np.ndarray
    link: np.ndarray
    children: np.ndarray


def suffix_tree(text, symbols):
    """Build the tree of a text of numbers below ``symbols`` in one pass (Ukkonen's way).

    The last element of the text occurs nowhere else in it, so that every suffix has a leaf.
    """
    text, size = list(map(int, text)), len(text)
    start, end, link, children = [0], [0], [ROOT], [[0] * symbols]

    def add(first, last):
        start.append(first)
        end.append(last)
        link.append(ROOT)
        children.append([0] * symbols)
        return len(start) - 1

    node, edge, along = ROOT, 0, 0  # where the suffixes that are still to be added end
    waiting = 0  # how many those are
    for i, symbol in enumerate(text):
        waiting += 1
        unlinked = None
        while waiting:
            edge = edge if along else i
            child = children[node][text[edge]]
            if child:
                length = min(end[child], i + 1) - start[child]
                if along >= length:
                    node, edge, along = child, edge + length, along - length
                    continue
                if text[start[child] + along] == symbol:
                    if unlinked is not None:
                        link[unlinked] = node
                    along += 1
                    break
                inner = add(start[child], start[child] + along)
                children[node][text[edge]] = inner
                start[child] += along
                children[inner][text[start[child]]] = child
                children[inner][symbol] = add(i, size)
            else:
                inner = node
                children[node][symbol] = add(i, size)
            if unlinked is not None:
                link[unlinked] = inner
            unlinked = inner if inner != node else None
            waiting -= 1
            if node != ROOT:
                node = link[node]
            elif along:
                along, edge = along - 1, i - waiting + 1
    return _breadth_first(*map(np.array, (start, end, link, children)))


def _breadth_first(start, end, link, children):
    """Number nodes by their distance from the root, so that those near it lie together."""
    order, level = [np.array([ROOT])], np.array([ROOT])
    while len(level):
        below = children[level].ravel()
        level = below[below != 0]
        order.append(level)
    order = np.concatenate(order)
    number = np.empty(len(order), np.int64)
    number[order] = np.arange(len(order))
    return SuffixTree(start[order], end[order], number[link[order]], number[children[order]])
