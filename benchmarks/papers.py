"""What makes each figure and table of the five papers here: papers.toml, and a page of it.

::

    python -m benchmarks.papers    write docs/papers.md
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import ConfigDict, TypeAdapter

from warpmill.benchmarks.benchmark import DOCS, ROOT, every_benchmark, filled

TABLE = Path(__file__).with_name("papers.toml")
PAGE = DOCS / "papers.md"
WAYS = ("benchmark", "command", "none")


@dataclass(frozen=True, kw_only=True)
class Item:
    """A figure or table of a paper, by its number there, and the one way in which it is made here.

    ``benchmark``: its name, with the title of a table of it (``section``) and a ``picture`` below
    docs/NAME. ``command``: one of warpmill's. ``none``: why nothing is made, with ``see``, the
    path of what corresponds to it. ``note`` says where ours is not quite the paper's.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    kind: Literal["figure", "table", "algorithm", "equation set", "listing"]
    number: str
    what: str
    benchmark: str = ""
    picture: str = ""
    section: str = ""
    command: str = ""
    none: str = ""
    see: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """ValueError where it is not made in exactly one way, or says what is of another one."""
        ways = [way for way in WAYS if getattr(self, way)]
        if len(ways) != 1:
            raise ValueError(f"{self.title}: one of {', '.join(WAYS)}, not {ways}")
        if (self.picture or self.section) and not self.benchmark:
            raise ValueError(f"{self.title}: a picture or section without a benchmark")
        if bool(self.see) != bool(self.none):
            raise ValueError(f"{self.title}: see goes with none")
        if self.command and not self.command.startswith("warpmill "):
            raise ValueError(f"{self.title}: not a command of warpmill")

    @property
    def title(self) -> str:
        """Its name in the paper: Table IV."""
        kind = "equation" if self.kind == "equation set" else self.kind
        many = "s" if {",", "-"} & set(self.number) else ""
        return f"{kind.capitalize()}{many} {self.number}"

    @property
    def maker(self) -> str:
        """The command that makes it, in Markdown, or why nothing does."""
        command = self.command or f"python -m benchmarks {self.benchmark}"
        return f"nothing: {self.none}" if self.none else f"`{command}`"

    @property
    def place(self) -> str:
        """Links in Markdown to what is made, or corresponds to it."""
        if self.see:
            inside = self.see.removeprefix("docs/")
            return f"`{self.see}`" if inside == self.see else f"[{Path(inside).stem}]({inside})"
        if self.command:
            name = self.command.split()[1]
            return f"[{name}](guide/{name}.md)"
        places = [f"*{self.section}*"] if self.section else []
        if (DOCS / f"{self.benchmark}.md").exists():
            places.append(f"[page]({self.benchmark}.md)")
        if self.picture:
            places.append(f"[picture]({self.benchmark}/{self.picture})")
        return ", ".join(places)


@dataclass(frozen=True, kw_only=True)
class Paper:
    """A paper with all of its items."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    title: str
    authors: tuple[str, ...]
    venue: str
    year: int
    items: tuple[Item, ...]

    def numbers(self, kind: str) -> list[str]:
        """The numbers of its items of a kind, in order."""
        return [item.number for item in self.items if item.kind == kind]


@cache
def read(path: Path = TABLE) -> Mapping[str, Paper]:
    """The papers by their short names. ValueError for what is not as it should be."""
    values = tomllib.loads(path.read_text("utf-8"))
    return TypeAdapter(dict[str, Paper]).validate_python(values)


def checked(papers: Mapping[str, Paper]) -> Mapping[str, Paper]:
    """The papers, where all that they name is there: in a checkout, as a wheel has no docs.

    ValueError where something is not.
    """
    problems = [f"{name}, {item.title}: {problem}" for name, paper in papers.items()
                for item in paper.items for problem in _missing(item)]  # fmt: skip
    if problems:
        raise ValueError("\n".join(problems))
    return papers


def _missing(item: Item) -> Iterable[str]:
    """What an item names and is not there."""
    one = every_benchmark().get(item.benchmark)
    if item.benchmark and one is None:
        yield f"there is no benchmark {item.benchmark}"
    titles = [getattr(section, "title", "") for section in one.sections] if one else []
    if item.section and item.section not in titles:
        yield f"{item.benchmark} has no section {item.section}"
    if item.picture and not (DOCS / item.benchmark / item.picture).exists():
        yield f"there is no docs/{item.benchmark}/{item.picture}"
    if item.see and not (ROOT / item.see).exists():
        yield f"there is no {item.see}"


def page(papers: Mapping[str, Paper]) -> str:
    """The page: a table for each paper."""
    return filled(TABLE.with_suffix(".md.j2"), {"papers": papers.values()})


if __name__ == "__main__":
    PAGE.write_text(page(checked(read())), "utf-8")
