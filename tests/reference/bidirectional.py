"""Algorithms 1 to 3 and Listing 1 of the hybrid-estimation paper (§III-B), line by line.

The numbers in comments are the paper's line numbers; the names are the paper's, in Python's
spelling. Where the print cannot be followed, or the text beside it says otherwise, the change is a
member of ``Correction``: ``corrections=frozenset()`` runs what is printed. Level 0 of the counters
is the innermost loop, and the last level is the kernel itself, which happens once. Ranges
``i ← 0 to n`` leave ``n`` out, as there is no level or node of that number. Sets keep the order in
which their members are found. The graph is a ``bidirectional_graph.Graph``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum


class Correction(Enum):
    """One change to the print; the value says where it stands.

    Kernels of branches and loops need SEARCH_ON, OTHERS_ON_PATH, STAY_IN_LOOP and KEEP_BRANCHES;
    breaks and returns need WHOLE_STACK and POP_INSIDE too, several back edges to one header
    LOOP_BEFORE_BACKEDGE, a block that closes two loops NEAREST_HEADER. BORROW and VISITED_IN_TIME
    follow the text and change no trace.
    """

    # A level that is set again takes one from the level above, as the text says.
    BORROW = "Algorithm 2, lines 11-13"
    # A block is visited over with its last visit, not with one more.
    VISITED_IN_TIME = "Algorithm 2, lines 14-15"
    # A loop is gone round, or left, when no block within it is waiting or still to come.
    LOOP_BEFORE_BACKEDGE = "Algorithm 3, lines 2-15"
    # The first of the headers is the one that the fewest blocks part from τ.
    NEAREST_HEADER = "Algorithm 3, lines 13-15"
    # Where the back edges of τ are visited over, its other edges are searched.
    SEARCH_ON = "Algorithm 3, line 16"
    # A successor does not stand in its own way.
    OTHERS_ON_PATH = "Algorithm 3, lines 19-20"
    # The first successor is one that stays in the loop.
    STAY_IN_LOOP = "Algorithm 3, lines 23-26"
    # A block on the way to sne need not be on top of the stack.
    WHOLE_STACK = "Algorithm 3, lines 29-30"
    # Other sides are put on the stack also when it is not empty, unless they are met in any case.
    KEEP_BRANCHES = "Algorithm 3, lines 27-36"
    # What is taken off is in the innermost loop that something waits in.
    POP_INSIDE = "Algorithm 3, line 39"


ALL = frozenset(Correction)


class StuckError(Exception):
    """The algorithms go on without end, or say nothing of what comes next."""


@dataclass
class BasicBlockInfo:
    """Listing 1. Levels count from the innermost loop; the last one is the kernel."""

    bb_name: str
    branch_miss_warp_id: frozenset[int] = frozenset()
    # Each configuration is a map of the listing: all its blocks are in these iterations, from 1.
    branch_miss_loop_config: tuple[Mapping[str, int], ...] = ()
    loop_depth: int = 1
    # The bound at the own level, from the present iterations of the associated blocks.
    loop_bound_expr: Callable[..., int] = lambda: 1
    associated_bbs: tuple[str, ...] = ()
    preced_bb: str = ""
    bounds: list[int] = field(default_factory=list)
    unvisited_count: list[int] = field(default_factory=list)
    is_visited: bool = False

    def __post_init__(self):
        """Start with the kernel's one round; the levels below are set when it is begun."""
        self.unvisited_count = [0] * (self.loop_depth - 1) + [1]

    @property
    def iteration(self):
        """The present iteration at the innermost level, from 1."""
        return self.bounds[0] - self.unvisited_count[0]


def generate(graph, bb_info_list, wid, *, corrections=ALL, most_visits=100_000):
    """Algorithm 1: the blocks that a warp visits, in order."""
    candidate_trace, mask = [], []  # 1
    tau = graph.entry
    update_exec_trace(tau, candidate_trace, bb_info_list, wid, mask, corrections)  # 2
    stack = []  # 3
    while tau != graph.exit and not bb_info_list[graph.exit].is_visited:  # 4
        tau = get_trace_succ_node(tau, graph, bb_info_list, stack, corrections)  # 5
        update_exec_trace(tau, candidate_trace, bb_info_list, wid, mask, corrections)  # 6
        if len(candidate_trace) > most_visits:
            raise StuckError(f"more than {most_visits} visits")
    return [candidate_trace[i] for i in range(len(candidate_trace)) if mask[i] != 0]  # 7-10


def update_exec_trace(tau, candidate_trace, bb_info_list, wid, mask, corrections=ALL):
    """Algorithm 2: count a visit, and append the block with its mask to the candidate trace."""
    info = bb_info_list[tau]
    info.bounds = calc_loop_bound(info, bb_info_list)  # 1
    loop_level_visited_count = unvisited_loop_level = 0  # 2; line 3 is in 16 and 17
    for i in range(info.loop_depth):  # 4
        if info.unvisited_count[i] == 0:  # 5
            loop_level_visited_count += 1  # 6
        else:  # 7
            unvisited_loop_level = i  # 8
            break  # 9
    if loop_level_visited_count != info.loop_depth:  # 10
        for j in reversed(range(unvisited_loop_level)):  # 11
            info.unvisited_count[j] = info.bounds[j]  # 12
            if Correction.BORROW in corrections:
                info.unvisited_count[j + 1] -= 1
        info.unvisited_count[0] -= 1  # 13
        if Correction.VISITED_IN_TIME in corrections:
            info.is_visited = not any(info.unvisited_count)
    else:  # 14
        info.is_visited = True  # 15
    is_branch_miss_warp = check_branch_miss_warp(info, wid)  # 16
    is_branch_miss_loop = check_branch_miss_loop(info, bb_info_list)  # 17
    mask.append(not is_branch_miss_warp and not is_branch_miss_loop)  # 18
    candidate_trace.append(tau)  # 19


def get_trace_succ_node(tau, graph, bb_info_list, stack, corrections=ALL):
    """Algorithm 3: the block that comes next."""
    d_be = [header for source, header in graph.backedges if source == tau]  # 1-3
    d_be_left = []
    for header in d_be:  # 2, 4
        info = bb_info_list[header]
        if info.unvisited_count[0] % info.bounds[0] != 0:  # 5
            d_be_left.append(header)  # 6
    inside = set()
    if Correction.LOOP_BEFORE_BACKEDGE in corrections:
        turning = [h for h in d_be if not _goes_on_inside(graph, tau, h)]
        d_be_left = [h for h in d_be_left if h in turning]
        inside = set().union(*(graph.loops[h] for h in d_be_left or turning))
        waiting = _waiting(stack, inside, corrections) if d_be_left else None
        if waiting:
            return waiting
    if d_be_left:  # 7
        if tau in d_be_left:  # 8
            return tau  # 9
        for header in d_be_left:  # 10, 11
            p_b = graph.get_nodes_in_path(header, tau)  # 12
            i_be = [h for h in d_be_left if h in p_b]  # 13
            if Correction.NEAREST_HEADER in corrections:
                i_be.sort(key=lambda h: len(graph.get_nodes_in_path(h, tau)))
            if i_be:  # 14
                return i_be[0]  # 15
    if d_be and not d_be_left and Correction.SEARCH_ON not in corrections:
        raise StuckError(f"{tau}: all back edges are visited, and line 16 is not reached")
    return _search_non_backedges(tau, graph, stack, inside, corrections)


def _search_non_backedges(tau, graph, stack, inside, corrections):
    """Lines 16 to 40 of Algorithm 3; ``inside`` is the loop that may be left."""
    d_ne = [after for source, after in graph.non_backedges if source == tau]  # 16, 17
    if not d_ne:  # 38
        return _waiting(stack, inside, corrections) or _pop(tau, graph, stack, corrections)
    d_ne_near = []
    for after in d_ne:  # 18
        p_n = graph.get_nodes_in_path(tau, after)  # 19
        if Correction.OTHERS_ON_PATH in corrections:
            p_n = p_n - {after}
        if not set(d_ne) & p_n:  # 20
            d_ne_near.append(after)  # 21
    if not d_ne_near:  # 22
        raise StuckError(f"{tau}: no successor is left by line 20")
    s_ne = [d for d in d_ne_near if any(d == source for source, _ in graph.backedges)]  # 23-25
    if Correction.STAY_IN_LOOP in corrections:
        s_ne = sorted(d_ne_near, key=lambda d: _staying(graph, tau, d))
    sne = s_ne[0] if s_ne else d_ne_near[0]  # 26
    if stack:  # 27
        p_s = graph.get_nodes_in_path(graph.entry, sne)  # 28
        waiting = _waiting(stack, p_s, corrections)  # 29
        if waiting:
            return waiting  # 30, 33
        waiting = _waiting(stack, inside - {sne}, corrections)
        if waiting:
            _push(d_ne_near, graph, stack, corrections)
            return waiting
        if Correction.KEEP_BRANCHES not in corrections:
            return sne  # 31-33
    _push([d for d in d_ne_near if d != sne], graph, stack, corrections)  # 34-36
    return sne  # 37


def _push(headers, graph, stack, corrections):
    """Lines 35 and 36; what is on the stack already, or follows from that, is left out."""
    for after in headers:
        led_to = any(graph.get_nodes_in_path(header, after) for header in stack)
        if not (led_to and Correction.KEEP_BRANCHES in corrections):
            stack.append(after)


def _waiting(stack, nodes, corrections):
    """Take the topmost block on the stack that is one of these; as printed only the top counts."""
    depth = len(stack) if Correction.WHOLE_STACK in corrections else 1
    for block in reversed(stack[-depth:]):
        if block in nodes:
            stack.remove(block)
            return block
    return None


def _pop(tau, graph, stack, corrections):
    """Lines 39 and 40."""
    if not stack:
        raise StuckError(f"{tau}: nothing follows, and the stack is empty")
    if Correction.POP_INSIDE not in corrections:
        return stack.pop()
    nearest = min(reversed(stack), key=lambda header: _loops_left(graph, tau, header))
    stack.remove(nearest)
    return nearest


def _goes_on_inside(graph, tau, header):
    """Whether a way that is no back edge leads on within the loop."""
    return any(s == tau and after in graph.loops[header] for s, after in graph.non_backedges)


def _loops_left(graph, tau, after):
    """Count the loops around a block that a successor does not lie in."""
    return sum(tau in body and after not in body for body in graph.loops.values())


def _staying(graph, tau, after):
    """Sort by: leaves fewest loops; leads only back to their headers."""
    return (_loops_left(graph, tau, after), graph.exit in graph.after[after])


def calc_loop_bound(info, bb_info_list):
    """Bounds at all levels: the own, then those of the preceding block one level up (§III-A-2)."""
    iterations = (bb_info_list[name].iteration for name in info.associated_bbs)
    if not info.preced_bb:
        return [1]
    return [info.loop_bound_expr(*iterations), *bb_info_list[info.preced_bb].bounds]


def check_branch_miss_warp(info, wid):
    """Whether this warp never comes to the block."""
    return wid in info.branch_miss_warp_id


def check_branch_miss_loop(info, bb_info_list):
    """Whether the loops are in iterations in which the warp does not come to the block."""
    return any(
        all(bb_info_list[name].iteration == iteration for name, iteration in config.items())
        for config in info.branch_miss_loop_config
    )
