"""Patterns of regular expressions: what Python before 3.11.5 gets wrong is not in them.

There a possessive repetition of a group fails where its part had tried something else first
(gh-106052), so that Debian 12's Python read no PTX. Atomic groups are right everywhere, and so are
possessive repetitions of one character.
"""

import importlib
import pkgutil
import re
from re import _constants as codes
from re import _parser as parser

import pytest

from warpmill.analyzer import frontends
from warpmill.simulator import sampling

ONE_CHARACTER = {codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY}
MODULES = sorted(
    found.name
    for package in (frontends, sampling)
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
)


def possessive_groups(parsed):
    """The possessive repetitions of more than a character, at any depth."""
    for code, argument in parsed:
        if code is codes.POSSESSIVE_REPEAT:
            _, _, repeated = argument
            if len(repeated) != 1 or repeated[0][0] not in ONE_CHARACTER:
                yield repeated
        yield from (g for part in parts(argument) for g in possessive_groups(part))


def parts(argument):
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, list | tuple):
        for one in argument:
            yield from parts(one)


def test_what_is_looked_for_is_found():
    assert list(possessive_groups(parser.parse(r"x|(a(?:b|\s*+c)*+)")))
    assert not list(possessive_groups(parser.parse(r"[ab]*+c++.?+(?>(?:b|c)*)")))


@pytest.mark.parametrize("name", MODULES)
def test_no_group_is_repeated_possessively(name):
    module = importlib.import_module(name)
    patterns = [one for one in vars(module).values() if isinstance(one, re.Pattern)]
    assert not [
        p.pattern for p in patterns if list(possessive_groups(parser.parse(p.pattern, p.flags)))
    ]
