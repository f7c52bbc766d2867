"""Compiling a source: which compiler, what is kept of earlier runs, what is told of problems."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Literal

from warpmill.analyzer.base.diagnostics import (
    SAID_ONCE,
    Diagnostic,
    InputError,
    Severity,
    Source,
    UsageError,
)
from warpmill.analyzer.base.naming import base_name, demangle, find_by_name
from warpmill.analyzer.base.whole_files import (
    read_input,
    temporary_folder,
    user_cache,
    write_whole,
)
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.frontends.compilers.languages import kernel_templates, language_of
from warpmill.analyzer.frontends.compilers.options import CompileOptions, Language, is_source
from warpmill.analyzer.frontends.compilers.toolchains import (
    COMPILERS,
    HEADERS,
    INSTANCE,
    Compiler,
    CompilerRun,
    Tool,
    Unit,
)

MAX_SOURCE_BYTES = 16 << 20
"""The largest source, and the largest file that one includes, that is read."""

_FORM = 1
"""Raised where what is kept, or how compilers are called, changes."""


@dataclass(frozen=True)
class CompiledSource:
    """What a compiler made of a source, and how.

    ``source`` is the text that came out, in ``format``; ``compiled_from`` is what went in.
    ``messages`` are the compiler's own; ``name`` is the mangled name of the instance of a template
    that was asked for. ``options`` are those given, with the chip.
    """

    source: Source
    format: Literal["PTX", "LLVM IR"]
    compiled_from: Source
    language: Language
    compiler: str
    version: str
    options: CompileOptions
    messages: str = ""
    name: str | None = None

    @property
    def by(self) -> str:
        """The compiler, its version, and its options, in words."""
        shown = [f"--arch {self.options.arch}"]
        shown += [f"--std {self.options.std}"] if self.options.std else []
        shown += [f"-D {macro}" for macro in self.options.define]
        shown += [f"-I {folder}" for folder in self.options.include]
        return f"{self.compiler} {self.version} {' '.join(shown)}"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """A note with the compiler's warnings, where it had any."""
        if not self.messages.strip():
            return ()
        words = f"{self.compiler} {self.version} says:\n{self.messages.rstrip()}"
        return (Diagnostic(Severity.NOTE, words, self.compiled_from.name, kind=SAID_ONCE),)


def compile_source(
    given: str | Path | Source,
    options: CompileOptions | None = None,
    kernel: str | None = None,
) -> CompiledSource:
    """Compile a source: a file, or a text under a name that ends as its language's files do.

    ``kernel`` may name an instance of a template, ``sgemm<128, 8>``, which is made then. The first
    compiler that is found is asked, or the one that the options name; what it made before of the
    same text, included files and options is taken from the cache. InputError with the compiler's
    messages where it refuses the source, UsageError where no compiler is there.
    """
    source = given if isinstance(given, Source) else _read(Path(given))
    language = language_of(source)
    options = (options or CompileOptions()).for_language(language)
    instance = kernel if kernel is not None and is_instance(kernel) else None
    compiler, tool = _chosen(language, options.compiler, source.name)
    on_disk = None if isinstance(given, Source) else Path(given).absolute()
    task = _Task(source, on_disk, language, options, instance)
    found = _compiled(task, compiler, tool)
    if instance is None or found.name is not None:
        return found
    return replace(found, name=_instance_name(found, task, compiler, tool))


def _compiled(task: _Task, compiler: Compiler, tool: Tool) -> CompiledSource:
    made = _made(task, compiler, tool)
    shown = f"{task.source.name} ({compiler.makes})"
    return CompiledSource(
        Source(shown, made.text or "", derived=True),
        compiler.makes,
        task.source,
        task.language,
        compiler.name,
        tool.version,
        task.options,
        made.messages,
        made.name,
    )


_INSTANCE = re.compile(r"[A-Za-z_][\w:]*\s*<[\w\s:<>,*&+\-()/.%]*>")


def is_instance(kernel: str) -> bool:
    """Whether a kernel's name is that of a template's instance, as C++ has it: ``k<64, float>``."""
    return "<" in kernel and not kernel.rstrip().endswith(")")


def _read(path: Path) -> Source:
    if not is_source(path):
        raise UsageError(f"{path}: this is the name of no source (.cu, .hip, .cl)")
    try:
        data = read_input(path, MAX_SOURCE_BYTES)
    except OSError as error:
        words = f"cannot be read: {error.strerror or error}"
        raise InputError(Diagnostic(Severity.ERROR, words, str(path))) from None
    return Source(str(path), data.decode("utf-8", "replace"))


# Which compiler.


def _chosen(language: Language, named: str | None, file: str) -> tuple[Compiler, Tool]:
    fitting = [c for c in COMPILERS if language in c.languages]
    if named is not None:
        asked = [c for c in fitting if c.name == named]
        if not asked:
            names = " or ".join(c.name for c in fitting)
            words = f"--compiler {named} does not compile {language}: {names} does"
            raise UsageError(Diagnostic(Severity.ERROR, words, file))
        fitting = asked
    for compiler in fitting:
        tool = _found(compiler)
        if tool is not None:
            return compiler, tool
    looked = "; ".join(c.looked_for for c in fitting)
    words = f"this is a source in {language}, and no compiler for it is found. Looked for: {looked}"
    hint = "install " + ", or ".join(c.installed_by for c in fitting)
    raise UsageError(Diagnostic(Severity.ERROR, words, file, hint=hint))


_FOUND: dict[tuple[object, ...], Tool | None] = {}


def _found(compiler: Compiler) -> Tool | None:
    """The compiler, looked for once in each environment."""
    key = (compiler, *(os.environ.get(name) for name in ("PATH", "CUDA_HOME", "CUDA_PATH")))
    if key not in _FOUND:
        _FOUND[key] = compiler.find()
    return _FOUND[key]


# Running it, and what is kept.


@dataclass(frozen=True)
class _Task:
    """A source to compile; ``file`` is where it lies, where it lies in one."""

    source: Source
    file: Path | None
    language: Language
    options: CompileOptions
    instance: str | None


def _made(task: _Task, compiler: Compiler, tool: Tool) -> CompilerRun:
    if task.instance is not None and not _INSTANCE.fullmatch(task.instance.strip()):
        words = f"--kernel {task.instance}: this is no name of a template's instance"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint="such as --kernel 'sgemm<128, 8>'"))
    key = _key(task, tool)
    kept = None if key is None else _kept(key)
    if kept is not None:
        return kept
    with temporary_folder() as folder:
        run = compiler.run(tool, _unit(task, folder))
        run = _with_names(run, task, folder)
    if run.text is None:
        words = f"{compiler.name} {tool.version} does not compile it:\n{run.messages.rstrip()}"
        hint = _hint(task, compiler, run.messages)
        raise InputError(Diagnostic(Severity.ERROR, words, task.source.name, hint=hint))
    if key is not None:
        _keep(key, run)
    return run


def _unit(task: _Task, folder: Path) -> Unit:
    path = task.file
    if path is None:
        path = folder / PurePath(task.source.name).name
        path.write_text(task.source.text, "utf-8")
    return Unit(path, task.language, task.options, task.instance, folder)


def _with_names(run: CompilerRun, task: _Task, folder: Path) -> CompilerRun:
    """The run with the source's name as it was given, wherever the compiler has an absolute one."""
    shown = str(PurePath(task.source.name).parent)
    there = str(folder if task.file is None else task.file.parent)
    before, after = there.rstrip("/") + "/", "" if shown == "." else shown.rstrip("/") + "/"
    text = run.text
    if text is not None and before != after:
        text = text.replace(f'"{before}', f'"{after}').replace(
            f'directory: "{there}"', f'directory: "{shown}"'
        )
    said = run.messages
    for file in folder.glob(f"{INSTANCE}.*"):
        said = said.replace(str(file), "--kernel")
    return replace(run, text=text, messages=said.replace(before, after))


def _hint(task: _Task, compiler: Compiler, said: str) -> str | None:
    if compiler.name == "nvcc" and _HOST_COMPILER.search(said):
        return "nvcc needs a host compiler (g++); --compiler nvrtc and --compiler clang need none"
    if compiler.name == "nvrtc" and re.search(
        r"<<<|\bmain\s*\(|\bcuda[A-Z]\w+\(", task.source.text
    ):
        return "NVRTC compiles device code alone: nvcc takes files that have host code as well"
    return None


_HOST_COMPILER = re.compile(r"host compiler|\b(?:gcc|g\+\+|cc1plus)\b.*(?:No such file|not found)")


def cache_folder() -> Path:
    """The folder of what compilers have made. OSError where nobody's home is known."""
    return user_cache() / "compiled"


def _kept(key: str) -> CompilerRun | None:
    if key in _MEMORY:
        return _MEMORY[key]
    try:
        data = json.loads((cache_folder() / f"{key}.json").read_bytes())
        return CompilerRun(str(data["text"]), str(data["messages"]), data["name"])
    except (OSError, ValueError, KeyError, TypeError):  # not there, or cut: it is made anew
        return None


_MEMORY: dict[str, CompilerRun] = {}
_MOST_IN_MEMORY = 16


def _keep(key: str, run: CompilerRun) -> None:
    while len(_MEMORY) >= _MOST_IN_MEMORY:
        _MEMORY.pop(next(iter(_MEMORY)))
    _MEMORY[key] = run
    with suppress(OSError, UsageError):  # a cache that cannot be written saves nothing
        folder = cache_folder()
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / f"{key}.json", json.dumps(asdict(run)).encode())


def _key(task: _Task, tool: Tool) -> str | None:
    """Hash of all that decides what a compiler makes; None where that cannot be told beforehand.

    That is the text, the files that it includes and those that they include, where they are
    named, the options, the compiler and its version. Headers of compilers belong to their version.
    """
    digest = hashlib.sha256()

    def add(*parts: object) -> None:
        for part in parts:
            data = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
            digest.update(f"{len(data)} ".encode() + data)

    add(_FORM, tool.name, tool.path, tool.identity, task.language, task.instance, _own_headers())
    add(task.source.name, task.file, *map(str, asdict(task.options).values()))
    add(*(os.environ.get(name) for name in _SEARCHED))
    first = task.file or Path(task.source.name).absolute()
    folders = [Path(f).absolute() for f in task.options.include]
    if task.file is None:
        first = Path("/nonexistent") / PurePath(task.source.name).name
    waiting, seen = [(first, task.source.text.encode("utf-8", "surrogateescape"))], {first}
    while waiting:
        path, data = waiting.pop(0)
        add(path, data)
        if _CHANGING.search(data) or len(seen) > _MOST_INCLUDED:
            return None
        for name in _included(data):
            if name is None:
                return None
            found = _first_of(name, path.parent, folders)
            add(name, found)
            if found is not None and found not in seen:
                seen.add(found)
                try:
                    waiting.append((found, read_input(found, MAX_SOURCE_BYTES)))
                except OSError:
                    return None
    return digest.hexdigest()


_SEARCHED = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "NVCC_PREPEND_FLAGS",
             "NVCC_APPEND_FLAGS", "CUDA_HOME", "CUDA_PATH")  # fmt: skip
"""Environment variables that compilers look at."""

_MOST_INCLUDED = 4096
_CHANGING = re.compile(rb"\b__(?:DATE|TIME|TIMESTAMP)__\b|^\s*#\s*embed\b", re.MULTILINE)
_DIRECTIVE = re.compile(rb"^[ \t]*#[ \t]*(?:include(?:_next)?|import)\b[ \t]*(.*)$", re.MULTILINE)
_NAMED = re.compile(rb"[<\"]([^<>\"]+)[>\"]")


def _included(data: bytes) -> Iterator[str | None]:
    """The names in a text's ``#include`` lines; None for one that a macro makes."""
    for line in _DIRECTIVE.findall(data):
        named = _NAMED.match(line)
        yield None if named is None else os.fsdecode(named[1])


def _first_of(name: str, beside: Path, folders: Sequence[Path]) -> Path | None:
    """The file that a name means; None: the compiler's own, or none."""
    return next((f / name for f in (beside, *folders) if (f / name).is_file()), None)


@lru_cache(maxsize=1)
def _own_headers() -> str:
    digest = hashlib.sha256()
    for path in sorted(p for p in HEADERS.rglob("*") if p.is_file()):
        digest.update(path.relative_to(HEADERS).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


# Kernels by name.


def _names(compiled: CompiledSource) -> tuple[str, ...]:
    if compiled.format == "PTX":
        return tuple(h.name for h in ptx.scan(compiled.source) if h.is_entry)
    from warpmill.analyzer.frontends import llvm  # noqa: PLC0415 - only where it is needed

    return tuple(h.name for h in llvm.scan(compiled.source))


def _instance_name(compiled: CompiledSource, task: _Task, compiler: Compiler, tool: Tool) -> str:
    """The mangled name of an instance: by its spelling, or else the kernel that came with it."""
    assert task.instance is not None
    names = _names(compiled)
    found = find_by_name(task.instance, names)
    if found is not None:
        return found
    template = base_name(task.instance.partition("<")[0].strip())
    alike = [name for name in names if base_name(name) == template]
    if len(alike) > 1:
        before = _names(_compiled(replace(task, instance=None), compiler, tool))
        alike = [name for name in alike if name not in before] or alike
    if len(alike) == 1:
        return alike[0]
    words = f"which kernel {task.instance} is cannot be told; name one of those that are there"
    listed = ", ".join(map(demangle, alike or names))
    file = task.source.name
    raise UsageError(Diagnostic(Severity.ERROR, f"{words}: {listed}", file))


def template_problem(source: Source, kernel: str | None) -> Diagnostic | None:
    """What to say where a kernel is not there: the templates, and how an instance is named."""
    templates = kernel_templates(source.text)
    if not templates:
        return None
    meant = [t for t in templates if kernel is not None and t.name == base_name(kernel)]
    like = (meant or list(templates))[0]
    listed = ", ".join(f"{t} (line {t.line})" for t in templates)
    words = f"a kernel template is compiled for the instances that are named; templates: {listed}"
    hint = f"--kernel '{like}' with values for {', '.join(like.parameters)}"
    return Diagnostic(Severity.ERROR, words, source.name, hint=hint)
