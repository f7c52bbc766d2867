"""What comes of sampling an application on machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from warpmill.sampling.growing import SamplingPass
from warpmill.sampling.issued import Issued, issued
from warpmill.sampling.options import SampleOptions
from warpmill.session.sampled_launches import SampledApplication
from warpmill.simulator.machines.model import Machine
from warpmill.simulator.sampling.model import Projection, Selection
from warpmill.simulator.sampling.region_runs import SampledLaunch


@dataclass(frozen=True)
class Whole:
    """The simulation of all launches, beside a sample."""

    cycles: float
    seconds_taken: float


@dataclass(frozen=True)
class ApplicationSample:
    """What was simulated of an application on a machine, and what it says of the whole.

    ``runs`` are those of the launches that were simulated, ``numbers`` their places among the
    application's, ``warming`` those of others that were simulated so that caches are warm.
    ``cycles`` is by unit. ``taken`` has CPU seconds by what they went to: profile,
    choice, simulation. ``passes`` are the selections that were simulated until one met the target
    error, and ``expected_error`` what the choice was made by, as ``Chosen`` has it.
    """

    application: SampledApplication
    machine: Machine
    options: SampleOptions
    selection: Selection
    numbers: tuple[int, ...]
    runs: tuple[SampledLaunch, ...]
    warming: tuple[SampledLaunch, ...]
    cycles: Mapping[int, float]
    projection: Projection
    taken: Mapping[str, float]
    whole: Whole | None = None
    passes: tuple[SamplingPass, ...] = ()
    expected_error: float | None = None

    @property
    def warp_instructions(self) -> int:
        """Warp instructions of all launches, as profiles count them."""
        return self.selection.warp_instructions

    @cached_property
    def issued(self) -> Issued:
        """What the machine issues of all launches, which may be less."""
        app = self.application
        return issued([one.profile for one in app.launches], app.jobs, self.machine)

    @property
    def simulated_warp_instructions(self) -> int:
        """Warp instructions that were issued in the simulation, warming included."""
        return sum(run.warp_instructions for run in (*self.runs, *self.warming))

    @property
    def sample_share(self) -> float:
        """The share that was simulated, warming included."""
        return self.simulated_warp_instructions / max(1, self.issued.warp_instructions)

    @property
    def is_whole(self) -> bool:
        """Whether all was simulated, so that nothing is scaled."""
        every = len(self.numbers) == len(self.application.launches)
        return every and not any(run.passed for run in self.runs)

    @property
    def ipc(self) -> float:
        """Warp instructions a cycle, projected; those that the machine issues."""
        return self.issued.warp_instructions / self.projection.cycles

    @property
    def thread_ipc(self) -> float:
        """Thread instructions a cycle, likewise."""
        return self.issued.thread_instructions / self.projection.cycles

    @property
    def seconds(self) -> float:
        """The projected time."""
        return self.projection.cycles / (self.machine.number("clock.sm_mhz") * 1e6)

    @property
    def error(self) -> float | None:
        """How far projected cycles are from those of the whole, relatively; None: not checked."""
        return None if self.whole is None else self.projection.cycles / self.whole.cycles - 1.0


@dataclass(frozen=True)
class Sampled:
    """A selection of an application, simulated on some machines, in the order asked for.

    ``not_simulated`` are machines that the launches do not fit on, with reasons.
    """

    application: SampledApplication
    options: SampleOptions
    selection: Selection
    samples: tuple[ApplicationSample, ...]
    not_simulated: tuple[tuple[str, str], ...]
