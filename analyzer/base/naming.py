"""Names that people type and names that compilers make: demangling, finding, suggesting.

Also numbers that people type where others are needed.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import takewhile

_MAX_MANGLED = 1024
_MAX_SUBSTITUTIONS = 24  # each may double what it refers to: 60 of them write a library's worth
_MAX_DEMANGLED = 1 << 14
_SUBSTITUTION = re.compile(r"S[0-9A-Z]*_")
_RUST_HASH = re.compile(r"17h[0-9a-f]{16}E")
_TAG = re.compile(r"\[abi:[^\]]*\]")
_LITERAL = re.compile(r"\((?P<type>[\w: ]+)\)(?P<number>n?\d+)")
_SUFFIXES = {
    "int": "", "unsigned int": "u", "long": "l", "unsigned long": "ul", "long long": "ll",
    "unsigned long long": "ull",
}  # fmt: skip
"""Suffixes of C++ integer literals, by type."""

_CAST = re.compile(r"\([\w: ]+\)(?=-?\d)")
_SUFFIXED = re.compile(r"(?<![\w.])(-?\d+)(?:u?l{0,2}|l{1,2}u)(?!\w)")
_CONST_FIRST = re.compile(r"(?<![\w>*&] )(?<![\w>*&])const\s+(?=[\w{])")
_SCOPE = re.compile(r"(?:\w+|\{anonymous\})::")
_PART = re.compile(r"[^\W_]+")
_SHORTEST_HELD = 2
"""Characters from which on a text within another says something."""

_OPERATOR = re.compile(r"\boperator(?!\w)")
_ANONYMOUS = "(anonymous namespace)"
_LARGEST_EXACT = 2**53
"""Up to here each integer is a float of its own."""


def nearest_names(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """Up to three of ``candidates`` that ``name`` may mean, the likeliest first.

    Those that begin with it, that contain it, or that share all parts of the shorter name
    (``dram.gbs`` and ``dram.measured_gbs``); where there are none, those that are spelt like it.
    Upper and lower case count as equal. Nothing is given where nothing is near.
    """
    by_lower: dict[str, str] = {}
    for candidate in candidates:
        by_lower.setdefault(candidate.lower()[:_MAX_MANGLED], candidate)
    typed = name.lower()[:_MAX_MANGLED]
    if typed in by_lower:  # only upper and lower case differ
        return (by_lower[typed],)
    ranks = {c: rank for c in by_lower if (rank := _holding(typed, c)) is not None}
    near = difflib.get_close_matches(typed, by_lower, n=3, cutoff=0.6)
    found = sorted(ranks, key=lambda c: (ranks[c], -_alike(typed, c), len(c))) or near
    return tuple(by_lower[n] for n in found[:3])


def _alike(one: str, other: str) -> int:
    """Count the characters that two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _holding(typed: str, candidate: str) -> int | None:
    """How a name holds what was typed, best from 1, or is held by it; None where neither."""
    if len(typed) >= _SHORTEST_HELD and candidate.startswith(typed):
        return 1
    if len(typed) > _SHORTEST_HELD and typed in candidate:
        return 2
    parts, own = (set(_PART.findall(text)) for text in (typed, candidate))
    shorter = parts if len(parts) <= len(own) else own
    is_held = shorter == parts & own and any(len(p) >= _SHORTEST_HELD for p in shorter)
    return 3 if is_held else None


def suggestion(name: str, candidates: Iterable[str]) -> str | None:
    """The words ``did you mean `x`?`` for the nearest names; None where none is near."""
    near = nearest_names(name, candidates)
    return f"did you mean {' or '.join(f'`{n}`' for n in near)}?" if near else None


def integer_meant(text: str) -> int | None:
    """The integer that is written as another number: 1000000 of `1e6`; None for all else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return int(number) if abs(number) <= _LARGEST_EXACT and number.is_integer() else None


@lru_cache(maxsize=4096)
def demangle(name: str) -> str:
    """The C++ name that an Itanium-mangled ``name`` stands for: ``hotspot(float*, int)``.

    Names that are not mangled so (C, Rust, MSVC), that are not understood or that would grow
    without measure come back unchanged.
    """
    if not name.startswith("_Z") or len(name) > _MAX_MANGLED or _RUST_HASH.search(name):
        return name
    if len(_SUBSTITUTION.findall(name)) > _MAX_SUBSTITUTIONS:
        return name
    from itanium_demangler import parse  # noqa: PLC0415 - only where a name is mangled

    try:
        text = str(parse(name) or name)
    except (NotImplementedError, LookupError, ValueError, TypeError, AttributeError):
        return name
    except (AssertionError, RecursionError):
        return name
    return _as_written(text) if len(text) <= _MAX_DEMANGLED else name


def _as_written(text: str) -> str:
    """A demangled name as C++ has it: ``k<64, 8u>`` of ``k<(int)64, (unsigned int)8>``.

    The tags that numba and libraries add are left out: they come in no certain order.
    """
    text = _TAG.sub("", text.replace("_GLOBAL__N_1", _ANONYMOUS))
    return _LITERAL.sub(_literal, text)


def _literal(match: re.Match[str]) -> str:
    kind, number = match["type"], match["number"].replace("n", "-")
    if kind == "bool":
        return "true" if number == "1" else "false"
    return f"{number}{_SUFFIXES[kind]}" if kind in _SUFFIXES else f"({kind}){number}"


def base_name(name: str) -> str:
    """The last part of a name without scopes, template arguments and parameters.

    ``_ZN2ns4copyIfEEvPT_`` and ``ns::copy<float>(float*)`` both give ``copy``. Operators come back
    as they are.
    """
    text = _scoped(name)
    return text if _OPERATOR.search(text) else text.rsplit("::", 1)[-1]


def _scoped(name: str) -> str:
    """A demangled name with its scopes, without template arguments and parameters."""
    full = _full_name(name)
    if _OPERATOR.search(full):
        return full
    kept, depth = [], 0
    for character in full:
        depth += character == "<"
        if depth == 0:
            kept.append(character)
        depth -= character == ">"
    return "".join(kept)


def _full_name(name: str) -> str:
    """A demangled name with scopes and template arguments, without result and parameters."""
    text = demangle(name).replace(_ANONYMOUS, "{anonymous}")
    if _OPERATOR.search(text):
        return text
    start, depth = 0, 0
    for place, character in enumerate(text):
        if character == "(" and depth == 0:
            return text[start:place]
        depth += (character == "<") - (character == ">")
        if character == " " and depth == 0:
            start = place + 1
    return text[start:]


def find_by_name(name: str, candidates: Iterable[str]) -> str | None:
    """Find which of ``candidates`` (as in the module) ``name`` means; None where none or several.

    A name matches as it stands in the module, then demangled, then without parameters, then
    without scopes, then by its last part alone: ``hotspot`` finds ``_Z7hotspotPfS_``, and
    ``gemm<128, 8>`` finds ``void ns::gemm<(int)128, (int)8>(float*)``. ``rows(const float *)``, as
    profilers write it, finds a ``rows`` of which the module tells no parameters.
    """
    found = _found_by_name(name, tuple(dict.fromkeys(candidates)))
    return found[0] if len(found) == 1 else None


def names_meant(name: str, candidates: Iterable[str]) -> tuple[str, ...]:
    """All of ``candidates`` that ``name`` may mean in the form in which it means any."""
    return _found_by_name(name, tuple(dict.fromkeys(candidates)))


def _found_by_name(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    if name in names:
        return (name,)
    wanted = _spelt(name)
    for form in (demangle, _signature, _full_name, _scoped):
        found = tuple(c for c in names if _spelt(form(c)) == wanted)
        if found:
            return found
    short, scopes = _SCOPE.sub("", wanted), wanted.partition("<")[0]
    for form in (_full_name, _scoped):
        there = {c: _spelt(form(c)) for c in names}
        fitting = {c: s for c, s in there.items() if s.partition("<")[0].endswith(scopes)}
        found = tuple(c for c, s in fitting.items() if _SCOPE.sub("", s) == short)
        if found:
            return tuple(c for c in found if there[c].endswith(wanted)) or found
    if _full_name(name) != name:
        bare = tuple(c for c in names if "(" not in demangle(c))
        return _found_by_name(_full_name(name), bare)
    return ()


def short_name(name: str, candidates: Iterable[str]) -> str:
    """The shortest form of a name that means it alone, as people would type it."""
    names = tuple(candidates)
    forms = (form(name) for form in (base_name, _unscoped, _full_name, demangle))
    return next((text for text in forms if names_meant(text, names) == (name,)), name)


def _signature(name: str) -> str:
    """A demangled name with its parameters, without the result that templates have."""
    full, text = _full_name(name), demangle(name).replace(_ANONYMOUS, "{anonymous}")
    return text[text.find(full) :]


def _unscoped(name: str) -> str:
    """A demangled name with its template arguments, without scopes, results, parameters."""
    return _SCOPE.sub("", _full_name(name))


def _spelt(name: str) -> str:
    """A name in one spelling of blanks, anonymous namespaces and constants."""
    text = _const_last(_CAST.sub("", name.replace(_ANONYMOUS, "{anonymous}")))
    text = "".join(text.split())
    text = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", text))
    return _SUFFIXED.sub(r"\1", text)


def _const_last(text: str) -> str:
    """``const float *`` as ``float const *``: where demanglers have it."""
    while (match := _CONST_FIRST.search(text)) is not None:
        end = depth = 0
        rest = text[match.end() :]
        for end, character in enumerate(f"{rest},"):  # noqa: B007 - the end is what is looked for
            if depth == 0 and character in "*&,)>":
                break
            depth += (character == "<") - (character == ">")
        text = f"{text[: match.start()]}{rest[:end].rstrip()} const{rest[end:]}"
    return text
