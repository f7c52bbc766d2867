"""A clone's folder: PTX, CUDA, a launch file, registers, and its model as data and as a graph.

None of them carries names or constants of what was cloned: see ``leaks``. A clone's opcodes, sizes,
strides, counts and rates are the original's: they are what is cloned. Names, data and the constants
of its arithmetic are not. Two things are looked for:

- **Names**: kernels, parameters, variables, functions, registers, labels and files of the
  original, among the words of the files that are not words of every clone's.
- **Numbers**: constants that stand in the files because the original's instructions have them,
  and not because of what was measured. To tell these apart the clone is written once more with
  all numbers of its chains made alike: what is gone then came from them.
"""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from warpmill.analyzer.base.diagnostics import Diagnostic, Severity, UsageError
from warpmill.analyzer.base.whole_files import (
    check_folder_of,
    target_of,
    temporary_folder,
    unfinished_beside,
    unwritable,
    write_whole,
)
from warpmill.analyzer.ir import kernel as ir
from warpmill.analyzer.ir.kernel import FloatImm, Function, Imm, Kernel, Module, Operand, Variable
from warpmill.analyzer.ir.operation import operation_table
from warpmill.analyzer.ir.types import TYPES
from warpmill.analyzer.profile.behaviour import model as behaviour
from warpmill.cloning.clone import Cloned
from warpmill.cloning.pictures import models_dot
from warpmill.codegen import model as clone
from warpmill.codegen.emission.application import CloneApplication
from warpmill.codegen.emission.files import emit
from warpmill.codegen.emission.render import environment
from warpmill.codegen.model import CloneModel, models_text
from warpmill.codegen.synthesis.assembly import assemble
from warpmill.session.jobs import Job
from warpmill.session.registers import RECORD, recorded_registers

PTX, LAUNCH_FILE, MODEL, GRAPH = "clone.ptx", "launch.toml", "model.json", "model.dot"


@dataclass(frozen=True)
class Folder:
    """The files of a clone: texts by name."""

    files: Mapping[str, str]

    def write(self, path: Path) -> None:
        """Write them into a folder that is there."""
        for name, text in self.files.items():
            write_whole(path / name, text.encode())


def folder_of(cloned: Cloned, registers: int | None = None) -> Folder:
    """All that is written of a clone. AssertionError where any of it is the original's.

    ``registers`` are those of the original's threads where somebody says them.
    """
    files = dict(cloned.files.files)
    assert files.keys() >= {PTX, LAUNCH_FILE}
    files[RECORD] = _record(cloned, files[PTX], registers)
    files[MODEL] = models_text(cloned.models)
    files[GRAPH] = models_dot(cloned.models)
    check_leaks(cloned, files)
    return Folder(files)


def check_leaks(cloned: Cloned, files: Mapping[str, str]) -> None:
    """See that nothing of the original stands in the files. AssertionError: a bug in warpmill."""
    jobs = {id(j.kernel): j for j in cloned.studied.jobs}
    originals = [Original(j.loaded.module, j.kernel, j.loaded.path) for j in jobs.values()]
    found = leaks(originals, cloned.models, cloned.application, files)
    if found:
        raise AssertionError(f"the clone would carry over what is the original's: {found[0]}")


def _record(cloned: Cloned, ptx: str, registers: int | None) -> str:
    """Write down the registers of the originals' threads, so that clones are given as many."""
    compiled: dict[str, Any] = {}
    stated: dict[str, Any] = {}
    for model, group in zip(cloned.models, cloned.studied.groups, strict=True):
        job = cloned.studied.jobs[group[0]]
        known = recorded_registers(job.loaded, job.kernel)[0] if registers is None else {}
        if known:
            compiled[model.name] = {
                f"sm_{chip}": {"registers": count.registers_per_thread}
                for chip, count in sorted(known.items())
            }
        else:
            stated[model.name] = _stated(job, registers)
    entry: dict[str, Any] = {"sha256": hashlib.sha256(ptx.encode()).hexdigest()}
    if compiled:
        entry["ptxas"] = {"kernels": compiled}
    if stated:
        entry["stated"] = {"kernels": stated}
    return json.dumps({PTX: entry}, indent=2) + "\n"


def _stated(job: Job, registers: int | None) -> dict[str, Any]:
    """The registers that somebody says, or those that are assumed of the original."""
    most = job.kernel.bounds.max_registers
    if registers is not None:
        return {"registers": registers, "source": "--regs"}
    if most is not None:
        return {"registers": most, "source": "its .maxnreg"}
    return {"registers": job.analysis.live_registers, "source": "its live registers"}


# -- where it goes ---------------------------------------------------------------------------------


def check_folder(path: Path, *, force: bool) -> None:
    """See that a clone could be written to a folder, before it is made. UsageError."""
    check_folder_of(path)
    if not path.exists():
        return
    if not path.is_dir():
        raise UsageError(f"{path} is there already, and no folder")
    if any(path.iterdir()) and not force:
        words = f"{path} is there already, and not empty"
        hint = "--force replaces the files of a clone in it"
        raise UsageError(Diagnostic(Severity.ERROR, words, hint=hint))


@contextmanager
def beside(path: Path | None) -> Iterator[Path]:
    """A folder for unfinished files: beside where they will go, or anywhere. UsageError."""
    with ExitStack() as stack:
        try:
            made = temporary_folder() if path is None else unfinished_beside(target_of(path))
            folder = stack.enter_context(made) / "folder"
            folder.mkdir(0o755)
        except OSError as error:
            raise unwritable(path or Path(tempfile.gettempdir()), error) from None
        yield folder


def put(unfinished: Path, path: Path) -> None:
    """Move finished files to their folder: whole where it is new, one by one where it is not."""
    try:
        if path.exists() and any(path.iterdir()):
            for file in sorted(unfinished.iterdir()):
                file.replace(path / file.name)
            return
        unfinished.replace(target_of(path))
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror or error}") from None


# -- what may not be in them -----------------------------------------------------------------------

SMALL = 1 << 16
"""Numbers below say nothing of data: shifts, selectors and masks of lanes are among them."""

_WORD = re.compile(r"(?<![\w$])[A-Za-z_$][\w$]*")
_INTEGER = re.compile(r"(?<![\w.$%])-?(?:0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*(?![\w.]))")
_FLOAT = re.compile(r"(?<![\w.$%])0[fFdD][0-9a-fA-F]{8,16}(?!\w)")
_OWN = re.compile(
    r"clone\d*(?:_\w+)?|sm_\d+[af]?|memory_?\d*|_?\$?_?B\d+(?:_\d+)?|(?:r_)?[a-z]{1,3}\d+|[0-9a-f]{64}",
    re.IGNORECASE,
)
"""Names that cloning and emission give: kernels, memory, labels, registers, digests."""

_FRAME = """
reg shared param local global const entry visible align version target address_size maxntid reqntid
minnctapersm maxnreg pragma loc file func extern weak ptr func dim3 texref surfref samplerref
tid ntid ctaid nctaid laneid warpid nwarpid smid nsmid gridid clock clock64 lanemask x y z
unsigned char short int long float double void device constant __device__ __constant__ __shared__
__launch_bounds__ __maxnreg__ __align__ __global__ ull NAN INFINITY asm volatile l C
buffer shape name offset ref init zeros module kernel grid block shared args launch
texture channels filter point
ptxas kernels registers sha256 stated source live ptx artefacts json clone_models models
digraph node edge label labelloc fontname monospace style filled fillcolor shape box record subgraph
cluster bold dashed exit oval white color fontcolor constraint false true null constraint
""".split()  # noqa: SIM905 - so many words read better as text


@dataclass(frozen=True)
class Original:
    """Original of which nothing may be carried over: a kernel, its module and its file."""

    module: Module
    kernel: Kernel
    path: str


def leaks(
    originals: Sequence[Original],
    models: Sequence[CloneModel],
    application: CloneApplication,
    files: Mapping[str, str],
) -> tuple[str, ...]:
    """Contents of the originals that stand in the files, in words; empty is as it should be.

    ``files`` are those of the application, with whatever else is written beside them.
    """
    known = frozenset(_vocabulary(models))
    return (*_names(originals, files, known), *_numbers(originals, models, application))


# -- names -----------------------------------------------------------------------------------------


def _names(
    originals: Sequence[Original], files: Mapping[str, str], known: frozenset[str]
) -> Iterator[str]:
    named: dict[str, str] = {}
    for original in originals:
        for name, what in _names_of(original):
            named.setdefault(name, what)
    for file, text in files.items():
        for word in dict.fromkeys(_WORD.findall(f"{file}\n{text}")):
            if word in named and word not in known and not _OWN.fullmatch(word):
                yield f"{file}: `{word}`, {named[word]} of the original"


def _names_of(original: Original) -> Iterator[tuple[str, str]]:
    module, kernel = original.module, original.kernel
    yield from ((word, "a file") for word in _WORD.findall(PurePath(original.path).stem))
    for path in module.debug_files:
        yield from ((word, "a file") for word in _WORD.findall(PurePath(path).stem))
    for function in (kernel, *module.kernels, *module.functions):
        yield from _names_in(function)
    yield from ((each.name, "a function") for each in module.declarations)
    yield from ((each.name, "a variable") for each in module.variables)


def _names_in(function: Function) -> Iterator[tuple[str, str]]:
    yield function.name, "a kernel or function"
    yield from ((p.name, "a parameter") for p in function.parameters)
    yield from ((v.name, "a variable") for v in function.variables)
    yield from ((r.name.removeprefix("%"), "a register") for r in function.registers)
    yield from ((b.label, "a label") for b in function.blocks)


def _vocabulary(models: Sequence[CloneModel]) -> Iterator[str]:
    """The words that clones have whatever the original is called."""
    yield from _common_words()
    for model in models:
        for block in model.blocks:
            for opcode in (*(slot.opcode for slot in block.slots), block.end or ""):
                yield from re.split(r"[.:]+", opcode)


@cache
def _common_words() -> frozenset[str]:
    """The words of frames, of PTX, and of the model's JSON."""
    opcodes = {part for name in operation_table() for part in name.split(".")}
    keys = {
        word
        for module in (clone, behaviour, ir)
        for kind in vars(module).values()
        if isinstance(kind, type) and is_dataclass(kind)
        for word in (kind.__name__, *(field.name for field in fields(kind)))
    }
    return frozenset({*_FRAME, *_WORD.findall(_frames()), *opcodes, *TYPES, *keys, "kind"})


def _frames() -> str:
    """Text of the templates themselves."""
    loader = environment().loader
    assert loader is not None
    names = ("ptx/clone.ptx.j2", "cuda/clone.cu.j2", "launch/launch.toml.j2")
    texts = (loader.get_source(environment(), name)[0] for name in names)
    return re.sub(r"\{\{.*?\}\}|\{%.*?%\}", " ", "\n".join(texts))


# -- numbers ---------------------------------------------------------------------------------------


def _numbers(
    originals: Sequence[Original], models: Sequence[CloneModel], application: CloneApplication
) -> Iterator[str]:
    alike = _application_of([_neutral(model) for model in models], application)
    before, after = (
        {number for _, text in emit(app).files for number in _numbers_in(text)}
        for app in (application, alike)
    )
    own = {n for original in originals for n in _constants_of(original) if _is_telling(n)}
    for number in sorted((before - after) & own):
        yield f"the number {number:#x}, a constant of the original"
    held = {v.initialiser for v in application.module.variables if v.initialiser}
    for original in originals:
        for variable in (*original.module.variables, *original.kernel.variables):
            if variable.initialiser in held and len(set(variable.initialiser or ())) > 1:
                yield "what a variable of the original holds at first"


def _application_of(models: Sequence[CloneModel], like: CloneApplication) -> CloneApplication:
    kernels = tuple(assemble(model).kernel for model in models)
    return replace(like, module=replace(like.module, kernels=kernels))


def _neutral(model: CloneModel) -> CloneModel:
    """A model all of whose chains have the same numbers."""
    blocks = (
        replace(
            block,
            slots=tuple(
                replace(slot, operands=tuple(_plain(o) for o in slot.operands))
                for slot in block.slots
            ),
        )
        for block in model.blocks
    )
    return replace(model, blocks=tuple(blocks))


def _plain(operand: Operand) -> Operand:
    if isinstance(operand, Imm):
        return Imm(1)
    if isinstance(operand, FloatImm):
        return replace(operand, bits=0)
    return operand


def _numbers_in(text: str) -> Iterator[int]:
    """The numbers of a text as bits: integers, and constants of PTX in hexadecimal."""
    for match in _INTEGER.finditer(text):
        yield _as_bits(int(match[0], 0 if "x" in match[0].lower() else 10))
    for match in _FLOAT.finditer(text):
        yield int(match[0][2:], 16)


def _constants_of(original: Original) -> Iterator[int]:
    functions: Iterable[Function] = (original.kernel, *original.module.functions)
    for function in functions:
        for instruction in function.instructions:
            for operand in instruction.operands:
                yield from _in_operand(operand)
    for variable in (*original.module.variables, *original.kernel.variables):
        yield from _in_variable(variable)


def _in_operand(operand: Any) -> Iterator[int]:
    match operand:
        case Imm(value):
            yield _as_bits(value)
        case FloatImm(bits):
            yield bits
        case _:
            for part in ("elements", "items", "parts"):
                for inner in getattr(operand, part, ()):
                    yield from _in_operand(inner)


def _in_variable(variable: Variable) -> Iterator[int]:
    yield from (_as_bits(v) for v in variable.initialiser or () if isinstance(v, int))


def _as_bits(value: int) -> int:
    """A number without a sign, where it fits in 32 bits in these, so that -1 is 0xFFFFFFFF."""
    return value % (1 << 32 if -(1 << 31) <= value < 0 else 1 << 64)


def _is_telling(number: int) -> bool:
    """Whether a number is more than a shift, a size, a mask or a plain fraction such as 1.5."""
    number %= 1 << 64
    for bits in (32, 64):
        size = 1 << bits
        for near in (number % size, -number % size, ~number % size):
            if near < SMALL or near & (near - 1) == 0 or near & (near + 1) == 0:
                return False
    return bool(number & 0xFFFFF)  # floats of few digits end in zeros
