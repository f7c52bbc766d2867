"""PTX by the plain use of a parser generator: whole files through lark, to compare speeds with.

lark's contextual lexer and LALR parser read a file from start to end by the grammar of the
front-end, ``grammars/ptx.lark``. The text below adds to it what a module and a body are, and how
tokens are spelled. Trees come out, and no more: no name is resolved, nothing is decoded or
verified. That is less work than the front-end does, so that the ratio of the two speeds does not
flatter the front-end.
"""

from __future__ import annotations

import re
from functools import cache

from lark import Lark, Tree

from warpmill.analyzer.base.lalr import grammar_text
from warpmill.analyzer.ir.types import TYPES

_WHOLE = r"""
module: (module_directive ";"? | header ";" | header body)*
body: "{" (body_directive ";" | loc | label | body | statement ";")* "}"
statement: guard? instruction
label: LABEL_HERE
%override body_directive: registers | variable | pragma | table
%override register_name: (NAME | REG) ("<" INT ">")?
%override table: LABEL_HERE ".branchtargets" NAME ("," NAME)*
               | LABEL_HERE ".calltargets" NAME ("," NAME)*
               | LABEL_HERE ".callprototype" returns? (NAME | SINK) parameters? performance*
%extend parameter: ".reg" align? VECTOR? TYPE REG

// Where several fit and the parser takes them, the greatest number has it.
LABEL_HERE.9: /[\w$%]+[ \t]*:(?!:)/
NUMBERS.9: /(?:-?[0-9]\w*\s*,\s*)+/
_LOAD.8: /(?:ldu?|atom)(?:\.[\w:.]+)?(?![\w$])/
_STORE.8: /(?:st|red)(?:\.[\w:.]+)?(?![\w$])/
_CALL.8: /call(?:\.uni)?(?![\w$])/
_BRANCH.8: /bra(?:\.uni)?(?![\w$])/
_INDEXED.8: /brx\.idx(?:\.uni)?/
_RETURN.8: /(?:ret|exit)(?:\.uni)?(?![\w$])/
_OPCODE.7: /[a-z]\w*(?:\.[\w:]+)*/
FLOAT.7: /0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}/
INT.6: /(?:0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)U?(?![\w.])|WARP_SZ/
DECIMAL.5: /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?/
ELEMENT.5: /[%A-Za-z_$][\w$]*\.(?:[xyzwrgba]|[bh][0-7]+)\b/
SPECIAL.4: /%(?:n?tid|n?ctaid|laneid|n?warpid|n?smid|gridid|clock|lanemask|globaltimer)[\w.]*/
SINK.4: /_(?![\w$])/
NAME.3: /(?!generic\()[A-Za-z_$][\w$]*|%[\w$]+(?=\()/
LABEL.2: /[A-Za-z_$][\w$]*/
REG.1: /[%A-Za-z_$][\w$]*/
STRING: /"[^"\n]*"/
VECTOR: /\.v[248]\b/
SPACE: /\.(?:global|shared|const|local|tex)\b/
LINKAGE: /\.(?:visible|extern|weak|common)\b/
TYPE: /\.(?:TYPE_NAMES)\b/
%ignore /\s+|\/\/[^\n]*|@@[^\n]*/
%ignore /\/\*[^*]*\*+(?:[^\/*][^*]*\*+)*\//
%ignore /\.section[^{]*\{[^}]*\}/
"""


@cache
def _parser() -> Lark:
    """The parser; working out its tables is no part of what is measured."""
    shared = re.sub(r"^%declare .*", "", grammar_text("ptx.lark"), flags=re.MULTILINE)
    own = _WHOLE.replace("TYPE_NAMES", "|".join(sorted(TYPES, key=len, reverse=True)))
    return Lark(shared + own, parser="lalr", start="module")


def parse_whole(text: str) -> Tree:
    """The tree of a text, with a ``statement`` for each instruction."""
    return _parser().parse(text)
