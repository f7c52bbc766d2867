"""How a sample is made of an application. Nothing heavy is imported: the help shows the options."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, Literal

from warpmill.analyzer.base.diagnostics import UsageError
from warpmill.analyzer.base.opt import Opt
from warpmill.session.options import percent_of

SHARE = 0.1
"""The part of the units that is drawn or counted off: TBPoint's Random takes 10 % (§V-A)."""
PER_STRATUM = 2
"""Launches of a stratum that are measured, if it has so many: two tell how far they differ."""
DIVISION, FEATURE = "sync", "BB"
"""GT-Pin's best universal combination (§V-B)."""
WARM_UPS = 2
"""Launches before each chosen one that are simulated too, at most."""
STABILITY = "steady"
"""The rule by which CTAs begin to be skipped."""

BY_CTA = frozenset({"tbpoint"})
"""Methods that look at what each CTA executes, and skip CTAs inside of launches."""

_TAKEN_BY = {
    "--share": ("systematic", "random"),
    "--intervals": ("gtpin",),
    "--features": ("gtpin",),
    "--seed": ("gtpin", "simpoint", "systematic", "random"),
}
"""Methods that look at an option."""


_Method = Literal["tbpoint", "gtpin", "simpoint", "stratified", "systematic", "random"]


def _percents(text: str) -> float:
    return round(percent_of("--target-error", text) * 100, 9)


@dataclass(frozen=True)
class SampleOptions:
    """How launches are chosen and simulated. None: as the method has it.

    ``method`` is tbpoint where none is named. ``share`` is that of random and systematic sampling.
    ``per_stratum`` is how many launches of a stratum stratified sampling measures. ``division`` and
    ``feature`` are GT-Pin's, by the words of Tables II and III. ``target_error`` is in percent: of
    GT-Pin the smallest selection is taken whose error by estimated times is no larger; random,
    systematic and stratified sampling measure more until half of the 95 % interval is no larger.
    ``inside`` lets TBPoint skip CTAs inside of the launches that are simulated, whatever chose
    them; ``stability`` names the rule of ``STABILITIES`` by which that begins. ``warm_up`` is how
    many launches before a chosen one are simulated too, at most: none with TBPoint's own method,
    else ``WARM_UPS``. With ``compare`` all launches are simulated too.
    """

    method: Annotated[
        str | None, Opt("What chooses the launches; tbpoint without it.", text=_Method | None)
    ] = None
    share: Annotated[
        float | None,
        Opt(
            "Launches that random and systematic simulate; 10% without it.",
            metavar="P%",
            text=str,
            read=partial(percent_of, "--share"),
        ),
    ] = None
    per_stratum: int = PER_STRATUM
    division: Annotated[
        Literal["sync", "instructions", "kernel"] | None,
        Opt("What gtpin divides an application into; sync without it.", names=("--intervals",)),
    ] = None
    feature: Annotated[
        str | None,
        Opt(
            "What gtpin compares intervals by: KN, KN-ARGS, KN-GWS, KN-ARGS-GWS, KN-RW, BB, BB-R, "
            "BB-W, BB-R-W, BB-(R+W); BB without it.",
            names=("--features",),
            metavar="BB|KN|...",
        ),
    ] = None
    target_error: Annotated[
        float | None,
        Opt(
            "gtpin: the smallest selection with at most this error by estimated times. stratified, "
            "systematic, random: simulate more until half of the 95% interval is no wider.",
            metavar="P%",
            text=str,
            read=_percents,
        ),
    ] = None
    inside: Annotated[
        bool | None,
        Opt(
            "Skip CTAs inside of launches that are simulated; tbpoint does, others do not.",
            names=("--inside/--no-inside",),
        ),
    ] = None
    stability: Annotated[
        Literal["steady", "paper"] | None,
        Opt(
            "When CTAs begin to be skipped. steady: once the IPC of four lives of a CTA and "
            "more holds, which is the rule without it. paper: once two lives differ by under a "
            "tenth."
        ),
    ] = None
    warm_up: Annotated[
        int | None,
        Opt(
            "Simulate up to N launches before each chosen one that L2 could help, for warm caches "
            "alone; without it 2, with tbpoint 0.",
            metavar="N",
            least=0,
        ),
    ] = None
    seed: Annotated[
        int | None,
        Opt(
            "Start of the random choices of gtpin, simpoint, systematic, random; 0 without it.",
            metavar="N",
            least=0,
        ),
    ] = None
    compare: Annotated[bool, Opt("Simulate all launches too, and tell the true error.")] = False

    @property
    def chooser(self) -> str:
        """The method, named or not."""
        return self.method or "tbpoint"

    @property
    def rule(self) -> str:
        """The rule of stability, named or not."""
        return self.stability or STABILITY

    @property
    def skips_ctas(self) -> bool:
        """Whether CTAs are skipped inside of launches."""
        return self.chooser in BY_CTA if self.inside is None else self.inside

    @property
    def warm_ups(self) -> int:
        """How many launches before a chosen one are simulated too, at most."""
        if self.warm_up is not None:
            return self.warm_up
        return 0 if self.chooser in BY_CTA else WARM_UPS

    @property
    def needs_ctas(self) -> bool:
        """Whether it must be known what each CTA executes."""
        return self.chooser in BY_CTA or self.skips_ctas

    @property
    def choices(self) -> tuple[str, ...]:
        """The options that are given and say what is chosen."""
        given = {
            "--method": self.method,
            "--share": self.share,
            "--target-error": self.target_error,
            "--intervals": self.division,
            "--features": self.feature,
            "--seed": self.seed,
        }
        return tuple(option for option, value in given.items() if value is not None)

    def check_given(self) -> None:
        """Refuse options that the method does not look at, or that say the same. UsageError."""
        for option in self.choices:
            takers = _TAKEN_BY.get(option)
            if takers is not None and self.chooser not in takers:
                words = " and ".join((", ".join(takers[:-1]), takers[-1])[not takers[:-1] :])
                raise UsageError(f"{option} is for --method {words}, and not for {self.chooser}")
        if self.target_error is not None:
            gtpin = "gtpin chooses"
            over = {"--share": "is drawn", "--intervals": gtpin, "--features": gtpin}
            for option in self.choices:
                if option in over:
                    words = f"{option} and --target-error both say what {over[option]}"
                    raise UsageError(words)

    def check_stability(self) -> None:
        """Refuse a rule for what is not done. UsageError."""
        if self.stability is not None and not self.skips_ctas:
            raise UsageError("--stability says when CTAs are skipped, which needs --inside")
