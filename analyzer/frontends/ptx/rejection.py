"""Words for what the grammar rejects: which token it is about, and what is wrong with it."""

from __future__ import annotations

from typing import NamedTuple

from analyzer.frontends.ptx.lexer import MAX_NESTING, Token

_CONTINUES = frozenset({",", "(", "[", "{", "|", "+", "-", "@", "!", "=", ":"})
_STARTS = frozenset({"LABEL", "NAME", "@", "{", "}", "LINKAGE", "SPACE"})


class Explained(NamedTuple):
    """An error with its place, and the offset where a new statement seems to begin, if any."""

    start: int
    end: int
    message: str
    resume: int | None = None


def explain(text: str, lexed: list[Token], index: int) -> Explained:
    """Say why the token at ``index``, or the end after the last one, does not fit."""
    if index >= len(lexed):
        last = lexed[-1]
        return Explained(
            last.start, last.end, f"the statement ends too early, after {_q(text, last)}"
        )
    token = lexed[index]
    if index > 0 and _begins_statement(text, lexed[index - 1], token):
        previous = lexed[index - 1]
        message = f"missing `;` after {_q(text, previous)}"
        return Explained(previous.end, previous.end + 1, message, token.start)
    return Explained(token.start, token.end, _message(text, token))


def _begins_statement(text: str, previous: Token, token: Token) -> bool:
    """Whether a token that does not fit starts a line, where nothing asks for one more operand."""
    if token.kind == "}":
        return previous.kind not in _CONTINUES
    is_new_line = "\n" in text[previous.end : token.start]
    starts = token.kind in _STARTS or token.kind[0] == "."
    return is_new_line and starts and previous.kind not in _CONTINUES


def _message(text: str, token: Token) -> str:
    word = _q(text, token)
    if token.kind == "LABEL":
        return f"register {word} is not declared" if word[1] == "%" else f"{word} is not declared"
    if token.kind != "BAD":
        return f"{word} does not fit here"
    if word[1].isdigit():
        return f"{word} is not a constant of at most 64 bits"
    if word[1] in "([{":
        return f"brackets are nested more than {MAX_NESTING} deep"
    return f"{word} is not part of PTX"


def _q(text: str, token: Token) -> str:
    return f"`{text[token.start : token.end][:80]}`"
