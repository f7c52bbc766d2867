"""The workloads that come with warpmill: what they are, their presets and what papers say of them.

::

    workloads()["bfs"].preset("small")   # the sizes that its program takes
    parse_workload("bfs:small:opencl")   # what commands take where a launch file would stand
"""

from __future__ import annotations

import gzip
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, Source, UsageError
from warpmill.analyzer.base.metric import INTERNAL, Metric
from warpmill.analyzer.base.naming import integer_meant, suggestion
from warpmill.analyzer.base.toml_source import read_toml_file, validate

PTX_BUILDS = ("sm_75", "sm_80", "sm_90")
DEFAULT_BUILD = "sm_80"
OPENCL = "opencl"
BUILDS = (*PTX_BUILDS, OPENCL)
DEFAULT_PRESET = "small"

Area = Literal[
    "graphs", "stencils", "dense", "finance", "physics", "graphics", "cryptography", "modern",
    "others",
]  # fmt: skip
PaperName = Literal["hybrid", "tbpoint", "stargazer", "minibench", "gtpin"]
Size = int | float | str | bool


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class ModuleForm(_Form):
    """A ``[[module]]``: NAME.sm_80.ptx and its like (``Workload.module``), made of NAME.cu.

    ``source`` is the source's name where it is another; ``includes`` are the headers beside it,
    ``defines`` its macros; ``opencl``: whether NAME.cl stands beside it; ``triton``: whether
    NAME.py, with kernels for Triton, stands for NAME.cu, and beside the PTX a
    NAME.sm_80.launch.json or its like (``samples/common/triton_launches.py``).
    """

    name: str
    source: str | None = None
    includes: list[str] = []
    defines: list[str] = []
    opencl: bool = False
    triton: bool = False

    @model_validator(mode="after")
    def _is_of_one_language(self) -> ModuleForm:
        if self.triton and (self.includes or self.defines or self.opencl):
            raise ValueError("a module of Triton takes neither includes, defines nor opencl")
        return self


class HybridFacts(_Form):
    """Kernel here for each of Table IV of the hybrid paper."""

    kernels: dict[str, str]


class TbpointFacts(_Form):
    """A column of Table VI: launches and CTAs of the main kernel, regular (II) or not (I)."""

    launches: int
    ctas: int
    type: Literal["I", "II"]


class StargazerFacts(_Form):
    """A row of Table 4; instructions are those of threads, of all kernels."""

    problem: str
    threads_per_block: int
    thread_instructions: int


class MinibenchFacts(_Form):
    """The name of the workload in MiniBench's Table 2; ``loops``: whether it has any."""

    name: str
    loops: bool = True


class GtpinFacts(_Form):
    """Row of GT-Pin's Table I that each preset stands for; PRESET-b is its second input."""

    applications: dict[str, str]


class PaperFacts(_Form):
    """Facts of a workload that the papers state."""

    hybrid: HybridFacts | None = None
    tbpoint: TbpointFacts | None = None
    stargazer: StargazerFacts | None = None
    minibench: MinibenchFacts | None = None
    gtpin: GtpinFacts | None = None


class WorkloadForm(_Form):
    """A ``workload.toml``."""

    title: Annotated[str, Metric("Description")]
    area: Annotated[Area, Metric("Area")]
    suite: Annotated[str, Metric("After")]
    papers: Annotated[list[PaperName], Metric("Papers")]
    main_kernel: Annotated[str, Metric("Main kernel")]
    checked_by: Annotated[str, Metric("Check against")]
    left_out: Annotated[str, Metric("Not modelled")]
    architectures: Annotated[list[Literal["sm_75", "sm_80", "sm_90"]], INTERNAL] = [
        "sm_75", "sm_80", "sm_90",
    ]  # fmt: skip
    module: Annotated[list[ModuleForm], Field(min_length=1), INTERNAL]
    sizes: Annotated[dict[str, Size], INTERNAL] = {}
    presets: Annotated[dict[str, dict[str, Size]], INTERNAL]
    paper: PaperFacts = PaperFacts()


@dataclass(frozen=True)
class Workload:
    """A workload: its folder, and what its ``workload.toml`` says."""

    name: str
    folder: Path
    form: WorkloadForm

    @property
    def program(self) -> Path:
        """The file of its host program."""
        return self.folder / "program.py"

    @property
    def presets(self) -> tuple[str, ...]:
        """Its presets by name, tiny first."""
        return tuple(self.form.presets)

    @property
    def builds(self) -> tuple[str, ...]:
        """Builds of its modules: PTX by architecture, OpenCL where it has that."""
        with_opencl = all(module.opencl for module in self.form.module)
        return (*self.form.architectures, *([OPENCL] if with_opencl else []))

    def preset(self, name: str, overrides: Mapping[str, int | str] | None = None) -> dict[str, Any]:
        """The sizes of a preset, some of them replaced. UsageError for what there is not."""
        if name not in self.form.presets:
            raise _unknown(f"{self.name} has no preset `{name}`", name, self.presets, "presets")
        sizes: dict[str, Any] = {**self.form.sizes, **self.form.presets[name]}
        for key, value in (overrides or {}).items():
            if key not in sizes:
                raise _unknown(f"{self.name} has no size `{key}`", key, tuple(sizes), "sizes")
            sizes[key] = _converted(key, value, sizes[key])
            _check(key, sizes[key])
        return sizes

    def module_file(self, module: str, build: str) -> Path:
        """Name the file of one of its modules. UsageError for a build that there is not.

        ``module`` reads it, whether it is there or not.
        """
        if build not in self.builds:
            raise _unknown(f"{self.name} has no build `{build}`", build, self.builds, "builds")
        suffix = "bc" if build == OPENCL else "ptx"
        return self.folder / f"{module}.{build}.{suffix}"

    def module(self, module: str, build: str) -> Path | Source:
        """One of its modules as readers take it: its file, or its text where that is not kept.

        UsageError for a build that there is not.
        """
        file = self.module_file(module, build)
        text = None if file.is_file() else kept_text(file)
        return file if text is None else Source(str(file), text)


@dataclass(frozen=True)
class WorkloadTarget:
    """A workload as a target of a command: which preset, and which build of its modules."""

    shown_as_text: ClassVar[bool] = True

    workload: Workload
    preset: str = DEFAULT_PRESET
    build: str = DEFAULT_BUILD

    @property
    def title(self) -> str:
        """How it is written."""
        build = "" if self.build == DEFAULT_BUILD else f":{self.build}"
        return f"{self.workload.name}:{self.preset}{build}"

    def __str__(self) -> str:
        return self.title


_CHIP = re.compile(rf"(?<=\.)(?:{'|'.join(PTX_BUILDS)})(?=\.)")
_TARGET = re.compile(r"^\.target sm_\d+", re.MULTILINE)
PACKED = ".gz"
"""Suffix of a long module's file: a text that nobody reads line by line is kept packed."""


def kept_text(file: Path) -> str | None:
    """The text of a workload's file: its own, plain or packed, or what stands for it; or None."""
    own = own_text(file)
    return text_for_the_chip(file) if own is None else own


def text_for_the_chip(file: Path) -> str | None:
    """The text that the file for sm_80 gives for one for another chip; None where it gives none.

    A compiler's output that names another chip and says the same is not kept: it is this text, to
    the byte (``samples/build.py`` compares).
    """
    chip = _CHIP.search(file.name)
    if chip is None or chip[0] == DEFAULT_BUILD:
        return None
    text = own_text(file.with_name(_CHIP.sub(DEFAULT_BUILD, file.name, count=1)))
    return None if text is None else _TARGET.sub(f".target {chip[0]}", text, count=1)


def own_text(file: Path) -> str | None:
    """The text of a file that is there, plain or packed; None where neither is."""
    if file.is_file():
        return file.read_text("utf-8")
    packed = file.with_name(file.name + PACKED)
    return gzip.decompress(packed.read_bytes()).decode() if packed.is_file() else None


def samples_folder(name: str) -> Path:
    """A folder of the samples that come with warpmill: ``workloads`` or ``common``."""
    return Path(str(resources.files(f"warpmill.samples.{name}"))).resolve()


@cache
def workloads() -> dict[str, Workload]:
    """Read all workloads, by name in alphabetical order. InputError for a file that is wrong."""
    folder = samples_folder("workloads")
    files = sorted(folder.glob("*/workload.toml"))
    return {path.parent.name: _read(path) for path in files}


def find_workload(name: str) -> Workload:
    """A workload by its name. UsageError."""
    known = workloads()
    first = name.split(":", maxsplit=1)[0]
    if first != name and first in known:
        words = f"`{name}` names a preset or a build too; here the workload alone is named"
        hint = f"{first} --preset NAME --build NAME"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
    if name not in known:
        raise _unknown(f"there is no workload `{name}`", name, tuple(known), "workloads")
    return known[name]


def parse_workload(text: str) -> WorkloadTarget | None:
    """Read ``NAME[:PRESET][:BUILD]``; None where the text names no workload.

    UsageError for a preset or a build that it does not have.
    """
    name, *rest = text.split(":")
    if name not in workload_names():
        return None
    workload = find_workload(name)
    builds = [part for part in rest if part in BUILDS]
    presets = [part for part in rest if part not in BUILDS]
    strange = [part for part in presets if part not in workload.presets]
    if strange and len(rest) > 1:
        words = f"presets are {', '.join(workload.presets)}, builds {', '.join(workload.builds)}"
        raise UsageError(f"{text}: `{strange[0]}` is neither a preset nor a build; {words}")
    if len(builds) > 1 or len(presets) > 1:
        raise UsageError(f"{text}: a workload is named NAME, NAME:PRESET or NAME:PRESET:BUILD")
    build = builds[0] if builds else DEFAULT_BUILD
    preset = presets[0] if presets else DEFAULT_PRESET
    workload.preset(preset)
    workload.module_file("", build)
    return WorkloadTarget(workload, preset, build)


@cache
def workload_names() -> frozenset[str]:
    """Name the workloads, without reading their files."""
    folder = samples_folder("workloads")
    return frozenset(path.parent.name for path in folder.glob("*/workload.toml"))


def _read(path: Path) -> Workload:
    return Workload(path.parent.name, path.parent, validate(read_toml_file(path), WorkloadForm))


def _converted(name: str, given: int | str, like: Size) -> Size:
    """Read a size as the preset has it: a number as a number. UsageError."""
    if isinstance(like, str):
        return str(given)
    if isinstance(like, bool):
        if str(given).lower() in ("true", "false"):
            return str(given).lower() == "true"
        raise UsageError(f"--size {name}={given}: true or false is needed")
    kind = int if isinstance(like, int) else float
    try:
        return kind(given)
    except ValueError:
        words = "a whole number" if kind is int else "a number"
        words, meant = f"--size {name}={given}: {words} is needed", integer_meant(str(given))
        hint = None if meant is None else f"write --size {name}={meant}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None


def _check(name: str, value: Size) -> None:
    """Refuse what no workload can take for a size of that name. UsageError."""
    if isinstance(value, float) and not math.isfinite(value):
        raise UsageError(f"--size {name}={value}: a finite number is needed")
    if name == "seed" and isinstance(value, int) and value < 0:
        raise UsageError(f"--size seed={value}: a seed is 0 or more")
    if name == "block" and isinstance(value, int) and not 1 <= value <= _MOST_THREADS:
        raise UsageError(f"--size block={value}: a CTA has 1 to {_MOST_THREADS} threads")


_MOST_THREADS = 1024


def _unknown(words: str, given: str, known: tuple[str, ...], kind: str) -> UsageError:
    hint = suggestion(given, known) or f"{kind}: {', '.join(known)}"
    return UsageError(Diagnostic(Severity.ERROR, words, hint=hint))
