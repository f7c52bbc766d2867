"""The native loop over CTAs and warps: starts them, lets them take turns, resolves barriers.

Warps of a CTA take turns in the order of their numbers. A warp runs until it ends, comes to a
barrier, or has gone back in loops often enough for the others to have a turn.
"""

from __future__ import annotations

from dataclasses import dataclass

from warpmill.executor.native.emitter import (
    Emitter,
    StackVariable,
    counted,
    loop_while,
    variable,
    when,
)
from warpmill.executor.native.events import END, record_turn
from warpmill.executor.native.instructions import LlvmModule, LlvmValue, constant
from warpmill.executor.native.lane_schedule import rotate
from warpmill.executor.native.layout import GROUP_BARRIER, FaultKind
from warpmill.executor.native.lowering import Lowered
from warpmill.executor.native.paths import (
    add_up_row,
    has_room,
    leave_cta,
    set_layout,
    take_row,
)
from warpmill.executor.native.segments import (
    AT_BARRIER,
    ENDED,
    GIVES_WAY,
    HAS_ENDED,
    READY,
    WAITING,
    get_field,
    set_field,
)
from warpmill.executor.native.shadows import UNDEFINED
from warpmill.executor.native.sync_checks import check_end
from warpmill.executor.native.watching import watch_barrier
from warpmill.executor.sanitizers.findings import Tool

FINISHED, OUT_OF_FUEL, FAULTED = 0, 1, 2
"""Return values of ``@run``: all CTAs are done; call again; the context tells what went wrong."""

BARRIERS = GROUP_BARRIER + 1
BARRIER_BYTES = 32
_ARRIVED, _COUNT, _LANES, _EXPECTED = 0, 8, 16, 24
_ARRIVES, _POPC, _AND = 1, 2, 3


def write_driver(module: LlvmModule, lowered: Lowered) -> None:
    """Write the function ``@run``, which runs CTAs ``cta`` to ``last_cta`` of the context.

    It tells the driver about the kernel; the driver itself is one for all that count alike.
    """
    e = Emitter(module)
    _write_clear(module, lowered)
    e.set_context("warp_code", LlvmValue("@warp", "ptr", uniform=True))
    e.set_context("clear_code", LlvmValue("@clear", "ptr", uniform=True))
    e.set_context("record_bytes", constant(lowered.record.bytes, "i64"))
    counting = lowered.counting
    if counting.paths is not None:
        set_layout(e, counting.paths)
    if counting.ctas:
        e.set_context("block_count", constant(len(lowered.segments.kernel.blocks), "i64"))
    flags = {
        "barriers": lowered.uses_barriers,
        "events": counting.events,
        "paths": counting.paths is not None,
        "loops": counting.paths is not None and bool(counting.paths.headers),
        "ctas": counting.ctas,
        "races": Tool.RACECHECK in module.tools,
        "syncs": Tool.SYNCCHECK in module.tools,
        "shadows": Tool.INITCHECK in module.tools,
        "lanes": module.independent,
    }
    name = ".".join(["drive", *[flag for flag, is_set in flags.items() if is_set]])
    (result,) = e.outlined(name, lambda inner: _Driver(inner, **flags).write())
    e.raw(f"  ret i32 {result.text}")
    module.functions["@run"] = f"define i32 @run(ptr %ctx) #0 {{\n{e.body_text()}\n}}\n"


def _write_clear(module: LlvmModule, lowered: Lowered) -> None:
    """Write the function ``@clear``, which clears registers that are read before they are set."""
    e = Emitter(module)
    for offset, size in lowered.zeroed:
        start = e.name()
        where = lowered.record.frame_start + offset
        e.raw(f"  {start} = getelementptr i8, ptr %warp, i64 {where}")
        _clear(e, start, constant(size, "i64"))
    e.raw("  ret void")
    head = "define internal void @clear(ptr %ctx, ptr %warp) #0"
    module.functions["@clear"] = f"{head} {{\n{e.body_text()}\n}}\n"


def _clear(e: Emitter, place: str, size: LlvmValue, byte: int = 0) -> None:
    e.module.declarations.setdefault(
        "@llvm.memset.p0.i64", "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)"
    )
    e.raw(f"  call void @llvm.memset.p0.i64(ptr {place}, i8 {byte}, i64 {size.text}, i1 false)")


@dataclass
class _Driver:
    """Writer of the driver; flags select its parts: barriers, and what ``Counting`` counts."""

    emitter: Emitter
    barriers: bool
    events: bool
    paths: bool
    loops: bool
    ctas: bool
    races: bool
    syncs: bool
    shadows: bool
    lanes: bool

    def write(self) -> LlvmValue:
        """Write it; gives what ``@run`` returns."""
        e = self.emitter
        result = variable(e, constant(-1, "i32"))
        running = lambda: e.compare("eq", result.get(), constant(-1, "i32"))  # noqa: E731 - short
        loop_while(e, running, lambda: self._turn(result))
        return result.get()

    def _turn(self, result: StackVariable) -> None:
        """Begin a CTA where none runs, else give each of its warps a turn."""
        e = self.emitter
        idle = e.compare("eq", e.context("live_warps"), constant(0, "i64"))
        when(e, idle, lambda: self._next_cta(result), lambda: self._round(result))

    # CTAs.

    def _next_cta(self, result: StackVariable) -> None:
        e = self.emitter
        cta = e.op("add", e.context("cta"), constant(1, "i64"))
        over = e.compare("uge", cta, e.context("last_cta"))

        def begin() -> None:
            e.set_context("cta", cta)
            rest = cta
            for axis in "xy":
                size = e.resize(e.context(f"nctaid.{axis}"), "i64")
                e.set_context(f"ctaid.{axis}", e.resize(e.op("urem", rest, size), "i32"))
                rest = e.op("udiv", rest, size)
            e.set_context("ctaid.z", e.resize(rest, "i32"))
            shared = e.context("shared_bytes")
            self._clear("shared", shared)
            warps = e.context("warp_count")
            lanes = e.op("mul", warps, constant(e.lanes, "i64"))
            local = e.op("mul", e.context("local_bytes"), lanes)
            self._clear("local", local)
            if self.shadows:
                self._clear("shared_shadow", shared, UNDEFINED)
                self._clear("local_shadow", local, UNDEFINED)
            self._clear("barriers", constant(BARRIERS * BARRIER_BYTES, "i64"))
            counted(e, constant(0, "i64"), warps, self._begin_warp)
            e.set_context("live_warps", warps)

        def begin_with_room() -> None:
            if not self.loops and not self.ctas:
                begin()
                return
            full = lambda: result.set(constant(OUT_OF_FUEL, "i32"))  # noqa: E731 - short
            when(e, has_room(e), begin, full)

        when(e, over, lambda: result.set(constant(FINISHED, "i32")), begin_with_room)

    def _clear(self, name: str, size: LlvmValue, byte: int = 0) -> None:
        e = self.emitter
        place = e.context(name).text
        when(e, e.compare("ne", size, constant(0, "i64")), lambda: _clear(e, place, size, byte))

    def _warp(self, number: LlvmValue) -> str:
        """The pointer to a warp's record."""
        e, place = self.emitter, self.emitter.name()
        offset = e.op("mul", number, e.context("record_bytes"))
        e.raw(f"  {place} = getelementptr i8, ptr {e.context('warps').text}, i64 {offset.text}")
        return place

    def _begin_warp(self, number: LlvmValue) -> None:
        e = self.emitter
        warp, place = self._warp(number), e.name()
        e.raw(
            f"  {place} = getelementptr i64, ptr {e.context('first_masks').text}, i64 {number.text}"
        )
        lanes = e.define(f"load i64, ptr {place}", "i64", uniform=True)
        zero = constant(0, "i64")
        for name, value in (
            ("resume", zero),
            ("mask", lanes),
            ("alive", lanes),
            ("leaving", zero),
            ("reconvergence", constant(-1, "i64")),
            ("depth", zero),
            ("status", constant(READY, "i64")),
            ("group_turn", zero),
            ("is_alone", zero),
        ):
            set_field(e, warp, name, value)
        e.raw(f"  call void {e.context('clear_code').text}(ptr %ctx, ptr {warp})")

    # Turns.

    def _round(self, result: StackVariable) -> None:
        """Each ready warp a turn; without one, nobody will ever go on."""
        e = self.emitter
        moved = variable(e, constant(0, "i64"))
        number = variable(e, constant(0, "i64"))

        def more() -> LlvmValue:
            left = e.compare("ult", number.get(), e.context("warp_count"))
            fine = e.compare("eq", e.context("fault"), constant(0, "i64"))
            return e.op("and", left, fine)

        def one() -> None:
            place = e.element(e.context("warp_order").text, number.get(), "i64")
            warp = e.define(f"load i64, ptr {place}", "i64", uniform=True)
            self._run_warp(warp, moved)
            number.set(e.op("add", number.get(), constant(1, "i64")))

        loop_while(e, more, one)
        stuck = e.compare("eq", moved.get(), constant(0, "i64"))
        fine = e.compare("eq", e.context("fault"), constant(0, "i64"))
        deadlock = constant(FaultKind.BARRIER_DEADLOCK, "i64")
        when(e, e.op("and", stuck, fine), lambda: e.set_context("fault", deadlock))
        wrong = e.compare("ne", e.context("fault"), constant(0, "i64"))
        spent = e.compare("slt", e.context("fuel"), constant(0, "i64"))
        when(e, spent, lambda: result.set(constant(OUT_OF_FUEL, "i32")))
        when(e, wrong, lambda: result.set(constant(FAULTED, "i32")))

    def _run_warp(self, number: LlvmValue, moved: StackVariable) -> None:
        e = self.emitter
        warp = self._warp(number)
        is_ready = e.compare("eq", get_field(e, warp, "status"), constant(READY, "i64"))

        def run() -> None:
            moved.set(constant(1, "i64"))
            e.set_context("warp", number)
            if self.events:
                record_turn(e, number)
            if self.paths:
                take_row(e, number)
            given = e.context("slice")
            e.set_context("budget", given)
            function = e.context("warp_code").text
            code = e.define(f"call i32 {function}(ptr %ctx, ptr {warp})", "i32", uniform=True)
            used = e.op("sub", given, e.context("budget"))
            fuel = e.op("sub", e.context("fuel"), e.op("add", used, constant(1, "i64")))
            e.set_context("fuel", fuel)
            when(e, e.compare("eq", code, constant(HAS_ENDED, "i32")), lambda: self._end(warp))
            if self.barriers:
                at_barrier = e.compare("eq", code, constant(AT_BARRIER, "i32"))
                when(e, at_barrier, lambda: self._arrive(warp))
            if self.lanes:
                stopped = e.compare("eq", code, constant(GIVES_WAY, "i32"))
                when(e, stopped, lambda: rotate(e, warp))

        when(e, is_ready, run)

    def _end(self, warp: str) -> None:
        e = self.emitter
        if self.events:
            record_turn(e, e.context("warp"), END)
        if self.paths:
            add_up_row(e, loops=self.loops)
        if self.syncs:
            check_end(e)
        set_field(e, warp, "status", constant(ENDED, "i64"))
        left = e.op("sub", e.context("live_warps"), constant(1, "i64"))
        e.set_context("live_warps", left)
        if self.ctas:
            is_last = e.compare("eq", left, constant(0, "i64"))
            when(e, is_last, lambda: leave_cta(e))
        if self.barriers:
            end = constant(BARRIERS, "i64")
            counted(e, constant(0, "i64"), end, self._release)

    # Barriers.

    def _barrier(self, number: LlvmValue, offset: int) -> str:
        e, place = self.emitter, self.emitter.name()
        row = e.op("mul", number, constant(BARRIER_BYTES, "i64"))
        whole = e.op("add", row, constant(offset, "i64"))
        e.raw(f"  {place} = getelementptr i8, ptr {e.context('barriers').text}, i64 {whole.text}")
        return place

    def _get(self, number: LlvmValue, offset: int) -> LlvmValue:
        text = f"load i64, ptr {self._barrier(number, offset)}"
        return self.emitter.define(text, "i64", uniform=True)

    def _set(self, number: LlvmValue, offset: int, value: LlvmValue) -> None:
        self.emitter.raw(f"  store i64 {value.text}, ptr {self._barrier(number, offset)}")

    def _add(self, number: LlvmValue, offset: int, value: LlvmValue) -> None:
        self._set(number, offset, self.emitter.op("add", self._get(number, offset), value))

    def _arrive(self, warp: str) -> None:
        e = self.emitter
        fine = e.compare("eq", e.context("fault"), constant(0, "i64"))

        def arrive() -> None:
            number = get_field(e, warp, "barrier")
            kind = get_field(e, warp, "barrier_kind")
            self._add(number, _ARRIVED, constant(1, "i64"))
            self._add(number, _LANES, get_field(e, warp, "barrier_lanes"))
            reduces = e.compare("uge", kind, constant(_POPC, "i64"))
            holds = get_field(e, warp, "barrier_count")
            self._add(number, _COUNT, e.select(reduces, holds, constant(0, "i64")))
            self._set(number, _EXPECTED, get_field(e, warp, "barrier_threads"))
            waits = e.compare("ne", kind, constant(_ARRIVES, "i64"))
            waiting = constant(WAITING, "i64")
            when(e, waits, lambda: set_field(e, warp, "status", waiting))
            self._release(number)

        when(e, fine, arrive)

    def _release(self, number: LlvmValue) -> None:
        """Release the warps at a barrier where all that it is for have arrived."""
        e = self.emitter
        expected = self._get(number, _EXPECTED)
        by_count = e.op("udiv", expected, constant(e.lanes, "i64"))
        for_all = e.compare("eq", expected, constant(0, "i64"))
        needed = e.select(for_all, e.context("live_warps"), by_count)
        arrived = self._get(number, _ARRIVED)
        some = e.compare("ne", arrived, constant(0, "i64"))
        complete = e.op("and", some, e.compare("uge", arrived, needed))

        def release() -> None:
            if self.races:
                watch_barrier(e, number)
            counted(e, constant(0, "i64"), e.context("warp_count"), lambda w: self._wake(w, number))
            for offset in (_ARRIVED, _COUNT, _LANES, _EXPECTED):
                self._set(number, offset, constant(0, "i64"))

        when(e, complete, release)

    def _wake(self, number: LlvmValue, barrier: LlvmValue) -> None:
        e = self.emitter
        warp = self._warp(number)
        waits = e.compare("eq", get_field(e, warp, "status"), constant(WAITING, "i64"))
        here = e.compare("eq", get_field(e, warp, "barrier"), barrier)

        def wake() -> None:
            set_field(e, warp, "status", constant(READY, "i64"))
            kind = get_field(e, warp, "barrier_kind")
            holds = self._get(barrier, _COUNT)
            for_all = e.compare("eq", kind, constant(_AND, "i64"))
            every = e.compare("eq", holds, self._get(barrier, _LANES))
            result = e.select(for_all, e.cast("zext", every, "i64"), holds)
            set_field(e, warp, "barrier_result", result)

        when(e, e.op("and", waits, here), wake)
