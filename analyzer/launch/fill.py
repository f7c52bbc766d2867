"""Initialisers of a launch file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.analyzer.base.naming import suggestion
from warpmill.analyzer.base.toml_source import KeyPath, validate
from warpmill.analyzer.launch.elements import ElementType
from warpmill.analyzer.launch.files import is_file, nearby_files
from warpmill.analyzer.launch.fit import misfit
from warpmill.analyzer.launch.initialisers import (
    Arange,
    Constant,
    Csr,
    CsrPart,
    FromFile,
    Initialiser,
    Normal,
    Permutation,
    Uniform,
    Zeros,
)
from warpmill.analyzer.launch.numbers import NumberReader
from warpmill.analyzer.launch.schema import CsrForm

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
