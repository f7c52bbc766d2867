"""A sign of life on stderr for what takes longer than two seconds."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from warpmill.views.safe import escaped

if TYPE_CHECKING:
    from rich.status import Status

DELAY_S = 2.0


class Spinner:
    """Appears after ``DELAY_S`` seconds and goes without a trace with ``stop``."""

    def __init__(self, what: str) -> None:
        self._what = escaped(what)
        self._lock = threading.Lock()
        self._stopped = False
        self._status: Status | None = None
        self._timer = threading.Timer(DELAY_S, self._start)
        self._timer.daemon = True
        self._timer.start()

    def _start(self) -> None:
        from rich.console import Console  # noqa: PLC0415 - only where it takes long
        from rich.text import Text  # noqa: PLC0415

        with self._lock:
            if not self._stopped:
                self._status = Console(stderr=True).status(Text(f"{self._what} ..."))
                self._status.start()

    def stop(self) -> None:
        """Take it away."""
        self._timer.cancel()
        with self._lock:
            self._stopped = True
            if self._status is not None:
                self._status.stop()
