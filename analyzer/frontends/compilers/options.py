"""How a source is compiled: its language by its name, and the options of compilers.

Light: the help of commands and launch files show it, and nothing is compiled here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import PurePath
from typing import Annotated, Literal, get_args

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.opt import Opt

CompilerName = Literal["nvcc", "nvrtc", "clang"]
Language = Literal["CUDA", "HIP", "OpenCL", "C++", "C"]

SOURCE_SUFFIXES: Mapping[str, Language] = {
    ".cu": "CUDA", ".cuh": "CUDA", ".hip": "HIP", ".cl": "OpenCL",
    ".cpp": "C++", ".cc": "C++", ".cxx": "C++", ".c": "C",
}  # fmt: skip
"""Languages by the ends of sources' names. C++ and C are compiled where CUDA or HIP is in them."""

DEFAULT_ARCH = {"CUDA": "sm_80", "HIP": "gfx90a", "OpenCL": "sm_80"}
"""Chips that sources are compiled for where none is named."""


def is_source(name: str | PurePath) -> bool:
    """Whether a file's name is that of a source that a compiler takes."""
    return PurePath(name).suffix.lower() in SOURCE_SUFFIXES


_DEFINED = re.compile(r"[A-Za-z_]\w*(\([\w\s,.]*\))?(=.*)?", re.DOTALL)
_STANDARD = re.compile(r"[A-Za-z]+[\w+:.]{0,15}")
_ARCH = re.compile(r"(sm|compute)_\d{2,3}[af]?|gfx[0-9a-f]{3,4}|spir(64)?")


def _read_arch(text: str) -> str:
    return text.strip().lower()


@dataclass(frozen=True)
class CompileOptions:
    """How a source is compiled. ``define`` has NAME or NAME=VALUE, or is a mapping.

    ``arch`` is a chip: sm_90, gfx90a, or spir64 of OpenCL. UsageError for what no compiler takes,
    all of it at once.
    """

    include: Annotated[
        Sequence[str],
        Opt(
            "Folder in which files that a source includes are looked for.",
            names=("--include", "-I"),
            metavar="DIR",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    define: Annotated[
        Sequence[str],
        Opt(
            "Define a macro of a source.",
            names=("--define", "-D"),
            metavar="NAME[=VALUE]",
            text=list[str],
            read=tuple,
        ),
    ] = ()
    std: Annotated[
        str | None, Opt("Language standard of a source, such as c++20.", metavar="NAME")
    ] = None
    arch: Annotated[
        str | None,
        Opt(
            "Chip that a source is compiled for; without it sm_80, of HIP gfx90a.",
            metavar="NAME",
            read=_read_arch,
        ),
    ] = None
    compiler: Annotated[
        CompilerName | None,
        Opt("Compiler of a source; without it the first that is found."),
    ] = None

    def __post_init__(self) -> None:
        given = self.define
        if isinstance(given, Mapping):
            given = [f"{name}={value}" for name, value in given.items()]
        for name, values in (("include", self.include), ("define", given)):
            texts = (values,) if isinstance(values, str) else tuple(map(str, values))
            object.__setattr__(self, name, texts)
        wrong = tuple(_refused(self))
        if wrong:
            raise UsageError(*wrong)

    @property
    def given(self) -> tuple[str, ...]:
        """The options that are given, as the command line has them."""
        default = CompileOptions()
        names = (f.name for f in fields(self) if getattr(self, f.name) != getattr(default, f.name))
        return tuple(f"--{name}" for name in names)

    @property
    def words(self) -> tuple[str, ...]:
        """The options that are given, with their values, as words of a command line."""
        each = [("-I", one) for one in self.include] + [("-D", one) for one in self.define]
        single = {"--std": self.std, "--arch": self.arch, "--compiler": self.compiler}
        each += [(name, value) for name, value in single.items() if value is not None]
        return tuple(word for pair in each for word in pair)

    def over(self, base: CompileOptions) -> CompileOptions:
        """These options where they are given, else those of ``base``; lists are joined."""
        return CompileOptions(
            (*self.include, *base.include),
            (*base.define, *self.define),
            self.std or base.std,
            self.arch or base.arch,
            self.compiler or base.compiler,
        )

    def for_language(self, language: Language) -> CompileOptions:
        """The same with the chip that this language is compiled for where none is named."""
        return replace(self, arch=self.arch or DEFAULT_ARCH[language])


def _refused(options: CompileOptions) -> list[Diagnostic]:
    wrong = []

    def refuse(option: str, value: object, words: str, hint: str) -> None:
        text = f"--{option} {value}: {words}"
        wrong.append(Diagnostic(Severity.ERROR, text, hint=f"such as --{option} {hint}"))

    for folder in options.include:
        if not folder.strip() or "\0" in folder:
            refuse("include", repr(folder), "this is no folder", "include")
    for text in options.define:
        if not _DEFINED.fullmatch(text) or "\0" in text or "\n" in text:
            refuse("define", text, "a macro is NAME or NAME=VALUE", "TILE=64")
    if options.std is not None and not _STANDARD.fullmatch(options.std):
        refuse("std", options.std, "this is no name of a language standard", "c++17")
    if options.arch is not None and not _ARCH.fullmatch(options.arch):
        refuse("arch", options.arch, "chips are called sm_NN, gfxNNN or spir64", "sm_90")
    if options.compiler is not None and options.compiler not in get_args(CompilerName):
        names = ", ".join(get_args(CompilerName))
        refuse("compiler", options.compiler, f"compilers are {names}", "nvcc")
    return wrong
