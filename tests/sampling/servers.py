"""Servers that tests start on loopback, on free ports, and end again."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

START_S = 60
ROOT = Path(__file__).parents[2]


@contextmanager
def running(words, end_with=signal.SIGTERM, **options):
    """Run a program as long as the block does, and end it with a signal; give its process."""
    process = subprocess.Popen(
        [str(w) for w in words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        yield process
    finally:
        process.send_signal(end_with)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port():
    """A port that nothing listens to."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# ------------------------------------------------------------------------------------- Dask


@dataclass
class DaskCluster:
    """A scheduler by its address and process, and workers, each a process of one thread."""

    address: str
    scheduler: subprocess.Popen
    ends: ExitStack
    workers: int = 0

    def start_worker(self):
        """Start a further worker; give its process once the scheduler knows it."""
        words = [sys.executable, "-m", "distributed.cli.dask_worker", self.address, "--nthreads",
                 "1", "--no-dashboard", "--host", "127.0.0.1", "--no-nanny"]  # fmt: skip
        process = self.ends.enter_context(_dask(words))
        self.workers += 1
        distributed = pytest.importorskip("distributed")
        with distributed.Client(self.address, timeout=START_S) as client:
            client.wait_for_workers(self.workers, timeout=START_S)
        return process


def _dask(words):
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    return running(words, signal.SIGKILL, cwd=ROOT, env=env)  # SIGTERM takes leave for seconds


@contextmanager
def dask_cluster():
    """Start a scheduler, and give the cluster, which has no worker yet."""
    address = f"tcp://127.0.0.1:{free_port()}"
    words = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--host", address,
             "--no-dashboard", "--no-show"]  # fmt: skip
    with ExitStack() as ends:
        scheduler = ends.enter_context(_dask(words))
        yield DaskCluster(address, scheduler, ends)


# ------------------------------------------------------------------------------- PostgreSQL


def _tool(name):
    found = shutil.which(name)
    if found is None:
        others = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        found = str(others[-1]) if others else None
    return found


@contextmanager
def postgresql(folder):
    """Start a server whose data are in a folder; give its URL. Skips where there is none."""
    pytest.importorskip("psycopg")
    if None in (_tool("initdb"), _tool("postgres")):
        pytest.skip("there is no PostgreSQL")
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to be root
    data, port = folder / "data", free_port()
    if user is not None:
        for path in (folder, *folder.parents[: folder.parts[::-1].index("tmp")]):
            path.chmod(path.stat().st_mode | 0o011)
        shutil.chown(folder, user)
    words = [_tool("initdb"), "-D", data, "-U", "me", "-A", "trust", "--no-sync"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, user=user, cwd=folder)
    words = [_tool("postgres"), "-D", data, "-h", "127.0.0.1", "-p", port, "-k", folder,
             "-c", "fsync=off"]  # fmt: skip
    # SIGINT does not wait for those that are connected
    with running(words, signal.SIGINT, user=user, cwd=folder) as server:
        url = f"postgresql+psycopg://me@127.0.0.1:{port}/postgres"
        _wait_for_answers(server, url)
        yield url


def _wait_for_answers(server, url):
    import psycopg  # noqa: PLC0415 - an extra

    end = time.monotonic() + START_S
    while True:
        try:
            psycopg.connect(url.replace("+psycopg", "")).close()
            return
        except psycopg.OperationalError:
            assert server.poll() is None, "PostgreSQL did not start"
            assert time.monotonic() < end, "PostgreSQL does not answer"
            time.sleep(0.05)
