"""The exploration of all schedules, and what it finds."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field

from warpmill.analyzer.base.many_objects import gc_paused
from warpmill.analyzer.ir.kernel import Kernel, Module
from warpmill.analyzer.launch.model import Launch
from warpmill.benchmarks.check.exhaustive.launch import Image, image_of
from warpmill.benchmarks.check.exhaustive.machine import Machine
from warpmill.benchmarks.check.exhaustive.memory import (
    Event,
    PlacesChangedError,
    UpdatesMeetOthersError,
)
from warpmill.benchmarks.check.exhaustive.rules import NotModelledError
from warpmill.benchmarks.check.exhaustive.steps import FaultError
from warpmill.benchmarks.check.exhaustive.threads import Footprint

MOST_STATES = 300_000
"""Accesses to memory, of all runs together."""
_OF_FIRST_RUN = 4
"""How many times as many the first run may have: it may be all that is needed."""

MemoryImage = tuple[tuple[str, str], ...]
"""Each buffer with a digest of what a launch has changed in it."""


_FEW_STATES = 10_000
_RUNS_KEPT = 256
"""Runs of which the machines are kept before they are thrown away: they are in cycles."""


@dataclass(frozen=True)
class Outcomes:
    """What a launch comes to.

    ``images`` are the final contents of global memory, ``faults`` what went wrong in some schedule.
    ``states`` are the accesses of all ``runs``. ``unknown`` says why not every schedule is known
    for sure; empty where it is.
    """

    images: frozenset[MemoryImage]
    faults: frozenset[str]
    unknown: frozenset[str]
    states: int
    runs: int

    @property
    def is_complete(self) -> bool:
        """Whether these are all outcomes of all schedules."""
        return not self.unknown

    @property
    def is_single(self) -> bool:
        """Whether it is proven that there is one outcome and no fault."""
        return self.is_complete and not self.faults and len(self.images) == 1


def outcomes(
    module: Module,
    kernel: Kernel,
    launch: Launch,
    *,
    most_states: int = MOST_STATES,
    expected: frozenset[MemoryImage] | None = None,
) -> Outcomes:
    """All outcomes of a launch; of a kernel that faults, those of schedules up to there.

    With ``expected``, it ends at the first fault or other image. InputError where the launch does
    not fit the kernel.
    """
    try:
        image = image_of(module, kernel, launch)
    except NotModelledError as error:
        return Outcomes(frozenset(), frozenset(), frozenset({str(error)}), 0, 0)
    found = Search(image, False, most_states, expected).run()
    if found.is_complete and not found.is_single and _has_ordered_fences(image):
        found = Search(image, True, most_states, expected).run()
    throw_away(found.states)
    return found


def throw_away(states: int) -> None:
    """Free the machines of a search of so many accesses: they are in cycles, and may be large."""
    if states > _FEW_STATES:
        gc.collect()


def is_harmless(
    original: Module,
    planted: Module,
    launch: Launch,
    *,
    kernel: str | None = None,
    most_states: int = MOST_STATES,
    known: Outcomes | None = None,
) -> bool | None:
    """Whether a planted fault changes nothing in any schedule of a launch; None: not known.

    It is harmless where the original has one outcome, and the planted kernel this one alone and no
    fault; it is not where a schedule of the planted kernel ends otherwise. ``known`` are the
    original's outcomes where they are at hand, ``kernel`` the kernel's name where there are more.
    """
    name = kernel or launch.kernel or original.kernels[0].name
    right = known or outcomes(original, original.kernel(name), launch, most_states=most_states)
    if not right.is_single:
        return None
    found = outcomes(
        planted, planted.kernel(name), launch, most_states=most_states, expected=right.images
    )
    if found.faults or found.images - right.images:
        return False
    return True if found.is_single else None


def _has_ordered_fences(image: Image) -> bool:
    return any(step.kind == "fence" and step.data == (True, True) for step in image.program.steps)


@dataclass(slots=True)
class _Node:
    """A choice: who accessed memory, and which way; who else has to be tried, and who need not.

    ``ways`` are the choices within the access as [taken, of how many]. ``asleep`` are threads whose
    next access has been tried before and is independent of all since, ``done`` those tried here.
    Races of this run were looked at up to the access ``seen_to``.
    """

    thread: int
    asleep: dict[int, Footprint]
    ways: list[list[int]] = field(default_factory=list)
    to_try: set[int] = field(default_factory=set)
    done: dict[int, Footprint] = field(default_factory=dict)
    footprint: Footprint = ((), None, True)
    seen_to: int = 0


class _AsleepError(Exception):
    """All that could go on has been tried before."""


class _LimitError(Exception):
    """Too many accesses."""


class Search:
    """The exploration: a stack of choices, of which each run follows a part and adds its own."""

    def __init__(
        self,
        image: Image,
        orders_fences: bool,
        most_states: int,
        expected: frozenset[MemoryImage] | None,
    ) -> None:
        self.image, self.orders_fences, self.commutes = image, orders_fences, True
        self.most_states, self.expected = most_states, expected
        self.nodes: list[_Node] = []
        self.depth = self.way = self.states = self.runs = 0
        self.has_gone_back = False
        self.images: set[MemoryImage] = set()
        self.faults: set[str] = set()
        self.unknown: set[str] = set()
        self.machine: Machine

    def run(self) -> Outcomes:
        """Explore all; give up at the limit, and at what is not modelled."""
        try:
            with gc_paused():
                self.explore()
        except UpdatesMeetOthersError:  # from the start, with an order of all updates
            self.commutes = False
            return self.run_again()
        except PlacesChangedError:
            return self.run_again()
        except NotModelledError as error:
            self.unknown.add(str(error))
        except _LimitError:
            self.unknown.add(f"more than {self.most_states} accesses")
        return Outcomes(
            frozenset(self.images),
            frozenset(self.faults),
            frozenset(self.unknown),
            self.states,
            self.runs,
        )

    def run_again(self) -> Outcomes:
        """Begin anew."""
        self.has_gone_back = False
        self.nodes.clear()
        self.images.clear()
        return self.run()

    def explore(self) -> None:
        """Run until there is no other choice, or enough is known."""
        while True:
            self.run_once()
            if self.runs % _RUNS_KEPT == 0:
                gc.collect()
            goes_on = self.has_gone_back = self.backtrack()
            if goes_on and self.is_decided():
                self.unknown.add("no more schedules were looked at")
            if not goes_on or self.is_decided():
                return

    def is_decided(self) -> bool:
        """Whether it has come to what was not expected."""
        return self.expected is not None and bool(self.faults or self.images - self.expected)

    def watch(self, machine: Machine) -> None:
        """Have a look at a machine before it runs."""

    def run_once(self) -> None:
        """Run the launch along the choices, and note what comes out."""
        self.depth = 0
        self.runs += 1
        for node in self.nodes:
            node.seen_to = 0
        machine = self.machine = Machine(
            self.image, self, orders_fences=self.orders_fences, commutes=self.commutes
        )
        self.watch(machine)
        memory = machine.memory
        try:
            machine.run()
            for region in memory.regions:
                if any(value is None for _, value in region.changes()):
                    raise FaultError(f"an undefined value in {region.name}")
            self.images.add(tuple((r.name, r.digest()) for r in memory.regions))
        except FaultError as fault:
            self.faults.add(str(fault))
        except _AsleepError:
            pass
        self.unknown |= memory.unknown
        if memory.load_buffering():
            self.unknown.add("loads that could pass stores of their thread")
        for region in memory.regions:
            if region.read_only & region.history.keys():
                self.unknown.add(f"read-only loads of {region.name}, which is written")

    def backtrack(self) -> bool:
        """Go back to the last choice with another way; whether there is one."""
        nodes = self.nodes
        del nodes[self.depth :]
        while nodes:
            node = nodes[-1]
            while node.ways and node.ways[-1][0] + 1 >= node.ways[-1][1]:
                node.ways.pop()
            if node.ways:
                node.ways[-1][0] += 1
                return True
            node.done[node.thread] = node.footprint
            others = node.to_try - node.done.keys() - node.asleep.keys()
            if others:
                node.thread = min(others)
                return True
            nodes.pop()
        return False

    # The machine's schedule.

    def pick(self, runnable: dict[int, None], last: int | None) -> int:
        """The thread of the choice, or of a new one: the same as before where it can go on."""
        self.way = 0
        if self.depth < len(self.nodes):
            return self.nodes[self.depth].thread
        asleep: dict[int, Footprint] = {}
        before = self.nodes[-1] if self.nodes else None
        if before is not None and (before.asleep or before.done):
            asleep = {
                thread: footprint
                for thread, footprint in [*before.asleep.items(), *before.done.items()]
                if thread != before.thread and _are_independent(footprint, before.footprint)
            }
        if last is None or last not in runnable or last in asleep:
            last = next((thread for thread in runnable if thread not in asleep), None)
        if last is None:
            raise _AsleepError
        self.nodes.append(_Node(last, asleep))
        return last

    def choose(self, ways: int) -> int:
        """A way of the access that is being done."""
        if ways == 1:
            return 0
        taken = self.nodes[self.depth].ways
        if self.way == len(taken):
            taken.append([0, ways])
        self.way += 1
        return taken[self.way - 1][0]

    def on_race(self, earlier: Event, number: int) -> None:
        """Try, in place of the earlier access, all that may begin what comes before the later one.

        The later access itself may not be the next of its thread there, or rest on others between:
        that is why their threads are tried as well.
        """
        node = self.nodes[earlier.depth]
        between = {
            one.thread for one in self.nodes[max(earlier.depth, node.seen_to) + 1 : self.depth]
        }
        node.seen_to = max(node.seen_to, self.depth - 1)
        fresh = (between | {number}) - node.to_try
        node.to_try |= {n for n in fresh if self.machine.is_enabled(n, earlier.depth)}

    def on_done(self, footprint: Footprint) -> None:
        """Note an access."""
        self.nodes[self.depth].footprint = footprint
        self.depth += 1
        self.states += 1
        if self.states > self.most_states * (1 if self.has_gone_back else _OF_FIRST_RUN):
            raise _LimitError


def _are_independent(one: Footprint, two: Footprint) -> bool:
    """Whether two accesses come to the same in either order."""
    if (one[2] and two[2]) or (one[1] is not None and one[1] == two[1]):
        return True
    return not set(one[0]) & set(two[0])
