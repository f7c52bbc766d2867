"""The grammars of warpmill as data, read with lark."""

from importlib.resources import files


def grammar_text(name: str) -> str:
    """Give the text of the grammar ``name``, for example ``"ptx.lark"``."""
    return files(__name__).joinpath(name).read_text(encoding="utf-8")
