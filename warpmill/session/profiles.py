"""Exact profiles of launches: a target run with collectors, its counts by launch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Unpack

from warpmill.analyzer.profile.counts import Profile
from warpmill.executor.collectors import Collector, ProfileCollector
from warpmill.session.jobs import Job
from warpmill.session.options import LaunchKeywords, LaunchOptions, RunOptions
from warpmill.session.run import run
from warpmill.session.runs import Run


@dataclass(frozen=True)
class LaunchProfile:
    """The profile of one launch, under the name that reports give it."""

    index: int
    name: str
    profile: Profile


@dataclass(frozen=True)
class Profiled:
    """Profiled run: the run itself, and the profile of each of its launches."""

    run: Run
    launches: tuple[LaunchProfile, ...]


def profile(
    target: str | Path | Job | Sequence[Job],
    kernel: str | None = None,
    launch: LaunchOptions | None = None,
    options: RunOptions | None = None,
    *,
    counts: Sequence[str] | None = None,
    strict: bool = False,
    **keywords: Unpack[LaunchKeywords],
) -> Profiled:
    """Run a target and count what its launches do. A target is what ``run`` takes.

    ``profile("samples/reduce/launch.toml").launches[0].profile.warp_instructions``. ``counts`` are
    those of ``executor.collectors.COUNTS`` that are wanted, all where it is None; fewer
    cost less. Collectors of the options are told too. Errors as ``run``; ValueError for counts that
    there are not.
    """
    options = options or RunOptions()
    own = ProfileCollector(counts)
    both: tuple[Collector, ...] = (own, *options.collectors)
    how = replace(options, collectors=both)
    done = run(target, kernel, launch, how, strict=strict, **keywords)
    pairs = zip(done.launches, own.profiles, strict=True)
    found = (LaunchProfile(k, one.name, made) for k, (one, made) in enumerate(pairs))
    return Profiled(done, tuple(found))
