"""Keys of points: hashes of all that their figures follow from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

_KINDS = frozenset({".py", ".toml", ".lark", ".j2"})


def canonical(value: Any) -> str:
    """Write a value as JSON in one way only: sorted keys, no spaces. TypeError for what is none."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def key_of(inputs: Mapping[str, Any]) -> str:
    """Hash the inputs of a point. SHA-256, hexadecimal."""
    return sha256(canonical(inputs).encode()).hexdigest()


@cache
def sources_digest(*folders: str, without: tuple[str, ...] = ()) -> str:
    """Hash the code and tables below folders of the project: another engine makes other keys.

    Files ``without`` which nothing would change are named by how their paths in the project begin.
    """
    digest = sha256()
    for path in _files(ROOT / folder for folder in folders):
        name = path.relative_to(ROOT).as_posix()
        if not name.startswith(without):
            digest.update(name.encode())
            digest.update(sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(folders: Iterable[Path]) -> list[Path]:
    found = {p for folder in folders for p in folder.rglob("*") if p.suffix in _KINDS}
    return sorted(p for p in found if "__pycache__" not in p.parts)
