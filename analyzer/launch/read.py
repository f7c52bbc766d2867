"""The launch file: read, checked against its schema, resolved into frozen launches.

``read_launches`` goes from the file to its launches; ``ArgumentReader`` makes the arguments of one,
with what their buffers are filled with.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from warpmill.analyzer.base.diagnostics import Diagnostic, InputError, Severity, UsageError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import KeyPath, TomlDocument, read_toml_file, validate
from warpmill.analyzer.base.whole_files import is_file, nearby_files
from warpmill.analyzer.frontends.compilers.options import (
    SOURCE_SUFFIXES,
    CompileOptions,
    CompilerName,
)
from warpmill.analyzer.launch.check import misfit
from warpmill.analyzer.launch.expressions import NumberReader, resolve_sizes, shown
from warpmill.analyzer.launch.model import (
    CHANNELS,
    ELEMENT_TYPES,
    Arange,
    Argument,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    ElementKind,
    ElementType,
    FromFile,
    Initialiser,
    Launch,
    Normal,
    NullArgument,
    Permutation,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Uniform,
    Zeros,
    dim3,
    seed_of,
)

MODULE_SUFFIXES = (".ptx", ".ll", ".bc", *SOURCE_SUFFIXES)
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
    names = resolve_sizes(document, form.sizes, overrides)
    numbers = NumberReader(document, names)
    arguments = ArgumentReader(numbers, folder)
    how = _compile_options(numbers, folder, form.compile)
    launches = [
        _resolve_launch(arguments, folder, ("launch", place), launch, how)
        for place, launch in enumerate(form.launch)
    ]
    if numbers.problems:
        raise InputError(*numbers.problems)
    return tuple(launch for launch in launches if launch is not None)


def _compile_options(
    numbers: NumberReader, folder: Path, form: CompileForm | None
) -> CompileOptions:
    """How sources are compiled; folders are beside the launch file."""
    if form is None:
        return CompileOptions()
    try:
        folders = tuple(str(folder / each) for each in form.include)
        given = form.model_dump(exclude={"include", "define"})
        macros = tuple(
            name if value is True else f"{name}={value}" for name, value in form.define.items()
        )
        return CompileOptions(folders, macros, **given)
    except UsageError as error:
        for each in error.diagnostics:
            key = each.message.removeprefix("--").partition(" ")[0]
            numbers.fail(("compile", key), each.message.partition(": ")[2])
        return CompileOptions()


def _resolve_launch(
    reader: ArgumentReader, folder: Path, path: KeyPath, form: LaunchForm, how: CompileOptions
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
        compile_options=how,
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
        from warpmill.analyzer.frontends.compilers.languages import (  # noqa: PLC0415 - only for errors
            how_to_compile,
            what_it_is,
        )

        hint = None if what_it_is(module) is None else how_to_compile(module)
        numbers.fail(where, f"a module is one of {', '.join(MODULE_SUFFIXES)}", hint)
    elif not is_file(module):
        hint = nearby_files(module, MODULE_SUFFIXES)
        numbers.fail(where, f"there is no file `{name}` beside the launch file", hint)
    return module


# Arguments of a launch file: buffers, textures, numbers, references, structs.

_Form = TypeVar("_Form", bound=BaseModel)

_MAX_ELEMENTS = (1 << 48) - 1
_KINDS = ("buffer", "texture", "struct", "ref", "null")


@dataclass
class ArgumentReader:
    """Reader of arguments one after another; named buffers are known to all that follow.

    Problems are gathered in ``numbers.problems``; a method that has recorded one gives None.
    """

    numbers: NumberReader
    folder: Path
    _named: dict[str, tuple[BufferArgument | None, KeyPath]] = field(default_factory=dict)
    _arrays: int = 0

    def begin_launch(self) -> None:
        """Count arrays from 0 again: the number of one is its seed where none is written."""
        self._arrays = 0

    def argument(self, path: KeyPath) -> Argument | None:
        """Read the argument whose table is at ``path``."""
        table: dict[str, Any] = self.numbers.document.value(path)
        kind = next((k for k in _KINDS if k in table), None)
        readers: dict[str, Callable[[KeyPath], Argument | None]] = {
            "buffer": self._passed_buffer,
            "texture": self._texture,
            "struct": self._struct,
            "ref": self._ref,
            "null": self._null,
        }
        return self._scalar(path, table) if kind is None else readers[kind](path)

    def symbol(self, path: KeyPath) -> BufferArgument | TextureArgument | None:
        """Read the contents of a module variable: a buffer without a name of its own.

        What a reference to a texture or surface is bound to is a texture.
        """
        if "texture" in self.numbers.document.value(path):
            return self._texture(path)
        buffer = self._buffer(path)
        if buffer is not None and buffer.name is not None:
            words = "a symbol has its variable's name and no other"
            self.numbers.problems.append(self.numbers.document.key_error((*path, "name"), words))
        if buffer is not None and "offset" in self.numbers.document.value(path):
            words = "a symbol is filled from its first element; it has no offset"
            self.numbers.problems.append(self.numbers.document.key_error((*path, "offset"), words))
        return buffer

    def _form(self, path: KeyPath, model: type[_Form]) -> _Form | None:
        try:
            return validate(self.numbers.document, model, path)
        except InputError as error:
            self.numbers.problems += error.diagnostics
            return None

    def _passed_buffer(self, path: KeyPath) -> BufferArgument | RefArgument | None:
        """Read a buffer that is made here, and passed from its element ``offset`` on."""
        buffer = self._buffer(path)
        offset = None if buffer is None else self._offset(path, buffer)
        if buffer is None or offset is None:
            return None
        return RefArgument(buffer, offset) if offset else buffer

    def _buffer(self, path: KeyPath) -> BufferArgument | None:
        form = self._form(path, BufferForm)
        if form is None:
            return None
        number = self._next_array()
        shape = self._shape(path)
        init = None if shape is None else self._init(path, form.buffer, math.prod(shape))
        buffer = None
        if shape is not None and init is not None:
            seed = seed_of(init, number) if form.seed is None else form.seed
            buffer = BufferArgument(form.buffer, shape, init, seed, form.name)
        if form.name is not None:
            self._define(path, form.name, buffer)
        return buffer

    def _define(self, path: KeyPath, name: str, buffer: BufferArgument | None) -> None:
        if name in self._named:
            first = self.numbers.document.span(self._named[name][1])
            words = f"buffer `{name}` is already defined in line {first.line}"
            self.numbers.fail((*path, "name"), words, f'to pass it again: {{ ref = "{name}" }}')
        self._named.setdefault(name, (buffer, (*path, "name")))

    def _texture(self, path: KeyPath) -> TextureArgument | None:
        form = self._form(path, TextureForm)
        number = self._next_array()
        shape = None if form is None else self._shape(path, form.channels)
        if form is None or shape is None:
            return None
        init = self._init(path, form.texture, math.prod(shape) * form.channels)
        if init is None:
            return None
        seed = seed_of(init, number) if form.seed is None else form.seed
        return TextureArgument(form.texture, shape, init, seed, form.filter, form.channels)

    def _next_array(self) -> int:
        self._arrays += 1
        return self._arrays - 1

    def _shape(self, path: KeyPath, channels: int = 1) -> tuple[int, ...] | None:
        shape = self.numbers.integers((*path, "shape"), 1, _MAX_ELEMENTS)
        if shape is None:
            return None
        if math.prod(shape) * channels > _MAX_ELEMENTS:
            self.numbers.fail((*path, "shape"), "the buffer has 2^48 elements or more")
            return None
        return shape

    def _init(self, path: KeyPath, element: str, count: int) -> Initialiser | None:
        type_ = ELEMENT_TYPES[element]
        return read_initialiser(self.numbers, self.folder, (*path, "init"), type_, count)

    def _ref(self, path: KeyPath) -> RefArgument | None:
        form = self._form(path, RefForm)
        if form is None:
            return None
        if form.ref not in self._named:
            hint = suggestion(form.ref, self._named) or "a buffer gets a name by its key `name`"
            if _is_named(self.numbers.document.values, form.ref):
                hint = f"`{form.ref}` stands below: say what it holds here, and the ref there"
            self.numbers.fail((*path, "ref"), f"no buffer above is called `{form.ref}`", hint)
            return None
        buffer = self._named[form.ref][0]
        offset = None if buffer is None else self._offset(path, buffer)
        return None if buffer is None or offset is None else RefArgument(buffer, offset)

    def _offset(self, path: KeyPath, buffer: BufferArgument) -> int | None:
        """Read the key ``offset``, which counts elements; give bytes."""
        if "offset" not in self.numbers.document.value(path):
            return 0
        offset = self.numbers.integer((*path, "offset"), 0, buffer.element_count - 1)
        return None if offset is None else offset * buffer.type.size_bytes

    def _null(self, path: KeyPath) -> NullArgument | None:
        return None if self._form(path, NullForm) is None else NullArgument()

    def _struct(self, path: KeyPath) -> StructArgument | None:
        form = self._form(path, StructForm)
        if form is None:
            return None
        fields = []
        for place, table in enumerate(form.struct):
            inner = (*path, "struct", place)
            if "struct" in table or "texture" in table:
                words = "a struct holds numbers, buffers and addresses; list nested fields in a row"
                self.numbers.fail(inner, words)
                continue
            fields.append(self.argument(inner))
        kept = tuple(
            f
            for f in fields
            if f is not None and not isinstance(f, TextureArgument | StructArgument)
        )
        return StructArgument(kept) if len(kept) == len(form.struct) else None

    def _scalar(self, path: KeyPath, table: dict[str, Any]) -> ScalarArgument | None:
        name = next((key for key in table if key in ELEMENT_TYPES), None)
        if name is None:
            self._unknown_kind(path, table)
            return None
        extra = [key for key in table if key != name]
        for key in extra:
            words = f"unknown key `{key[:40]}` in a number, which has its type and value only"
            self.numbers.problems.append(self.numbers.document.key_error((*path, key), words))
        return None if extra else self._scalar_value((*path, name), ELEMENT_TYPES[name])

    def _scalar_value(self, path: KeyPath, type_: ElementType) -> ScalarArgument | None:
        written = self.numbers.document.value(path)
        if type_.kind is ElementKind.BOOL and isinstance(written, bool):
            return ScalarArgument(type_.name, int(written))
        if not type_.is_float:
            low, high = int(type_.smallest), int(type_.largest)
            whole = self.numbers.integer(path, low, high)
            return None if whole is None else ScalarArgument(type_.name, whole)
        number = self.numbers.number(path)
        if number is None:
            return None
        if not type_.holds(number):
            self.numbers.fail(path, f"{shown(number)} does not fit {type_.name}")
            return None
        return ScalarArgument(type_.name, float(number))

    def _unknown_kind(self, path: KeyPath, table: dict[str, Any]) -> None:
        known = (*_KINDS, *ELEMENT_TYPES)
        hint = f"an argument has one of: {', '.join(known)}"
        if not table:
            self.numbers.fail(path, "the argument is empty", hint)
            return
        key = next(iter(table))
        words = f"unknown kind of argument `{key[:40]}`"
        problem = self.numbers.document.key_error(
            (*path, key), words, suggestion(key, known) or hint
        )
        self.numbers.problems.append(problem)


def _is_named(value: Any, name: str) -> bool:
    """Whether a buffer of this name is written anywhere in a value of a document."""
    if isinstance(value, list):
        return any(_is_named(each, name) for each in value)
    if not isinstance(value, dict):
        return False
    is_it = "buffer" in value and value.get("name") == name
    return is_it or any(_is_named(each, name) for each in value.values())


# Initialisers of a launch file.

_WORDS: dict[str, Callable[[], Initialiser]] = {
    "zeros": Zeros,
    "arange": Arange,
    "permutation": Permutation,
}
_PAIRS: dict[str, tuple[Callable[[float, float], Initialiser], str]] = {
    "arange": (Arange, "{ arange = [start, step] }"),
    "uniform": (Uniform, "{ uniform = [low, high] }"),
    "normal": (Normal, "{ normal = [mean, standard deviation] }"),
}
_FORMS = {
    "zeros": '"zeros"',
    "constant": "{ constant = 1 }",
    "permutation": '"permutation"',
    "csr": '{ csr = "row_ptr", rows = 8, columns = 8, nnz_per_row = 2 }',
    "file": '{ file = "name.npy" }',
} | {name: form for name, (_, form) in _PAIRS.items()}
_MAX_SIDE = (1 << 48) - 1


def read_initialiser(
    numbers: NumberReader, folder: Path, path: KeyPath, type_: ElementType, count: int
) -> Initialiser | None:
    """Read the initialiser at ``path`` for ``count`` elements of a type.

    None where it is wrong, which is then recorded; a key that is left out means zeros.
    """
    written = numbers.document.value(path)
    if written is None:
        return Zeros()
    before = len(numbers.problems)
    if isinstance(written, str):
        init = _word(numbers, path, written)
    else:
        init = _table(numbers, folder, path, written)
    if init is None or len(numbers.problems) > before:
        return None
    reason = misfit(init, type_, count)
    if reason is not None:
        numbers.fail(path, reason)
    return init if reason is None else None


def _word(numbers: NumberReader, path: KeyPath, name: str) -> Initialiser | None:
    if name in _WORDS:
        return _WORDS[name]()
    if name in _FORMS:
        numbers.fail(path, f"`{name}` needs values", f"write {_FORMS[name]}")
        return None
    numbers.fail(path, f"unknown initialiser `{name[:40]}`", _known(name))
    return None


def _known(name: str) -> str:
    return suggestion(name, _FORMS) or f"initialisers: {', '.join(sorted(_FORMS))}"


def _table(
    numbers: NumberReader, folder: Path, path: KeyPath, table: dict[str, Any]
) -> Initialiser | None:
    if "csr" in table:
        return _csr(numbers, path)
    name = next((key for key in table if key in _FORMS), next(iter(table), None))
    if name is None:
        numbers.fail(path, "the initialiser is empty", _known(""))
        return None
    if name not in _FORMS:
        words = f"unknown initialiser `{name[:40]}`"
        numbers.problems.append(numbers.document.key_error((*path, name), words, _known(name)))
        return None
    for key in table:
        if key != name:
            words = f"unknown key `{key[:40]}` beside `{name}`"
            numbers.problems.append(numbers.document.key_error((*path, key), words))
    return _named(numbers, folder, (*path, name), name)


def _named(numbers: NumberReader, folder: Path, path: KeyPath, name: str) -> Initialiser | None:
    if name in _WORDS and numbers.document.value(path) is True:
        return _WORDS[name]()
    if name in _PAIRS:
        make, form = _PAIRS[name]
        pair = numbers.numbers(path, 2, form)
        return None if pair is None else make(pair[0], pair[1])
    if name == "constant":
        value = numbers.number(path)
        return None if value is None else Constant(value)
    if name == "file":
        return _file(numbers, folder, path)
    numbers.fail(path, f"write {_FORMS[name]}")
    return None


def _file(numbers: NumberReader, folder: Path, path: KeyPath) -> Initialiser | None:
    name = numbers.document.value(path)
    if not isinstance(name, str) or not name.lower().endswith(".npy"):
        numbers.fail(path, "the name of a .npy file is needed here")
        return None
    if not is_file(folder / name):
        words = f"there is no file `{name}` beside the launch file"
        numbers.fail(path, words, nearby_files(folder / name, (".npy",)))
        return None
    return FromFile(folder / name)


def _csr(numbers: NumberReader, path: KeyPath) -> Initialiser | None:
    try:
        form = validate(numbers.document, CsrForm, path)
    except InputError as error:
        numbers.problems += error.diagnostics
        return None
    rows = numbers.integer((*path, "rows"), 1, _MAX_SIDE)
    columns = numbers.integer((*path, "columns"), 1, _MAX_SIDE)
    nnz_per_row = numbers.integer((*path, "nnz_per_row"), 0, _MAX_SIDE)
    if rows is None or columns is None or nnz_per_row is None:
        return None
    return Csr(CsrPart(form.csr), rows, columns, nnz_per_row)


# The form of a launch file: what keys there are and what their values look like.

Expression = int | str
"""An integer, or text that ``analyzer.launch.expressions`` computes."""

Dimensions = Expression | Annotated[list[Expression], Field(min_length=1, max_length=3)]
Element = Literal[
    "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "bf16", "f32", "f64", "bool"
]
Shape = Expression | Annotated[list[Expression], Field(min_length=1, max_length=8)]
Seed = Annotated[int, Field(ge=0, lt=1 << 64)]


def _channels(count: int) -> int:
    if count not in CHANNELS:
        raise ValueError("must be 1, 2 or 4")
    return count


Channels = Annotated[int, AfterValidator(_channels)]
"""A literal would take ``true`` for 1."""


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class LaunchForm(_Strict):
    """A ``[[launch]]`` table; the kinds of arguments are told apart later."""

    module: Annotated[str, Field(min_length=1)]
    kernel: Annotated[str, Field(min_length=1)] | None = None
    name: str | None = None
    grid: Dimensions
    block: Dimensions
    shared: Expression = 0
    symbols: dict[str, dict[str, Any]] = {}
    args: list[dict[str, Any]] = []


class CompileForm(_Strict):
    """The ``[compile]`` table: how modules that are sources are compiled."""

    include: list[Annotated[str, Field(min_length=1)]] = []
    define: dict[str, bool | int | float | str] = {}
    std: str | None = None
    arch: str | None = None
    compiler: CompilerName | None = None


class FileForm(_Strict):
    """A launch file."""

    sizes: dict[str, Expression] = {}
    compile: CompileForm | None = None
    launch: Annotated[list[LaunchForm], Field(min_length=1)]


class BufferForm(_Strict):
    """``{ buffer = "f32", shape = ["n"] }``."""

    buffer: Element
    shape: Shape
    init: str | dict[str, Any] = "zeros"
    seed: Seed | None = None
    name: str | None = None
    offset: Expression = 0


class TextureForm(_Strict):
    """``{ texture = "f32", shape = ["n"] }``."""

    texture: Element
    channels: Channels = 1
    shape: Shape
    filter: Literal["point", "linear"] = "point"
    init: str | dict[str, Any] = "zeros"
    seed: Seed | None = None


class RefForm(_Strict):
    """``{ ref = "A", offset = 16 }``."""

    ref: str
    offset: Expression = 0


class NullForm(_Strict):
    """``{ null = true }``."""

    null: Literal[True]


class StructForm(_Strict):
    """``{ struct = [ { f32 = 1.0 }, { i32 = 2 } ] }``."""

    struct: Annotated[list[dict[str, Any]], Field(min_length=1)]


class CsrForm(_Strict):
    """``{ csr = "row_ptr", rows = "n", columns = "n", nnz_per_row = 16 }``."""

    csr: Literal["row_ptr", "col_idx", "values"]
    rows: Expression
    columns: Expression
    nnz_per_row: Expression
