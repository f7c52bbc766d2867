"""What is wrong with a statement that the grammar does not have, and where to go on after it."""

from __future__ import annotations

from warpmill.analyzer.frontends.ptx.grammar import RejectedError, template
from warpmill.analyzer.frontends.ptx.lexer import Token, shape_of, tokens
from warpmill.analyzer.frontends.ptx.names import Scope
from warpmill.analyzer.frontends.ptx.prepared import family
from warpmill.analyzer.frontends.ptx.problems import Problems, first_word
from warpmill.analyzer.frontends.ptx.rejection import explain
from warpmill.analyzer.frontends.ptx.statements import OPCODE_START


class Faults:
    """Explains statements of one body; each answer is where to go on, None for the next one."""

    def __init__(self, text: str, problems: Problems) -> None:
        self._text = text
        self._problems = problems

    def instruction(self, start: int, end: int, scope: Scope, index: int) -> int | None:
        """Explain an instruction, its guard left out, whose token ``index`` does not fit."""
        return self.tokens(self._instruction_tokens(start, end, scope), index)

    def guard(self, start: int, end: int, scope: Scope) -> int | None:
        """Explain a guard."""
        lexed = list(tokens(self._text, start, end, scope.resolve))
        try:
            template("guard", shape_of(lexed)[0])
        except RejectedError as rejected:
            return self.tokens(lexed, rejected.index)
        return None

    def no_statement(self, start: int, end: int, scope: Scope) -> int | None:
        """Explain a text that is no statement; mostly the last one, without its semicolon."""
        if OPCODE_START.match(self._text, start, end) is None:
            word = first_word(self._text, start, end)
            self._problems.error(start, start + len(word), f"`{word}` does not fit here")
            return None
        lexed = self._instruction_tokens(start, end, scope)
        try:
            template("instruction", shape_of(lexed)[0])
        except RejectedError as rejected:
            return self.tokens(lexed, rejected.index)
        last = lexed[-1]
        word = self._text[last.start : last.end]
        self._problems.error(last.end, last.end + 1, f"missing `;` after `{word}`")
        return None

    def tokens(self, lexed: list[Token], index: int) -> int | None:
        """Explain tokens of which number ``index`` does not fit."""
        explained = explain(self._text, lexed, index)
        self._problems.error(explained.start, explained.end, explained.message)
        return explained.resume

    def _instruction_tokens(self, start: int, end: int, scope: Scope) -> list[Token]:
        """Lex an instruction without its guard; the opcode is the first token."""
        opcode = OPCODE_START.match(self._text, start, end)
        opcode_end = start if opcode is None else opcode.end()
        first = Token(family(self._text[start:opcode_end]), None, start, opcode_end)
        return [first, *tokens(self._text, opcode_end, end, scope.resolve)]
