"""How the text of a body is cut into statements."""

from __future__ import annotations

import re

_NAME = r"[A-Za-z_$%][\w$]*+"
_OPCODE_TEXT = r"[A-Za-z]\w*+(?>(?:\s*+\.\w++|::\w++(?::\d++)?)*)"
_LOCATION = (
    r"\.loc\s++\d++\s++\d++\s++\d++(?:\s*+,\s*+function_name\s++[\w$.]++(?:\s*+\+\s*+\d++)?"
    r"\s*+,\s*+inlined_at\s++\d++\s++\d++\s++\d++)?"
)
STATEMENT = re.compile(
    r"\s*+(?:"
    rf"(@\s*+!?\s*+[%$\w]*+\s*+)?({_OPCODE_TEXT})(?!\s*+:|[\w$])\s*+([^;]*+);"
    rf"|({_NAME}\s*+:\s*+\.(?:branchtargets|callprototype|calltargets)\b[^;]*+);"
    rf"|({_NAME})\s*+:(?!:)"
    rf"|({_LOCATION}|\.loc\b[^\n]*+)"
    r'|(\.[^;"]*+(?>(?:"[^"\n]*+"[^;"]*+)*));'
    r"|([{}])"
    r"|(\S[^;]*+));?+",
    re.ASCII,
)
DECLARATIONS = re.compile(r'(?>(?:\s*+\.(?:reg|local|shared)\b[^;{}"]*+;)+)', re.ASCII)
GUARD, OPCODE, REST, TABLE, LABEL, LOC, DIRECTIVE, BRACE, BAD = range(1, 10)
OPCODE_START = re.compile(_OPCODE_TEXT, re.ASCII)
"""The groups of a statement: which of them matched tells what the statement is."""
