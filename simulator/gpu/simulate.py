"""A simulation: the launches that it is given, on a machine, from the first CTA to the last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.ir.kernel import Kernel
from warpmill.analyzer.ir.types import Place
from warpmill.analyzer.launch.model import Launch
from warpmill.analyzer.traces.event_batch import TEXEL_SPACES, EventTables, texel_points
from warpmill.analyzer.traces.layout import shared_bytes
from warpmill.analyzer.traces.source import TraceSource
from warpmill.analyzer.traces.unfolding import Unfolder
from warpmill.simulator.assembler.program import KernelFacts, MachineProgram
from warpmill.simulator.assembler.registers import RegisterCount
from warpmill.simulator.gpu import constants as c
from warpmill.simulator.gpu.code import EngineCode, compile_code
from warpmill.simulator.gpu.engine import arm, run, warm
from warpmill.simulator.gpu.options import Options
from warpmill.simulator.gpu.pool import CtaOrder, Feed, Numbers, Pool, distance
from warpmill.simulator.gpu.spec import Spec, specify
from warpmill.simulator.gpu.state import (
    Sizes,
    State,
    empty_caches,
    forget_prefetched,
    new_state,
    put_rows,
    resize_cache,
    total,
)
from warpmill.simulator.machines.model import (
    AssumedValue,
    Machine,
    is_a_simulator,
    moved_sector_bytes,
    with_recording,
)
from warpmill.simulator.memory.cache import CacheSpec, l1_spec
from warpmill.simulator.occupancy import Occupancy, occupancy
from warpmill.simulator.resources import SIMULATED_STATES
from warpmill.simulator.streams import (
    LaneCounts,
    StreamRules,
    as_regions,
    in_order,
    stream_rules,
    streams,
)

Triple = tuple[int, int, int]

_PIECES = 256
"""Pieces of buffers that come to a warm L2 in turn."""
_FIRST_EVENTS = 1 << 13
"""Events that are traced before a simulation begins, or those of one CTA: its limit may be near."""


@dataclass(frozen=True, eq=False)
class LaunchEndCounts:
    """Totals of SMs, slices and channels when so many launches were done: a record of counts."""

    launches: int
    sms: Any
    slices: Any
    channels: Any


class Simulation:
    """Launches on a machine. ``run`` goes on until a cycle, or to the end.

    InputError where a launch does not fit on the machine, LimitError where a limit is reached.
    """

    def __init__(
        self, machine: Machine, works: Sequence[LaunchWork], options: Options | None = None
    ) -> None:
        self.machine, self._used = with_recording(machine)
        self.works = tuple(works)
        self.options = options or Options()
        self.occupancies = occupancies(works, self.machine)
        self.simulated = tuple(map(self._ctas, range(len(works))))
        self._rules = self._stream_rules()
        self._kernels: dict[int, int] = {}
        self._programs = self._read()
        carveout = min(o.shared_carveout_bytes for o in self.occupancies)
        local = [program.local_bytes for program in self._programs]
        known = None if None in local else max(filter(None, local), default=None)
        self.spec: Spec = specify(self.machine, carveout, known)
        self.pool = Pool()
        self._feeds: dict[int, Feed] = {}
        self._sources: dict[int, TraceSource] = {}
        self.compiled: EngineCode = self._compile(texels=False)
        """The code where no traces tell texels; ``code`` is as the traces loaded last need it."""
        self.code: EngineCode = replace(self.compiled, rows=self.compiled.rows.copy())
        self._texels: dict[int, bool] = {}
        self._with_texels: dict[int, bool] = {}
        self.lanes = LaneCounts(len(self.code.places))
        self.state: State = self._new_state()
        self._ready = False
        self.armed = 0
        self.unknown_before = 0
        self.counts: list[LaunchEndCounts] = []
        """At the end of each launch; at that of the last where several run at a time."""

    # -- making --------------------------------------------------------------------------------

    def _ctas(self, number: int) -> int:
        """How many CTAs of a launch are simulated: whole waves where these were asked for."""
        whole = self.works[number].launch.cta_count
        if self.options.waves is None:
            return whole
        a_wave = self.occupancies[number].ctas_per_sm * self.machine.integer("sm.count")
        return min(whole, self.options.waves * a_wave)

    def _stream_rules(self) -> StreamRules:
        sector = moved_sector_bytes(self.machine)
        rules = replace(
            stream_rules(self.machine),
            sector_bytes=sector,
            const_line_bytes=sector,
            tex_line_bytes=sector,
        )
        if is_a_simulator(self.machine):  # banks of whole sectors
            return replace(rules, packs_pairs=False)
        return replace(rules, lines_per_clk=float(self.machine.number("l1.lines_per_clk")))

    def _read(self) -> list[MachineProgram]:
        """Each kernel once as the machine runs it, and let launches know their kernels."""
        programs: list[MachineProgram] = []
        seen: dict[int, int] = {}
        for number, work in enumerate(self.works):
            own = id(work.facts.kernel)
            if own not in seen:
                seen[own] = len(programs)
                programs.append(work.facts.program(self.machine, work.registers))
            self._kernels[number] = seen[own]
        return programs

    def _compile(self, *, texels: bool) -> EngineCode:
        """Lay out the kernels, with or without accesses to texels in their traces."""
        programs = [p.with_texels() if texels else p for p in self._programs]
        return compile_code(programs, self.machine)

    def _new_state(self) -> State:
        launches = len(self.works)
        logged = sum(self.simulated)
        sizes = Sizes(
            registers=self.code.most_registers,
            code=self.code,
            launches=launches,
            logged_ctas=min(logged, 1 << 22),
            most_bytes=self.options.max_memory_bytes,
            spans=self.options.spans,
        )
        state = new_state(self.spec, sizes)
        table = state.table("launch")
        log = 0
        last: dict[int, int] = {}
        for number, work in enumerate(self.works):
            row = table[number]
            fit = self.occupancies[number]
            row["state"], row["ctas"] = c.LAUNCH_HELD, self.simulated[number]
            row["warps"], row["share"] = fit.warps_per_cta, c.SHARES // fit.ctas_per_sm
            row["code"] = self.code.first_block[self._kernels[number]]
            row["code"] += state.place("block")
            row["log"], row["after"] = log, c.NONE
            if work.stream in last:
                before = last[work.stream]
                row["after"] = state.place("launch", before)
            last[work.stream] = number
            log += self.simulated[number]
        return state

    # -- traces --------------------------------------------------------------------------------

    def _open(self, number: int, begin: int = 0) -> Feed:
        """Begin to trace a launch, from a CTA on; those begun are traced to their end first."""
        for other, feed in self._feeds.items():
            while not feed.over:
                self._load(other)
        work = self.works[number]
        source = work.traces()
        self._sources[number] = source
        unfolder = Unfolder(
            source,
            grid=work.launch.grid,
            warp_size=work.facts.module.warp_size,
            max_events=self.options.max_trace_events,
            accesses=work.facts.known_accesses,
            first_events=_FIRST_EVENTS,
        )
        order = CtaOrder(work.launch.grid, begin, self.simulated[number])
        return Feed(unfolder.batches(order), unfolder, order, begin)

    def _load(self, number: int) -> bool:
        """Take the next CTAs of a launch into the pool; gives whether there were any."""
        if number not in self._feeds:
            self._feeds[number] = self._open(number)
        feed = self._feeds[number]
        batch = next(feed.batches, None)
        if batch is None:
            feed.over = True
            return False
        self._tell_texels(number, batch.tables)
        kernel = self._kernels[number]
        own, program = self.code.row_of[kernel], self._programs[kernel]
        batch = program.traced(batch)
        widths = {load.first: load.width_bytes for load in program.one_load}
        rows = np.array([own[p.block, p.instruction] for p in batch.tables.points] or [0], np.int64)
        recorded = self.code.rows["recorded"][rows] != 0
        rows[~recorded] = c.NONE  # nobody would take these accesses
        passed = int(np.searchsorted(batch.ctas, feed.loaded))
        regions = as_regions(batch, program.heads)
        self.lanes.add(batch, regions, program.heads, own, passed)
        batch = in_order(regions, rows, widths)
        given = streams(batch, self._rules, program.spaces)
        if passed == len(batch.ctas):
            return self._load(number)
        self.pool.add(number, int(batch.ctas[passed]), given, rows, self.state.words, passed)
        feed.loaded = int(batch.ctas[-1]) + 1
        return True

    def _tell_texels(self, number: int, tables: EventTables) -> None:
        """Set the texels that a kernel's instructions access to those of its traces, if any.

        Others always hit. InputError where launches at a time have one kernel and differ in that.
        """
        own, kernel = self._kernels[number], self.works[number].facts.kernel
        if own not in self._with_texels:
            self._with_texels[own] = bool(texel_points(kernel))
        told = any(p.space in TEXEL_SPACES for p in tables.points)
        if self._texels.get(own) == told or not self._with_texels[own]:
            return
        if own in self._texels and len({work.stream for work in self.works}) > 1:
            words = f"launches of {kernel.name} run at a time, of which only some are executed"
            raise InputError(words + "; trace all of them alike, with --trace")
        self._texels[own] = told
        first = self._first_row(number)
        last = first + len(self.code.row_of[own])
        source = self._compile(texels=True) if told else self.compiled
        self.code.rows[first:last] = source.rows[first:last]
        put_rows(self.state, self.code, first, last)

    def _first_row(self, number: int) -> int:
        return int(self.code.blocks[self.code.first_block[self._kernels[number]]])

    def _need(self, number: int) -> None:
        """The engine CTAs of a launch, and drop what it no longer needs."""
        state = self.state
        table = state.table("launch")
        if not self._load(number):
            raise AssertionError("the traces of a launch end before its CTAs do")
        for launch in tuple(self.pool.windows):
            row = table[launch]
            self.pool.drop_begun(launch, int(row["next_cta"]), int(row["warps"]))
        self.pool.drop_unused(self._events(), self.state.words)
        self._check_memory()
        self.refresh()

    def _check_memory(self) -> None:
        """Refuse traces that take too much memory beside the state."""
        taken = self.pool.bytes + self.state.words.nbytes
        if taken > self.options.max_memory_bytes:
            raise LimitError(
                f"the simulation takes {taken:,} B, more than "
                f"{self.options.max_memory_bytes:,} B; raise the limit with --max-memory"
            )

    def _events(self) -> Numbers:
        """The events that warps on SMs stand at."""
        warps = self.state.table("warp")
        events: Numbers = warps["event"][warps["state"] != c.WARP_NONE]
        return events

    def refresh(self) -> None:
        """Write into the engine's state where CTAs to come begin."""
        self._ready = True
        table = self.state.table("launch")
        for launch, window in self.pool.windows.items():
            row = table[launch]
            row["loaded_ctas"] = self._feeds[launch].loaded
            place = distance(self.state.words, window.pairs)
            row["first_cta"] = place - 2 * window.cta * row["warps"]

    def loaded(self) -> dict[int, int]:
        """How many CTAs of each launch begun have been traced."""
        return {number: feed.loaded for number, feed in self._feeds.items()}

    def resume(self, armed: int, loaded: dict[int, int]) -> None:
        """Go on from a state that was put into place: so many launches may run, so far traced."""
        self.armed = armed
        for number, ctas in loaded.items():
            self._feeds[number] = self._open(number, ctas)
        self.refresh()

    # -- running -------------------------------------------------------------------------------

    def run(self, until: int | None = None, most_steps: int = 1 << 62) -> int:
        """Go on until a cycle or for some steps, or to the end; gives RUN_DONE or RUN_PAUSED.

        LimitError where ``max_cycles`` is reached.
        """
        while True:
            if not self._ready:
                self._begin_group()
            why = self.run_group(until, most_steps)
            if why == c.RUN_PAUSED or self.armed == len(self.works):
                return why
            self._begin_group()

    def run_group(self, until: int | None = None, most_steps: int = 1 << 62) -> int:
        """Go on with the launches that may run; gives RUN_DONE or RUN_PAUSED. Errors as ``run``."""
        limit = self.options.max_cycles
        stop = min(x for x in (until, limit, c.NEVER >> 16) if x is not None)
        while True:
            why = run(self.state.words, stop, most_steps)
            if why == c.RUN_NEEDS:
                self._need(self.state.number("needs_traces_of"))
            elif why == c.RUN_DONE:
                self._keep_counts()
                return int(why)
            elif why == c.RUN_STUCK:
                raise InputError(self._standstill())
            elif limit is not None and stop == limit and self.reached >= limit:
                raise LimitError(f"{limit:,} cycles are reached; raise the limit with --max-cycles")
            else:
                return int(why)

    def _standstill(self) -> str:
        """Message on what warps wait for in vain: a barrier that others never reach."""
        warps = self.state.table("warp")
        alive = warps[warps["state"] != c.WARP_NONE]
        reasons = Counter(SIMULATED_STATES[r] for r in alive["reason"].tolist())
        told = ", ".join(f"{n} for {reason}" for reason, n in sorted(reasons.items()))
        return (
            f"cycle {self.reached:,}: nothing can happen any more; warps on SMs wait {told}. "
            "The traces may be of some of the CTAs that need each other, or a barrier's number or "
            "count may be one that only data tell"
        )

    def _begin_group(self) -> None:
        """Start the next launches: one where there is one stream, else all that are left."""
        first = self.armed == 0
        streams_ = {work.stream for work in self.works[self.armed :]}
        number = self.armed + 1 if len(streams_) == 1 else len(self.works)
        group = range(self.armed, number)
        state = self.state
        if not self.options.keep_l1 or first:
            carveout = max(self.occupancies[n].shared_carveout_bytes for n in group)
            spec = l1_spec(self.machine, carveout)
            if spec is not None and "l1" in self.spec.caches:
                old = self.spec.caches["l1"][1]
                sized = CacheSpec(spec.size_bytes, old.line_bytes, old.sector_bytes, spec.ways)
                resize_cache(state, "l1", sized)
            # GPGPU-Sim invalidates L1 alone when a launch has ended
            keeps_code = self.spec.fetches_from_l2 and not first
            empty_caches(state, self.spec, ("tex",) if keeps_code else ("const", "tex", "icache"))
            forget_prefetched(state)
        if self.options.flush_l2 and not first:
            empty_caches(state, self.spec, ("l2",))
        if first:
            self._feeds[0] = self._open(0)
        if first and self.options.l2 == "warm":
            self._warm()
        if not self._ready:
            self._load(self.armed)
            self.refresh()
        begin = self.cycles + 1 if not first else 0
        alone = len(group) == 1
        state.gpu["lookahead"] = self.spec.lookahead if alone else 1
        arm(state.words, number, begin)
        self.armed = number

    def _warm(self) -> None:
        """Fill L2 with the buffers of the first launch, as an equal one before leaves it."""
        if "l2" in self.spec.caches:
            for sectors, is_dirty in self.left_in_l2():
                warm(self.state.words, sectors.start, sectors.stop, int(is_dirty))

    def left_in_l2(self) -> Iterator[tuple[range, bool]]:
        """Sectors of the first launch's buffers, the last ones last, and whether they are dirty.

        An equal launch goes through all buffers at once, so they come piece by piece in turn. What
        it stores to is dirty: it goes to DRAM while the next one runs.
        """
        sector, stored = self.state.number("sector_bytes"), self.works[0].facts.stored_bases
        for piece in range(_PIECES):
            for region in self._sources[0].layout.regions:
                first = region.start // sector
                count = -(-(region.start + region.size_bytes) // sector) - first
                begin, end = (first + count * k // _PIECES for k in (piece, piece + 1))
                yield range(begin, end), stored is None or region.name in stored

    def _keep_counts(self) -> None:
        """Keep what has been counted when launches end, once."""
        if self.counts and self.counts[-1].launches == self.armed:
            return
        state = self.state
        sums = [total(state.table(name)["counts"]) for name in ("sm", "slice", "channel")]
        self.counts.append(LaunchEndCounts(self.armed, *sums))

    def progress(self) -> tuple[int, ...]:
        """How many CTAs of each launch have ended; ``simulated`` has how many will."""
        table = self.state.table("launch")
        return tuple(table["done_ctas"].tolist())

    def source(self, number: int) -> TraceSource:
        """Source of a launch's traces."""
        return self._sources[number]

    @property
    def kernels(self) -> tuple[Kernel, ...]:
        """The kernels, by the numbers that the code has them under."""
        return tuple(program.kernel for program in self._programs)

    @property
    def kernel_names(self) -> tuple[str, ...]:
        """Names of the kernels, by the numbers that the code has them under."""
        names = {n: self.works[k].facts.kernel.name for k, n in self._kernels.items()}
        return tuple(names[n] for n in sorted(names))

    def rows_by_kernel(
        self,
    ) -> Iterator[tuple[KernelFacts, Mapping[Place, int]]]:
        """Each kernel with its instructions' rows."""
        of_kernel = {n: k for k, n in self._kernels.items()}
        for n, k in sorted(of_kernel.items()):
            yield self.works[k].facts, self.code.row_of[n]

    def registers(self, number: int) -> RegisterCount:
        """The registers of a thread of a launch, with what they spill."""
        return self._programs[self._kernels[number]].told(self.works[number].registers)

    def owner(self, row: int) -> tuple[int, Place, Literal["load", "store"] | None]:
        """A row's kernel, its own instruction that the row is there for, and whether it spills."""
        kernel, block, index = self.code.places[row]
        program, place = self._programs[kernel], (block, index)
        owner = program.owner(place)
        if owner == place:
            return kernel, place, None
        return kernel, owner, "load" if program.instruction(place).writes else "store"

    @property
    def unknown_accesses(self) -> int:
        """How many accesses of warps had addresses that their traces did not know."""
        return self.unknown_before + sum(
            n for feed in self._feeds.values() for n in feed.unfolder.unknown_accesses.values()
        )

    @property
    def assumed_values(self) -> tuple[AssumedValue, ...]:
        """Values of the machine that were read and that nobody states for it."""
        return self._used.assumed()

    @property
    def reached(self) -> int:
        """The cycle up to which everything has happened."""
        return self.state.number("window")

    @property
    def cycles(self) -> int:
        """The last cycle at which a launch ended; the one that is reached where none has."""
        table = self.state.table("launch")
        ended = table["end"][table["state"] == c.LAUNCH_DONE]
        return int(ended.max()) if len(ended) else self.reached


# The launches that a simulation is given, and how many CTAs of each an SM holds.


@dataclass(frozen=True)
class LaunchWork:
    """One launch to simulate. ``traces`` gives its source when the simulation comes to it.

    Launches of one ``stream`` run one after the other, in the order in which they are given.
    """

    facts: KernelFacts
    launch: Launch
    registers: RegisterCount
    traces: Callable[[], TraceSource]
    stream: int = 0


def occupancy_of(work: LaunchWork, machine: Machine) -> Occupancy:
    """How many CTAs of a launch an SM holds.

    InputError where it holds none, and where its warps are others than those of the code.
    """
    lanes, own = machine.integer("machine.warp_size"), work.facts.module.warp_size
    if lanes != own:
        raise InputError(
            work.launch.error(
                f"{work.facts.kernel.name} is compiled for warps of {own} lanes, and "
                f"{machine.name} has warps of {lanes}; compile it for such a chip, or set "
                f"machine.warp_size={own} to see a chip of other warps"
            )
        )
    registers, shared = work.registers.registers_per_thread, shared_bytes_of(work)
    fit = occupancy(machine, work.launch.threads_per_cta, registers, shared)
    if fit.ctas_per_sm == 0:
        words = f"the launch does not fit on {machine.name}: {'; '.join(fit.notes)}"
        raise InputError(work.launch.error(words, "block"))
    return fit


def shared_bytes_of(work: LaunchWork) -> int:
    """Bytes of shared memory that a CTA of a launch takes."""
    own = shared_bytes(work.facts.module, work.facts.kernel)
    return own + work.launch.dynamic_shared_bytes


def occupancies(works: Sequence[LaunchWork], machine: Machine) -> tuple[Occupancy, ...]:
    """Those of several launches; launches of a kernel that are of one shape share theirs."""
    known: dict[tuple[int, ...], Occupancy] = {}
    found = []
    for work in works:
        launch, registers = work.launch, work.registers.registers_per_thread
        shape = launch.threads_per_cta, registers, launch.dynamic_shared_bytes
        key = id(work.facts), *shape
        if key not in known:
            known[key] = occupancy_of(work, machine)
        found.append(known[key])
    return tuple(found)
