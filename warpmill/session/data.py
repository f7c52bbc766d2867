"""A launch's data: whether they decide what it executes, and what reports call its memory."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import file_digest, sha256
from pathlib import Path

from warpmill.analyzer.analyses.access.accesses import MemoryAccess
from warpmill.analyzer.analyses.structure import Structure
from warpmill.analyzer.analyses.values.symbolic import AtomKind
from warpmill.analyzer.base.diagnostics import LimitError
from warpmill.analyzer.base.whole_files import open_input
from warpmill.analyzer.launch.model import (
    Argument,
    BufferArgument,
    FromFile,
    InMemory,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Zeros,
)
from warpmill.analyzer.traces.source import StaticSource
from warpmill.session.jobs import Job


def data_decide(source: StaticSource) -> str | None:
    """Part of a launch's traces that data decide, by its first CTA; None: nothing."""
    try:
        return source.data_decide()
    except LimitError:
        return "its warps part too often to be walked without data"


def data_are_given(job: Job) -> bool:
    """Whether the launch says what its buffers hold.

    A launch file does, and so does an application that made it. Options alone do where any buffer
    is filled with more than zeros, which is what nobody asked for gets.
    """
    if job.recorded is not None:
        return True
    return job.required_launch().document is not None or any(
        not isinstance(buffer.init, Zeros)
        for each in (*job.before, job)
        for buffer in _memory(each)
    )


def _memory(job: Job) -> Iterator[BufferArgument | TextureArgument]:
    launch = job.required_launch()
    yield from (buffer for _, buffer in launch.symbols)
    for argument in launch.arguments:
        yield from _buffers(argument)


def _buffers(argument: Argument) -> Iterator[BufferArgument | TextureArgument]:
    match argument:
        case BufferArgument() | TextureArgument():
            yield argument
        case RefArgument(buffer):
            yield buffer
        case StructArgument(fields):
            for part in fields:
                yield from _buffers(part)


def data_digest(job: Job) -> str:
    """Hash what executed traces depend on beside kernel, grid and arguments' extents.

    That is what buffers are filled with, and the launches that run before. SHA-256, hexadecimal.
    """
    if job.recorded is not None:
        return job.recorded.digest()
    from warpmill.analyzer.traces.file_format import argument_text  # noqa: PLC0415 - seldom needed

    digest = sha256()
    for each in (*job.before, job):
        launch = each.required_launch()
        digest.update(each.printed.encode())
        digest.update(repr((launch.grid, launch.block, launch.dynamic_shared_bytes)).encode())
        for argument in launch.arguments:
            digest.update(argument_text(argument).encode())
        for buffer in _memory(each):
            digest.update(_contents(buffer).encode())
    return digest.hexdigest()


def _contents(buffer: BufferArgument | TextureArgument) -> str:
    """Contents of a buffer; of a file or an array the bytes, wherever they lie.

    Of a texture also how it is read, which decides what kernels get of it.
    """
    read = ""
    if isinstance(buffer, TextureArgument):
        read = f" {buffer.channels} {buffer.filter}"
    if isinstance(buffer.init, FromFile):
        return _file_hash(buffer.init.path) + read
    if isinstance(buffer.init, InMemory):
        return sha256(buffer.init.values.tobytes()).hexdigest() + read
    return f"{buffer.element} {buffer.shape} {buffer.init} {buffer.seed}{read}"


def _file_hash(path: Path) -> str:
    with open_input(path) as file:
        return file_digest(file, "sha256").hexdigest()


# Names that reports give: blocks by label, memory by the parameter or variable behind it.

EXIT = "exit"
"""The name of the end of the thread among successors."""


def labels_of(structure: Structure) -> list[str]:
    """The label of each block, and ``exit`` for the end of the thread."""
    return [*(block.label for block in structure.kernel.blocks), EXIT]


def buffer_of(job: Job, access: MemoryAccess) -> str | None:
    """Name the pointer parameter or the variable that an address starts at; None: several, none.

    A pointer stands alone in its monomial, with the factor one.
    """
    names = set()
    for monomial, factor in access.address.terms:
        if len(monomial) != 1 or factor != 1:
            continue
        (atom,) = monomial
        is_pointer = atom.kind is AtomKind.ARGUMENT and _may_point(job, atom.key)
        if is_pointer or atom.kind is AtomKind.ADDRESS:
            names.add(atom.name)
    return names.pop() if len(names) == 1 else None


def _may_point(job: Job, index: int) -> bool:
    if job.launch is not None:
        return not isinstance(job.launch.arguments[index], ScalarArgument)
    parameter = job.kernel.parameters[index]
    return parameter.type.bits == 64 if parameter.is_pointer is None else parameter.is_pointer
