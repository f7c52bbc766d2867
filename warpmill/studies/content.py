"""Keys of points: hashes of all that their figures follow from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def canonical(value: Any) -> str:
    """Write a value as JSON in one way only: sorted keys, no spaces. TypeError for what is none."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


def key_of(inputs: Mapping[str, Any]) -> str:
    """Hash the inputs of a point. SHA-256, hexadecimal."""
    return sha256(canonical(inputs).encode()).hexdigest()
