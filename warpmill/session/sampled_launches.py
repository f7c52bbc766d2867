"""Applications as sampling takes them: run once, each launch counted, and ready to be simulated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.naming import demangle
from warpmill.analyzer.frontends.load import find_launched
from warpmill.analyzer.profile.counts import Profile
from warpmill.executor.collectors import Collector, ProfileCollector
from warpmill.executor.host.recording import (
    AllocateCall,
    ArgumentRecord,
    FreeCall,
    LaunchCall,
    RecordedCall,
    Recording,
    SymbolCall,
    TextureCall,
    sync_intervals,
)
from warpmill.session.applications import Application
from warpmill.session.jobs import Job, found_target, is_application, says_launches
from warpmill.session.options import LaunchOptions, RunOptions
from warpmill.session.prepare import prepare_all
from warpmill.session.run import run
from warpmill.session.runs import run_jobs
from warpmill.simulator.sampling.model import CountedLaunch


@dataclass(frozen=True)
class SampledApplication:
    """The launches that sampling chooses among, counted, and as jobs to simulate: one for each.

    ``application`` has the recording that the jobs come from; None for launch files.
    """

    title: str
    launches: tuple[CountedLaunch, ...]
    jobs: tuple[Job, ...] = field(repr=False)
    application: Application | None = field(default=None, repr=False)


def sampled_launches(
    target: str | Path,
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    ctas: bool = False,
    strict: bool = False,
) -> SampledApplication:
    """Run a target once, and count what its launches do: blocks and accesses to memory.

    ``sampled_launches("bfs:tiny").launches[0].warp_instructions``. A target is a host program, a
    workload, a recording, a launch file, or a kernel file with a launch. With ``kernel`` the
    launches are its own alone, under their numbers in the application; where the launch options
    name one by its number, that one. ``ctas`` has counts by CTA kept too, which are large. Errors
    as ``run``; UsageError where nothing is left to sample.
    """
    launch, options = launch or LaunchOptions(), options or RunOptions()
    own = ProfileCollector(("memory", "ctas") if ctas else ("memory",))
    both: tuple[Collector, ...] = (own, *options.collectors)
    options = replace(options, collectors=both)
    target = found_target(target)
    if not is_application(target):
        # of a launch file all run, as those of a kernel may use what others leave
        only = None if says_launches(target) else kernel
        jobs = prepare_all(target, only, launch, strict=strict)
        done = run_jobs(jobs, options, str(target))
        counted = _counted(done.recording, own.profiles)
        places = _chosen(str(target), counted, kernel, launch)
        return _sampled(str(target), counted, [jobs[place] for place in places], places)
    done = run(target, None, replace(launch, launches="all"), replace(options, record=True))
    app = Application(str(target), done.recording)
    counted = _counted(done.recording, own.profiles)
    places = _chosen(app.title, counted, kernel, launch)
    return _sampled(app.title, counted, [app.job(place) for place in places], places, app)


def _sampled(
    title: str,
    counted: list[CountedLaunch],
    jobs: list[Job],
    places: list[int],
    app: Application | None = None,
) -> SampledApplication:
    return SampledApplication(title, tuple(counted[place] for place in places), tuple(jobs), app)


def _chosen(
    title: str, counted: list[CountedLaunch], kernel: str | None, launch: LaunchOptions
) -> list[int]:
    """The numbers of the launches that are wanted. UsageError where there are none."""
    if not counted:
        raise UsageError(f"{title} makes no launches")
    names = [one.kernel for one in counted]
    named = None if kernel is None else find_launched(kernel, names, title)
    wanted = [number for number, name in enumerate(names) if named in (None, name)]
    if not isinstance(launch.launches, int):
        return wanted
    if launch.launches in wanted:
        return [launch.launches]
    if launch.launches < len(names) and launch.launches >= 0:
        is_of = demangle(names[launch.launches])
        raise UsageError(f"launch {launch.launches} of {title} is of {is_of}")
    last = len(names) - 1
    raise UsageError(f"{title} has no launch {launch.launches}; its launches are 0 to {last}")


def _counted(recording: Recording, profiles: list[Profile]) -> list[CountedLaunch]:
    """Join what was counted with what the recording knows of each launch."""
    intervals = [k for k, each in enumerate(sync_intervals(recording)) for _ in each.launches]
    columns = zip(profiles, launch_arguments(recording), intervals, strict=True)
    return [
        CountedLaunch(
            number=number,
            kernel=profile.kernel.name,
            grid=profile.grid,
            block=profile.block,
            warp_instructions=profile.warp_instructions,
            arguments=arguments,
            profile=profile,
            interval=interval,
        )
        for number, (profile, arguments, interval) in enumerate(columns)
    ]


def launch_arguments(recording: Recording) -> Iterator[tuple[str, ...]]:
    """The arguments of each launch in words: ``64``, ``buffer 3``, ``buffer 3+128``.

    A number is its value, a pointer the allocation that it lies in, by its number from 0 in the
    order in which they were made, and the bytes from its start; ``symbol lut`` is a variable of a
    module. A texture is that by its number, and ``texture 2 over 1`` one over another's elements.
    A struct is its bytes in hexadecimal, with pointers in words.
    """
    words = _Words()
    for call in recording.calls:
        if isinstance(call, LaunchCall):
            yield tuple(words.of(call, each) for each in call.arguments)
        else:
            words.after(call)


@dataclass
class _Words:
    """Goes along with the calls, and knows what an address means at each."""

    memory: dict[int, tuple[int, str]] = field(default_factory=dict)  # by address: bytes, word
    textures: dict[int, str] = field(default_factory=dict)
    allocations: int = 0

    def after(self, call: RecordedCall) -> None:
        match call:
            case AllocateCall():
                self.memory[call.address] = call.bytes, f"buffer {self.allocations}"
                self.allocations += 1
            case SymbolCall():
                self.memory[call.address] = call.bytes, f"symbol {call.name}"
            case FreeCall():
                self.memory.pop(call.address, None)
            case TextureCall():
                self._texture(call)

    def _texture(self, call: TextureCall) -> None:
        over = "" if call.over is None else self.textures.get(call.over, "")
        beneath = over.removeprefix("texture ").removeprefix("surface ")
        word = f"{call.kind} {len(self.textures)}"
        self.textures[call.handle] = f"{word} over {beneath}" if beneath else word

    def of(self, call: LaunchCall, argument: ArgumentRecord) -> str:
        held = call.params[argument.offset : argument.offset + argument.bytes]
        match argument.kind:
            case "null":
                return "null"
            case "buffer" | "address":
                return self._address(int.from_bytes(held, "little"))
            case "texture" | "surface":
                return self._handle(int.from_bytes(held, "little"))
            case "struct":
                return "{" + " ".join(self._parts(call, argument, held)) + "}"
        return {"True": "1", "False": "0"}.get(argument.value, argument.value)

    def _address(self, address: int) -> str:
        if address in self.memory:
            return self.memory[address][1]
        inside = (
            (start, word)
            for start, (size, word) in self.memory.items()
            if start <= address <= start + size
        )
        start, word = max(inside, default=(0, ""))
        if not word:
            return f"{address:#x}"
        return f"{word}+{address - start}"

    def _handle(self, handle: int) -> str:
        return self.textures.get(handle, f"{handle:#x}")

    def _parts(self, call: LaunchCall, argument: ArgumentRecord, held: bytes) -> Iterator[str]:
        """The bytes of a struct, between its addresses as they are."""
        inside = range(argument.offset, argument.offset + argument.bytes)
        places = [place - argument.offset for place in call.addresses if place in inside]
        start = 0
        for place in sorted(places):
            if place > start:
                yield held[start:place].hex()
            pointer = int.from_bytes(held[place : place + 8], "little")
            yield self.textures.get(pointer) or self._address(pointer)
            start = place + 8
        if start < len(held):
            yield held[start:].hex()
