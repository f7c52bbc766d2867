"""A benchmark: how it is measured, its goals, and what a terminal, a page and JSON show of it.

A benchmark is a module or a folder of ``benchmarks`` with a ``BENCHMARK``. Its result is a frozen
dataclass whose fields carry a ``Metric``, as results of commands do, and its tables are sections of
the report layer: a terminal shows them one after another, docs/NAME.md at their places.
``python -m benchmarks`` runs them (``__main__``).
"""

from __future__ import annotations

import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from pkgutil import iter_modules
from statistics import fmean
from typing import Annotated, Any, Generic, TypeVar

from warpmill.analyzer.base.metric import Metric
from warpmill.benchmarks.keeping import computer, keep, recorded, snapshot
from warpmill.report.base import Part
from warpmill.report.fields import plain, stored
from warpmill.report.page import Page, Style, figure
from warpmill.report.read import Reader, labelled, written
from warpmill.report.sections import Section, Shown, Table
from warpmill.report.text import page_text, section_markdown

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"

ENGINE_TABLES = ("analyzer/**/*.toml", "grammars/*.lark", "simulator/**/*.toml")
"""Patterns of the tables that all engines rest on."""
OF_WORKLOADS = (
    *ENGINE_TABLES,
    "samples/workloads/*/*.sm_80.ptx*",
    "samples/workloads/*/*.toml",
    "samples/workloads/*/program.py",
)
"""Files, beside modules, that simulations of workloads depend on."""

MOST_ROOMS = 5
"""Rooms that the state of a result names."""

R = TypeVar("R", bound=Part)
T = TypeVar("T")


@dataclass(frozen=True)
class Request:
    """What is asked for: parts by name, all without any; small inputs; where rows are kept.

    ``data`` is a folder of public inputs that the project does not carry.
    """

    names: tuple[str, ...] = ()
    quick: bool = False
    workers: int = 1
    store: str | None = None
    data: Path | None = None

    @property
    def is_partial(self) -> bool:
        """Whether less than the whole is measured, which is shown and not kept."""
        return bool(self.names) or self.quick

    def chosen(self, known: Iterable[str]) -> list[str]:
        """What is measured, of all that is known. SystemExit for a name there is not."""
        there = list(known)
        unknown = [name for name in self.names if name not in there]
        if unknown:
            raise SystemExit(f"there is no {', '.join(unknown)}; there are {', '.join(there)}")
        return list(self.names) or there


@dataclass(frozen=True)
class Goal:
    """What the figure at a path of the result is to be: ``bar`` at most, or ``at_least``.

    ``paper`` is what a paper states; without a bar a figure only stands beside that.
    """

    path: str
    bar: float | None = None
    at_least: bool = False
    what: str = ""
    paper: float | None = None

    @property
    def wanted(self) -> str:
        """The bar in words."""
        return "" if self.bar is None else f"{'>=' if self.at_least else '<='} {figure(self.bar)}"


class JudgedGoal(Part):
    """What became of a goal."""

    what: Annotated[str, Metric("figure")]
    wanted: Annotated[str, Metric("wanted")]
    paper: Annotated[float | None, Metric("the paper's")]
    here: float | None
    shown: Annotated[str, Metric("here")]
    verdict: Annotated[str, Metric("verdict")]


_GOALS = Table(
    "Goals",
    "goals",
    ("what", "wanted", "paper", "shown", "verdict"),
    left=(0, 4),
)


class _Goals(Part):
    goals: tuple[JudgedGoal, ...]


@dataclass(frozen=True)
class Measured(Generic[R]):
    """A result with when, where and at which commit it was measured, and what changed since.

    ``changed`` None: it is not kept, and as fresh as can be.
    """

    result: R
    about: Mapping[str, Any]
    changed: tuple[str, ...] | None = None
    is_whole: bool = True
    is_gathered: bool = False

    @property
    def is_fresh(self) -> bool:
        """Whether nothing that it rests on has changed since."""
        return not self.changed

    @property
    def rooms(self) -> str:
        """The rooms in which something that it rests on has changed, those of most files first."""
        rooms = Counter("/".join(n.split("/")[:-1][:2]) or n for n in self.changed or ())
        ordered = sorted(rooms, key=lambda room: (-rooms[room], room))
        more = len(ordered) - MOST_ROOMS
        return ", ".join(ordered[:MOST_ROOMS]) + f" and {more} more" * (more > 0)

    @property
    def state(self) -> str:
        """When and at which commit it was measured, and what has changed since."""
        if self.is_gathered:
            return "Gathered from what benchmarks have kept; how fresh each is stands beside it."
        if self.changed is None:
            return "Measured now, and not kept."
        at = f"at commit {self.about['commit']}" if self.about.get("commit") else "at no commit"
        words = f"Measured {at} on {self.about['date']} with warpmill {self.about['version']}."
        if self.is_fresh:
            return f"{words} Nothing that it rests on has changed since."
        return f"{words} Stale: what it rests on has changed since in {self.rooms}."

    def verdict(self, goal: Goal, value: float | None) -> str:
        """What became of a goal: only a result that is whole and fresh reaches one."""
        if goal.bar is None:
            return ""
        if value is None:
            return "unknown"
        if value < goal.bar if goal.at_least else value > goal.bar:
            return "MISSED"
        if not self.is_whole:
            return "within so far"
        return "reached" if self.is_fresh else "within, stale"


@dataclass(frozen=True)
class Benchmark(Generic[R]):
    """A benchmark; places are ``module:name``, below its own folder where a module has no dot.

    ``measure`` is given a Request and gives a result of the class at ``result``. ``parts`` are
    what its names name, "" where it has none; ``takes`` says how long it takes; ``data`` are
    patterns of files that it depends on beside its sources. ``put_aside`` says which part nothing
    was tuned on. ``sections`` shows the result, in order. A page below docs is made of the template
    ``page.md.j2`` of its folder, which places the sections by title and takes what ``values`` gives
    of a result as well; ``draw`` writes its pictures into a folder. ``files`` gives texts of files
    that are made of what was kept, by path below the project's root; they go with the page.
    ``folder`` has several benchmarks. One that ``is_gathered`` measures nothing: it is made of what
    others kept, whenever it is asked.
    """

    name: str
    about: str
    takes: str
    result: str
    measure: str
    sections: tuple[Section, ...]
    goals: tuple[Goal, ...] = ()
    parts: str = ""
    data: tuple[str, ...] = ()
    put_aside: str = ""
    values: str = ""
    draw: str = ""
    files: str = ""
    folder: str = ""
    is_gathered: bool = False

    @property
    def module(self) -> str:
        """The module or folder that it is, or that has it with others."""
        return f"warpmill.benchmarks.{self.folder or self.name.replace('-', '_')}"

    @property
    def path(self) -> str:
        """How the paths of its modules begin, below the project's root."""
        return f"benchmarks/{self.module.rpartition('.')[2]}"

    def load(self, place: str) -> Any:
        """The object at a place."""
        module, _, name = place.partition(":")
        whole = module if "." in module else f"{self.module}.{module}" if module else self.module
        return getattr(import_module(whole), name)

    @cached_property
    def template(self) -> Path | None:
        """The template of its page; None: it has no page."""
        path = ROOT / self.path / "page.md.j2"
        return path if path.exists() else None

    def kept(self) -> Measured[R] | None:
        """What was kept; None: nothing. InputError where the file is not of such a result."""
        if self.is_gathered:
            result = self.load(self.measure)(Request())
            return Measured(result, {"computer": computer()}, is_gathered=True)
        record = recorded(self.name)
        if record is None:
            return None
        result = stored(self.load(self.result), record["result"])
        return Measured(result, record, tuple(record["changed"]))

    def run(self, request: Request, *, keeping: bool) -> Measured[R]:
        """Measure, and keep the result."""
        if not keeping:
            result = self.load(self.measure)(request)
            return Measured(result, {"computer": computer()}, None, not request.is_partial)
        before = snapshot(self.data)
        keep(self.name, plain(self.load(self.measure)(request)), before, self.path)
        found = self.kept()
        assert found is not None
        return found

    def judged(self, found: Measured[R]) -> tuple[JudgedGoal, ...]:
        """What became of its goals."""
        reader, rows = Reader(found.result), []
        for goal in self.goals:
            reading = reader.at(goal.path)
            what = goal.what or (labelled(reading.metric) if reading.metric else goal.path)
            rows.append(
                JudgedGoal(
                    what=what,
                    wanted=goal.wanted,
                    paper=goal.paper,
                    here=reading.value,
                    shown=written(reading.value, reading.metric),
                    verdict=found.verdict(goal, reading.value),
                )
            )
        return tuple(rows)

    def missed(self, found: Measured[R]) -> str:
        """How many of the goals that have a bar were missed; "" where none has."""
        verdicts = [goal.verdict for goal in self.judged(found) if goal.verdict]
        return f"{verdicts.count('MISSED')} of {len(verdicts)}" if verdicts else ""

    def text(self, found: Measured[R], width: int = 120) -> str:
        """The result for a terminal."""
        page = Page(Style(verbose=True, width=width))
        page.title(f"{self.name}: {self.about}")
        page.line(found.state)
        _GOALS.add(page, Reader(_Goals(goals=self.judged(found))))
        for section in self.sections:
            section.add(page, Reader(found.result))
        return page_text(page)

    def json(self, found: Measured[R]) -> dict[str, Any]:
        """The result as data, with its goals and its state."""
        told = {key: found.about.get(key) for key in ("date", "commit", "version", "computer")}
        return {
            "benchmark": self.name,
            **plain(found.result),
            "goals": plain(self.judged(found)),
            **told,
            "fresh": found.is_fresh,
            "changed": list(found.changed or ()),
        }

    def page(self, found: Measured[R]) -> str:
        """The page of docs, whose first line below the title says how fresh it is."""
        assert self.template is not None
        values = self.load(self.values)(found.result) if self.values else {}
        text = filled(self.template, {**values, **self.view(found)})
        title, _, rest = text.partition("\n")
        return f"{title}\n\n{found.state}\n{rest}"

    def view(self, found: Measured[R]) -> dict[str, Any]:
        """What a template takes: the result, its state, its goals, its sections by title.

        ``module`` is the benchmark's module, whose settings the page names.
        """
        judged, reader = self.judged(found), Reader(found.result)
        sections = {getattr(section, "title", ""): section for section in self.sections}
        return {
            "result": found.result,
            "state": found.state,
            "goals": section_markdown(_GOALS, Reader(_Goals(goals=judged))),
            "missed": [one.what for one in judged if one.verdict == "MISSED"],
            "section": lambda title: section_markdown(sections[title], reader),
            "computer": found.about["computer"],
            "command": f"python -m benchmarks {self.name}",
            "put_aside": self.put_aside,
            "module": sys.modules.get(self.module),
        }

    def write(self, found: Measured[R], docs: Path = DOCS) -> None:
        """Write the page, pictures and files that there are."""
        if self.template is not None:
            (docs / f"{self.name}.md").write_text(self.page(found), "utf-8")
        if self.draw:
            folder = docs / self.name
            folder.mkdir(exist_ok=True)
            self.load(self.draw)(found.result, folder)
        for name, text in self.load(self.files)(found).items() if self.files else ():
            (docs.parent / name).write_text(text, "utf-8")


def column(path: str, label: str = "", form: str = "") -> Shown:
    """A column of a table; ``form`` writes its values, as ``{:+.2f} %`` does."""
    return Shown(path, label, words=partial(_formed, form) if form else None)


def _formed(form: str, value: Any) -> str | None:
    return None if value is None else form.format(value)


_BLANKS = re.compile(r"\n{3,}")


def filled(template: Path, values: Mapping[str, Any]) -> str:
    """A page from its template; ``number`` writes figures in it."""
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - slow to load

    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals["number"] = number
    made = environment.from_string(template.read_text("utf-8")).render(values)
    return _BLANKS.sub("\n\n", made)


def number(value: float | None) -> str:
    """A figure in the digits that anybody reads."""
    if value is None or isinstance(value, int):
        return figure(value)
    return figure(value, digits=0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2)


def every_benchmark() -> dict[str, Benchmark[Any]]:
    """All benchmarks, by name."""
    here = Path(__file__).parent
    found: list[Benchmark[Any]] = []
    for one in iter_modules([str(here)]):
        source = here / one.name
        text = (source / "__init__.py" if one.ispkg else source.with_suffix(".py")).read_text()
        if "\nBENCHMARK: " in text:
            found.append(import_module(f"warpmill.benchmarks.{one.name}").BENCHMARK)
        elif "\nBENCHMARKS = " in text:
            found += import_module(f"warpmill.benchmarks.{one.name}").BENCHMARKS
    return {one.name: one for one in sorted(found, key=lambda each: each.name)}


ASIDE_SEED, ASIDE_SHARE = 55, 3


def put_aside(names: Iterable[str], seed: int = ASIDE_SEED) -> frozenset[str]:
    """A third of some names, drawn by seed: models are judged by them apart, and tuned without."""
    ordered = sorted(names)
    return frozenset(random.Random(seed).sample(ordered, len(ordered) // ASIDE_SHARE))


def alone(call: Callable[..., T], *given: Any) -> T:
    """The value of a module's function in a new process, in which nothing was loaded before."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(call, *given).result()


def mean(
    values: Iterable[float | None], of: Callable[[list[float]], float] = fmean
) -> float | None:
    """The mean of the values that are known, or another figure ``of`` them; None without any."""
    known = [value for value in values if value is not None]
    return of(known) if known else None


def say(words: str) -> None:
    """Tell on the standard error how far it is."""
    print(words, file=sys.stderr, flush=True)
