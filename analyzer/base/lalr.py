"""Parsers of the packaged grammars, quick to make from the second time on.

Working out the tables of a grammar takes lark 0.05 to 0.15 s in each process. They are kept beside
Python's own compiled files; lark makes them anew where the grammar, the options or the versions
have changed. Where that folder cannot be written, or Python is told to write no bytecode, they are
worked out each time.
"""

from __future__ import annotations

import sys
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from lark import Lark

from warpmill.grammars import grammar_text


def lalr_parser(grammar: str, **options: Any) -> Lark:
    """Make the parser of ``grammars/GRAMMAR``, with lark's options."""
    return Lark(grammar_text(grammar), parser="lalr", cache=_tables(grammar), **options)


def _tables(grammar: str) -> str | bool:
    """Name the file that keeps a grammar's tables, by the Python version; False for none."""
    if sys.dont_write_bytecode:
        return False
    folder = Path(cache_from_source(__file__)).parent
    return str(folder / f"{grammar}.{sys.implementation.cache_tag}.tables")
