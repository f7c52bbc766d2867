"""Samples and workloads of warpmill, with the modules that compilers make of them."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parent


def sample_path(word: str) -> str:
    """The file that a word such as ``samples/matmul/launch.toml`` means, from any folder.

    What is there from the current folder on is meant first; a word that means no sample stays as
    it is.
    """
    first, _, rest = word.partition("/")
    if first != "samples" or not rest or Path(word).exists():
        return word
    return _inside(rest) or word


def sample_called(name: str) -> str | None:
    """The launch file of a sample by its name, ``matmul``; None where there is no such sample."""
    return _inside(f"{name}/launch.toml") if name.isidentifier() else None


def sample_names() -> tuple[str, ...]:
    """The samples that have a launch file."""
    return tuple(sorted(path.parent.name for path in _FOLDER.glob("*/launch.toml")))


def _inside(place: str) -> str | None:
    own, folder = (_FOLDER / place).resolve(), _FOLDER.resolve()
    return str(own) if own.is_relative_to(folder) and own.is_file() else None
