"""Owners of points: processes by host and number, and which of them are gone."""

from __future__ import annotations

import os
import socket
from functools import lru_cache
from uuid import uuid4

LEASE_S = 600.0
"""Seconds after which a claim that was not renewed is over: its remote owner is gone."""

RENEWAL_S = 60.0
"""Seconds after which a process that is at work renews its claims."""


@lru_cache(maxsize=1)
def _run() -> tuple[int, str]:
    return os.getpid(), uuid4().hex[:12]


def own_name() -> str:
    """The name under which this process claims points."""
    if _run()[0] != os.getpid():  # forked since
        _run.cache_clear()
    pid, run = _run()
    return f"{socket.gethostname()} {pid} {run}"


def is_gone(owner: str) -> bool:
    """Whether an owner was a process of this computer that is no more."""
    host, _, rest = owner.rpartition(" ")[0].rpartition(" ")
    if host != socket.gethostname() or owner == own_name():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, ValueError):
        return False
    return int(rest) == os.getpid()  # the number is ours now, and we are another one
