"""The plugin of pytest: a device for each test, whose launches are checked where that is asked for.

Sanitizers watch them, and their figures are held within budgets.

Nothing that takes time is loaded before a test asks for the device.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from types import FrameType

    from warpmill.commands.check.result import CheckReport
    from warpmill.executor.host.device import Device, Launched
    from warpmill.executor.sanitizers.findings import Finding, Tool
    from warpmill.executor.sanitizers.sanitizer import Sanitizer
    from warpmill.gates.budget import BudgetRule
    from warpmill.gates.gate import GateRow, HeldGate

PROPERTY, FOUND_PROPERTY = "warpmill_check", "warpmill_findings"
"""Properties of a test in JUnit's XML: the verdict, and the findings, a line each."""

_MARKER = "warpmill(check=..., strict=...)"
_HELP = (
    f"{_MARKER}: sanitizers that watch the launches of `gpu`: names with commas between, True for "
    "all, False for none; strict: warnings fail the test as well, and what could not be checked"
)

_BUDGET_MARKER = "warpmill_budget(machine=..., kernel=..., FIGURE=...)"
_BUDGET_HELP = (
    f"{_BUDGET_MARKER}: bounds of figures of the launches of `gpu` on a machine, as in a budget of "
    "`warpmill check`: time_us=12 is the most, as is time_us={'most': 12, 'least': 3}"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("warpmill", "kernels of GPUs (warpmill)")
    group.addoption(
        "--warpmill-device",
        choices=("cpu", "cuda"),
        default="cpu",
        help="device of the fixture `gpu`: executor on this computer's CPU, or an NVIDIA GPU",
    )
    group.addoption(
        "--warpmill-check",
        nargs="?",
        const="",
        metavar="TOOL,...",
        help="let sanitizers watch every launch of `gpu`, and fail tests by what they find; "
        "without a name all of them (put it behind paths, or write an = before names)",
    )
    group.addoption(
        "--warpmill-strict",
        action="store_true",
        help="fail tests by warnings as well, and where something could not be checked",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, and see that there are such tools. pytest.UsageError."""
    config.addinivalue_line("markers", _HELP)
    config.addinivalue_line("markers", _BUDGET_HELP)
    check = config.getoption("--warpmill-check")
    if check is None:
        return
    if config.getoption("--warpmill-device") != "cpu":
        raise pytest.UsageError("--warpmill-check is of the executor: --warpmill-device cpu")
    try:
        _tools("--warpmill-check", check)
    except pytest.UsageError as error:
        raise pytest.UsageError(f"{error} (behind the option words need =)") from None


def _tools(asker: str, words: str) -> frozenset[Tool]:
    """The tools of these names, without a name all that run by default. pytest.UsageError."""
    from warpmill.analyzer.base.diagnostics import UsageError, words_of  # noqa: PLC0415
    from warpmill.executor.sanitizers.findings import BY_DEFAULT, tools_named  # noqa: PLC0415

    try:
        return frozenset(tools_named(words)) or BY_DEFAULT
    except UsageError as error:
        hints = "; ".join(d.hint for d in error.diagnostics if d.hint)
        raise pytest.UsageError(f"{asker}: {words_of(error)}; {hints}") from None


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say where kernels run, and what watches them."""
    device, check = config.getoption("--warpmill-device"), config.getoption("--warpmill-check")
    if check is None:
        return None if device == "cpu" else f"warpmill: device {device}"
    return f"warpmill: device {device}, checked by {', '.join(sorted(_tools('', check)))}"


# What watches a test.


@dataclass(frozen=True)
class Wanted:
    """How the launches of a test are checked: by tools and budgets, none of which: not at all."""

    tools: frozenset[Tool] = frozenset()
    strict: bool = False
    budget: tuple[BudgetRule, ...] = ()


def wanted_of(item: pytest.Item) -> Wanted:
    """What the markers of a test ask for, the nearest first, and the command line for all else.

    pytest.UsageError for what markers do not take.
    """
    config = item.config
    asked: dict[str, Any] = {
        "check": config.getoption("--warpmill-check"),
        "strict": config.getoption("--warpmill-strict"),
    }
    for marker in reversed(list(item.iter_markers("warpmill"))):
        unknown = [*map(repr, marker.args), *(k for k in marker.kwargs if k not in asked)]
        if unknown:
            raise pytest.UsageError(f"{item.nodeid}: {_MARKER} takes no {unknown[0]}")
        asked |= marker.kwargs
    if config.getoption("--warpmill-device") != "cpu":
        return Wanted()
    check, budget = asked["check"], tuple(_budget(item))
    if check is None or check is False:
        return Wanted(strict=bool(asked["strict"]), budget=budget)
    names = "" if check is True else check if isinstance(check, str) else ",".join(check)
    return Wanted(_tools(item.nodeid, names), bool(asked["strict"]), budget)


def _budget(item: pytest.Item) -> Iterator[BudgetRule]:
    """The rules of a test's markers. pytest.UsageError."""
    for marker in item.iter_markers("warpmill_budget"):
        from warpmill.analyzer.base.diagnostics import (  # noqa: PLC0415
            SourcePlace,
            UsageError,
            words_of,
        )
        from warpmill.gates.budget import rule_of  # noqa: PLC0415 - slow to load

        file, line, _ = item.location
        place = SourcePlace(file=file, line=(line or 0) + 1, column=None, of="source")
        try:
            if marker.args:
                raise UsageError(f"{_BUDGET_MARKER} takes no {marker.args[0]!r}")
            yield rule_of(marker.kwargs, place)
        except UsageError as error:
            raise pytest.UsageError(f"{item.nodeid}: {words_of(error)}") from None


@dataclass
class Watched:
    """A test whose launches are checked: how, and what was told of it.

    ``places`` has the line of the test for launches that something was found in, by their numbers.
    """

    wanted: Wanted
    sanitizer: Sanitizer | None = None
    device: Device | None = None
    places: dict[int, str] = field(default_factory=dict)
    told: int = 0

    @property
    def found(self) -> Sequence[Finding]:
        """What sanitizers have found so far."""
        return () if self.sanitizer is None else self.sanitizer.findings

    def note(self, launched: Launched) -> None:
        """Note where a launch was made, if something was found in it."""
        number = max((one.launch for one in self.found), default=-1)
        if self.sanitizer is not None and number == self.sanitizer.launches - 1:
            self.places[number] = f"`{launched.kernel.name}` was launched {_caller()}"

    def report(self, item: pytest.Item, *, ended: bool, failed: bool) -> CheckReport:
        """What was found so far; ``ended``: by a fault.

        Figures are not held of a test that failed.
        """
        from warpmill.commands.check.result import CheckReport  # noqa: PLC0415 - slow to load
        from warpmill.session.checking import CheckedRun, found_by  # noqa: PLC0415 - slow to load

        found = CheckedRun(tools=(), launches=0, findings=())
        if self.sanitizer is not None:
            found = found_by(self.sanitizer, ended_by_fault=ended)
        held: HeldGate | None = None
        if self.wanted.budget and self.device is not None and not failed:
            from warpmill.gates.holding import held_recording  # noqa: PLC0415 - slow to load

            held = held_recording(self.wanted.budget, self.device.recording, item.nodeid)
        return CheckReport(target=item.nodeid, checked=found, gate=held)


def _caller() -> str:
    """The line of the test, or of what it calls, that made the call that this package is in."""
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_globals.get("__name__", "").startswith("warpmill."):
        frame = frame.f_back
    if frame is None:
        return "elsewhere"
    path = Path(frame.f_code.co_filename)
    here = Path.cwd()
    shown = path.relative_to(here) if path.is_relative_to(here) else path
    return f"at {shown}:{frame.f_lineno}"


WATCHED = pytest.StashKey[Watched]()


@pytest.fixture
def gpu(request: pytest.FixtureRequest) -> Iterator[Device]:
    """The device of warpmill (``warpmill.Device``), fresh for each test."""
    from warpmill.executor.host.cpu_device import CpuOptions  # noqa: PLC0415 - slow to load
    from warpmill.executor.host.device import Device  # noqa: PLC0415 - slow to load

    item: pytest.Item = request.node
    wanted = wanted_of(item)
    watched, options = Watched(wanted), None
    if wanted.tools:
        from warpmill.executor.sanitizers.sanitizer import Sanitizer  # noqa: PLC0415 - slow to load

        watched.sanitizer = Sanitizer(wanted.tools)
        options = CpuOptions(sanitizer=watched.sanitizer)
    name, keeps = request.config.getoption("--warpmill-device"), bool(wanted.budget)
    watched.device = device = Device(name, options=options, record=keeps)
    if wanted.tools or wanted.budget:
        item.stash[WATCHED] = watched
        device.on_launch = watched.note
    yield device
    for array in list(device.arrays.values()):
        device.free(array)
    device.let_go()
    _tell(item, "teardown")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Fail a test that did not fail by itself, where its launches have findings."""
    try:
        result = yield
    except BaseException as error:
        _tell(item, "call", error)
        raise
    _tell(item, "call")
    return result


def _tell(item: pytest.Item, when: str, error: BaseException | None = None) -> None:
    """Tell what has been found since this was asked last, and fail by it; ``error``: it has failed.

    What does not fail the test stands in a section of its report.
    """
    watched = item.stash.get(WATCHED, None)
    if watched is None or (when != "call" and len(watched.found) == watched.told):
        return
    from warpmill.executor.faults import ExecutionFault  # noqa: PLC0415 - loaded by the device

    ended, failed = isinstance(error, ExecutionFault), error is not None or when != "call"
    report = watched.report(item, ended=ended, failed=failed)
    watched.told = len(report.findings)
    told: dict[str, str] = {PROPERTY: report.verdict}
    found = [f"{one.tool}: {one.message}" for one in report.findings]
    found += [f"{row.gate}: {row.message}" for row in _off(report)]
    if found:
        told[FOUND_PROPERTY] = "\n".join(found)
    item.user_properties[:] = [pair for pair in item.user_properties if pair[0] not in told]
    item.user_properties += told.items()
    if report.verdict == "clean":
        return
    text = "\n".join([_page(report), *_launches(watched, report)])
    if error is None and report.fails(strict=watched.wanted.strict):
        pytest.fail(f"{_in_short(report)}\n\n{text}", pytrace=False)
    item.add_report_section(when, "by warpmill's checks in", text)


def _page(report: CheckReport) -> str:
    """The page of what was found, without its title, which would name the test again."""
    from warpmill.report.page import Style, Title  # noqa: PLC0415 - slow to load
    from warpmill.report.safe import printable  # noqa: PLC0415 - slow to load
    from warpmill.report.sections import page_of  # noqa: PLC0415 - slow to load
    from warpmill.report.text import page_text  # noqa: PLC0415 - slow to load

    page = page_of(report, Style())
    page.blocks = [block for block in page.blocks if not isinstance(block, Title)]
    return printable(page_text(page))


def _off(report: CheckReport) -> list[GateRow]:
    """Figures that something is to be done about."""
    return [row for row in report.figures if row.severity != "note"]


def _in_short(report: CheckReport) -> str:
    """The worst that was found in a line: ``racecheck: race in blur, blur.cu:14``."""
    number = len(report.findings) + len(_off(report))
    more = f" (and {number - 1} more)" if number > 1 else ""
    one = next((f for f in report.findings if f.severity == "error"), None)
    row = next(iter(_off(report)), None)
    if one is None and row is not None:
        return f"{row.gate}: {row.message}{more}"
    if one is None and not report.findings:
        return f"not checked: {'; '.join(report.why_incomplete)}"
    one = one or report.findings[0]
    at = one.access and (one.access.source or one.access.place)
    place = f", {at.file}:{at.line}" if at else ""
    return f"{one.tool}: {one.kind} in {one.kernel}{place}{more}"


def _launches(watched: Watched, report: CheckReport) -> Iterator[str]:
    """Where launches were made that have findings."""
    several = report.launches > 1
    for number, words in watched.places.items():
        yield f"launch {number}: {words}" if several else words


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Count the verdicts of the tests that were checked."""
    ended = [
        report
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", None) == "teardown"
    ]
    verdicts = Counter(dict(report.user_properties).get(PROPERTY) for report in ended)
    told = [f"{verdicts[name]} {name}" for name in VERDICTS if verdicts[name]]
    if told:
        terminalreporter.write_sep("-", f"checked by warpmill: {', '.join(told)}")


VERDICTS = ("clean", "warnings", "incomplete", "findings")
