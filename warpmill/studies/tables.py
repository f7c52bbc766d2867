"""The tables of a study store, and how a database is opened for them."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Engine,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    create_engine,
    event,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from warpmill.analyzer.base.diagnostics import InputError, UsageError

VERSION = 1
"""Version of the tables; older stores cannot be read."""

OPEN, CLAIMED, DONE, FAILED = range(4)
"""States of a point: nobody has it, somebody works on it, it has figures, it cannot have any."""

_LOCK = 0x7761_7270_6D69_6C6C  # "warpmill": locks of a database have numbers
WAIT_MS = 60_000
"""How long a process waits for another one that writes to an SQLite file."""
_AGAIN_S = 0.01

metadata = MetaData()

store = Table("store", metadata, Column("version", Integer, nullable=False))
studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(200), nullable=False, unique=True),
    Column("about", Text, nullable=False),
)
points = Table(
    "points",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", String(64), nullable=False, unique=True),
    Column("inputs", Text, nullable=False),
    Column("state", SmallInteger, nullable=False),
    Column("outputs", Text),
    Column("problem", Text),
    Column("seconds", Float),
    Column("owner", String(200)),
    Column("claimed_at", Float),
    Index("points_by_state", "state", "owner"),
)
figures = Table(
    "figures",
    metadata,
    Column("point", ForeignKey(points.c.id), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("value", Float, nullable=False),
    Index("figures_by_value", "name", "value", "point"),
)
members = Table(
    "members",
    metadata,
    Column("study", ForeignKey(studies.c.id), primary_key=True),
    Column("point", ForeignKey(points.c.id), primary_key=True),
    Column("number", Integer, nullable=False),
    Index("members_in_order", "study", "number", "point"),
)


def url_of(where: str | Path) -> str:
    """The address of a store: a database's URL as it is, or that of an SQLite file."""
    text = str(where)
    return text if "://" in text else f"sqlite:///{Path(text).resolve()}"


def is_there(url: str) -> bool:
    """Whether opening a store makes no file: it has one, or needs none."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        return True  # who opens it is told what is wrong
    if parsed.get_backend_name() != "sqlite" or not parsed.database:
        return True
    return parsed.database == ":memory:" or Path(parsed.database).exists()


def opened(url: str) -> Engine:
    """Open a store, with its tables made where there are none.

    UsageError for an address that is none or cannot be reached, InputError for what is no store.
    """
    with said(url):
        engine = _engine(url)
        try:
            _make_tables(engine, url)
        except BaseException:
            engine.dispose()
            raise
    return engine


def _make_tables(engine: Engine, url: str) -> None:
    """Make the tables where there are none. InputError for what is no store, or another one's."""
    with engine.connect() as connection:
        there = set(inspect(connection).get_table_names())
    if there and not set(metadata.tables) <= there:
        raise InputError(f"{shown(url)} is no study store: it has other tables")
    with writing(engine) as connection:
        metadata.create_all(connection)
        version = connection.scalar(select(store.c.version))
        if version is None:
            connection.execute(store.insert().values(version=VERSION))
        elif version != VERSION:
            raise InputError(
                f"{shown(url)} was made by another version of warpmill: its tables are of "
                f"version {version}, {VERSION} is read here"
            )


def _engine(url: str) -> Engine:
    try:
        engine = create_engine(make_url(url))
    except (ArgumentError, NoSuchModuleError) as error:
        raise UsageError(
            f"{url} is no address of a store: a file, or a URL such as "
            f"postgresql+psycopg://user@host/database ({error})"
        ) from None
    except ModuleNotFoundError as error:
        raise UsageError(f"{shown(url)} needs a Python package: pip install {error.name}") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
    elif engine.dialect.name == "postgresql":
        event.listen(engine, "begin", _lock)
    return engine


def _prepare(connection: Any, _record: Any) -> None:
    """Prepare an SQLite file for reads while somebody writes; ``_begin`` begins transactions."""
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={WAIT_MS}")
    _write_ahead(connection)
    for words in ("synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {words}")


def _write_ahead(connection: Any) -> None:
    """An SQLite file its log, which the first to open it makes.

    Where another process begins to write just then, SQLite does not wait as it does elsewhere.
    """
    until = time.monotonic() + WAIT_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_AGAIN_S)
        else:
            return


def _begin(connection: Connection) -> None:
    """Take the file before anything is read that is to be changed: readers cannot turn writers."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _lock(connection: Connection) -> None:
    """Lock so that one transaction at a time changes anything, as SQLite does."""
    if connection.get_execution_options().get("writes", False):
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """A connection whose changes are kept together, or not at all."""
    with engine.connect() as connection:
        writer = connection.execution_options(writes=True)
        with writer.begin():
            yield writer


@contextmanager
def said(url: str) -> Iterator[None]:
    """Turn what a database complains of into an error that names the store. InputError."""
    try:
        yield
    except SQLAlchemyError as error:
        words = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
        raise InputError(f"{shown(url)}: {words}") from None


def shown(url: str) -> str:
    """Write a store's address for people: a file by its path, a URL without its password."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        return parsed.database
    return parsed.render_as_string(hide_password=True)
