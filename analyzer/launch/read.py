"""The launch file: read, checked against its schema, resolved into frozen launches."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.naming import integer_meant, suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument, read_toml_file
from warpmill.analyzer.base.toml_validation import validate
from warpmill.analyzer.frontends.compiling import how_to_compile, what_it_is
from warpmill.analyzer.launch.arguments import ArgumentReader
from warpmill.analyzer.launch.expressions import ExpressionError, evaluate
from warpmill.analyzer.launch.files import is_file, nearby_files
from warpmill.analyzer.launch.model import BufferArgument, Launch, TextureArgument, dim3
from warpmill.analyzer.launch.numbers import INT64_MAX, NumberReader
from warpmill.analyzer.launch.schema import FileForm, LaunchForm

MODULE_SUFFIXES = (".ptx", ".ll", ".bc")
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_OTHER_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.IGNORECASE)
_MAX_LAUNCH_BYTES = 1 << 48
_MAX_SHARED = (1 << 31) - 1


def read_launches(path: Path, sizes: Mapping[str, int | str]) -> tuple[Launch, ...]:
    """Do the work of ``analyzer.launch.load_launches``."""
    if not path.is_dir() and not is_file(path):
        hint = nearby_files(path, (".toml",))
        raise InputError(Diagnostic(Severity.ERROR, "there is no such file", str(path), hint=hint))
    return resolve_launches(read_toml_file(path), path.parent, sizes)


def resolve_launches(
    document: TomlDocument, folder: Path, overrides: Mapping[str, int | str]
) -> tuple[Launch, ...]:
    """Resolve a launch file that was read; its files are looked for in ``folder``."""
    form = validate(document, FileForm)
    names = _resolve_sizes(document, form, overrides)
    numbers = NumberReader(document, names)
    arguments = ArgumentReader(numbers, folder)
    launches = [
        _resolve_launch(arguments, folder, ("launch", place), launch)
        for place, launch in enumerate(form.launch)
    ]
    if numbers.problems:
        raise InputError(*numbers.problems)
    return tuple(launch for launch in launches if launch is not None)


def _resolve_sizes(
    document: TomlDocument, form: FileForm, overrides: Mapping[str, int | str]
) -> dict[str, int]:
    for name in overrides:
        if name not in form.sizes:
            known = suggestion(name, form.sizes) or f"sizes: {', '.join(form.sizes) or 'none'}"
            words = f"the launch file has no size `{name}`"
            raise UsageError(Diagnostic(Severity.ERROR, words, document.source.name, hint=known))
    names: dict[str, int] = {}
    numbers = NumberReader(document, names)
    for name in form.sizes:
        if _NAME.fullmatch(name) is None:
            words = "the name of a size is made of letters, digits and underscores"
            numbers.problems.append(document.key_error(("sizes", name), words))
        elif name in overrides:
            names[name] = _override(name, overrides[name], names)
        else:
            value = numbers.integer(("sizes", name), -INT64_MAX - 1)
            names[name] = 1 if value is None else value  # the problem is told; look on for more
    if numbers.problems:
        raise InputError(*numbers.problems)
    return names


def _override(name: str, given: int | str, names: Mapping[str, int]) -> int:
    try:
        value = evaluate(str(given), names)
    except ExpressionError as error:
        words, hint = _no_size(name, str(given), error)
        words = f"size `{name}` = `{given}`: {words}"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint)) from None
    if -INT64_MAX - 1 <= value <= INT64_MAX:
        return value
    raise UsageError(f"size `{name}` = `{given}`: the value does not fit 64 bits")


def _no_size(name: str, given: str, error: ExpressionError) -> tuple[str, str | None]:
    """Say what is wrong with a size, and what to write instead where that is known."""
    if _OTHER_NUMBER.fullmatch(given) is None:
        return error.message, error.hint
    meant = integer_meant(given)
    return "a size is a whole number", None if meant is None else f"write {name}={meant}"


def _resolve_launch(
    reader: ArgumentReader, folder: Path, path: KeyPath, form: LaunchForm
) -> Launch | None:
    numbers = reader.numbers
    before = len(numbers.problems)
    module = _module(numbers, folder, path, form.module)
    grid = numbers.integers((*path, "grid"), 1)
    block = numbers.integers((*path, "block"), 1)
    shared = numbers.integer((*path, "shared"), 0, _MAX_SHARED) if form.shared != 0 else 0
    reader.begin_launch()
    arguments = [reader.argument((*path, "args", place)) for place in range(len(form.args))]
    symbols = _symbols(reader, (*path, "symbols"), form)
    if len(numbers.problems) > before or grid is None or block is None or shared is None:
        return None
    launch = Launch(
        kernel=form.kernel,
        module=module,
        grid=dim3(grid),
        block=dim3(block),
        dynamic_shared_bytes=shared,
        arguments=tuple(a for a in arguments if a is not None),
        symbols=symbols,
        name=form.name or form.kernel or module.stem,
        sizes=tuple(numbers.names.items()),
        file=numbers.document.source.name,
        document=numbers.document,
        path=path,
    )
    if launch.buffer_bytes >= _MAX_LAUNCH_BYTES:
        numbers.fail((*path, "args"), "the buffers of the launch take 2^48 bytes or more")
    return launch


def _symbols(
    reader: ArgumentReader, path: KeyPath, form: LaunchForm
) -> tuple[tuple[str, BufferArgument | TextureArgument], ...]:
    found = [(name, reader.symbol((*path, name))) for name in form.symbols]
    return tuple((name, buffer) for name, buffer in found if buffer is not None)


def _module(numbers: NumberReader, folder: Path, path: KeyPath, name: str) -> Path:
    module = folder / name
    where = (*path, "module")
    if module.suffix.lower() not in MODULE_SUFFIXES:
        hint = None if what_it_is(module) is None else how_to_compile(module)
        numbers.fail(where, f"a module is one of {', '.join(MODULE_SUFFIXES)}", hint)
    elif not is_file(module):
        hint = nearby_files(module, MODULE_SUFFIXES)
        numbers.fail(where, f"there is no file `{name}` beside the launch file", hint)
    return module
