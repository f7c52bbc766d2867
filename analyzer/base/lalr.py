"""Parsers of the packaged grammars, quick to make from the second time on.

Working out the tables of a grammar takes lark up to half a second in each process. They are kept
beside Python's own compiled files, or where these cannot be written in the user's cache folder;
lark makes them anew where the grammar, the options or the versions have changed.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.resources import files
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from lark import Lark

from warpmill.analyzer.base.whole_files import user_cache


def lalr_parser(grammar: str, **options: Any) -> Lark:
    """Make the parser of ``grammars/GRAMMAR``, with lark's options."""
    return Lark(grammar_text(grammar), parser="lalr", cache=_tables(grammar), **options)


def grammar_text(name: str) -> str:
    """The text of the grammar ``name``, for example ``"ptx.lark"``."""
    return files("warpmill.grammars").joinpath(name).read_text(encoding="utf-8")


def table_folders() -> tuple[Path, ...]:
    """Folders that tables may be kept in: the first of them that can be written."""
    beside = Path(cache_from_source(__file__)).parent
    try:
        return beside, user_cache()
    except OSError:
        return (beside,)


def _tables(grammar: str) -> str | bool:
    """Name the file that keeps a grammar's tables, by the Python version; False for none."""
    for folder in table_folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return str(folder / f"{grammar}.{sys.implementation.cache_tag}.tables")
    return False
