"""Measure what machine instructions ptxas makes of PTX operations, one by one.

Each form of tools/expansion_forms.toml becomes a kernel that has it a few times, on operands loaded
from memory, so that nothing is folded, and stores the results. ptxas assembles it for each chip,
nvdisasm lists it, and the instructions on the usual path that carry the operation's line are
counted by unit. A kernel without the operation tells whether the line information has them all.

    python tools/measure_expansion.py [KEY ...] --ptxas PTXAS ... --nvdisasm NVDISASM ... [--write]

Several tools may be given: of those that know a chip the first is taken; the table was made with
ptxas 13.5 before 12.9 and 11.8. ``--write`` puts the lines in the section ``expansions`` of
simulator/assembler/expansion.toml, where others stay as they are. Its sections ``before`` are by
hand, of what an older ptxas alone prints.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from machine_listing import MachineFunction, MachineInstruction, read_listing, usual_path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "simulator" / "assembler" / "expansion.toml"
FORMS = Path(__file__).with_name("expansion_forms.toml")
CHIPS = (35, 37, 50, 52, 60, 61, 70, 75, 80, 86, 89, 90, 100, 120)
COPIES = 3
CHUNK = 40
_VARIABLES = (
    ".shared .align 16 .b8 buffer[1024];",
    ".const .align 4 .f32 table;",
    ".visible .global .align 4 .b8 values[1024];",
)
_OPERAND = re.compile(r"\b([a-z]\d?):(\w+)")
_PTX_VERSIONS = ((70, "6.4"), (75, "6.5"), (90, "7.8"), (100, "8.6"), (1000, "8.7"))
_RESULTS = ("d", "e")
_INNER = ("t", "u")
_DECLARED = {"handle": "b64"}
"""A handle of a texture, which all threads share, is a parameter."""
_NOT_ITS_OWN = re.compile(
    r"U?LDCU?\S* .*c\[0x0\]|(?:IMAD\.)?MOV\S* .*c\[0x0\]|DEPBAR.* SB\d|UIADD3 URZ, |NOP$"
)
"""Reads of the kernel's parameters, waits for the loads of operands, padding."""
_CONSTANT_BY_HALVES = re.compile(r"HFMA2\S* \w+, -?RZ, RZ, ")


@dataclass(frozen=True)
class Form:
    """An operation to measure: its key in the table, its PTX, and the oldest chip that has it.

    A whole one is measured with the reads of the kernel's parameters, by its largest copy; it shows
    where operands come from and is no line of the table. Of what
    costs more right behind its like there is but one of the ``copies``.
    """

    key: str
    ptx: str
    since: int
    is_whole: bool
    copies: int

    @property
    def operands(self) -> dict[str, str]:
        """The types of its registers by their names."""
        return dict(_OPERAND.findall(self.ptx))

    @property
    def has_sources(self) -> bool:
        """Whether it reads registers that differ from copy to copy."""
        kept = (*_RESULTS, *_INNER)
        return any(not name.startswith(kept) for name in self.operands)


@dataclass(frozen=True)
class Tools:
    """Assemblers and disassemblers, by preference."""

    ptxas: tuple[str, ...]
    nvdisasm: tuple[str, ...]


@dataclass(frozen=True)
class Measured:
    """The machine instructions that an operation became.

    ``stray`` is how many more instructions the kernel has than one without the operation and the
    line information tell of, in all copies together.
    """

    instructions: tuple[MachineInstruction, ...]
    stray: int


def forms() -> tuple[Form, ...]:
    """Read the forms."""
    found = []
    for key, given in tomllib.loads(FORMS.read_text(encoding="utf-8")).items():
        line = {"ptx": given} if isinstance(given, str) else given
        since, is_whole = line.get("since", CHIPS[0]), line.get("whole", False)
        found.append(Form(key, line["ptx"], since, is_whole, line.get("copies", COPIES)))
    return tuple(found)


def kernel_text(name: str, form: Form, *, with_operation: bool) -> tuple[str, int]:
    """Write a kernel with an operation; also the place of the first copy's line in it."""
    declared = ["b32 %thread", "b64 %in", "b64 %out"]
    loads: list[str] = []
    stores: list[str] = []
    operations: list[str] = []
    for copy in range(form.copies):
        ptx = form.ptx
        for operand, type_ in form.operands.items():
            register, offset = f"%{operand}_{copy}", 8 * len(declared)
            declared.append(f"{_DECLARED.get(type_, type_)} {register}")
            if type_ == "pred":
                declared.append(f"b32 {register}x")
            if operand in _INNER:
                ptx = ptx.replace(f"{operand}:{type_}", register)
                continue
            is_result = operand.startswith(_RESULTS)
            loads += _load(register, type_, offset, is_kept=not is_result or not with_operation)
            if is_result:
                stores += _store(register, type_, offset)
            ptx = re.sub(rf"\b{operand}:{type_}\b", register, ptx)
        operations.append(ptx + ";")
    rows = [f".visible .entry {name}(.param .u64 from, .param .u64 to, .param .u64 handle)", "{"]
    rows += [f".reg .{one};" for one in declared]
    rows += ["mov.u32 %thread, %tid.x;"]
    for register, parameter in (("%in", "from"), ("%out", "to")):
        rows.append(f"ld.param.u64 {register}, [{parameter}];")
        rows.append(f"mad.wide.u32 {register}, %thread, 4096, {register};")
    rows += loads
    first = len(rows)
    rows += operations if with_operation else [""] * form.copies
    return "\n".join([*rows, *stores, "DONE:", "ret;", "}", ""]), first


def _load(register: str, type_: str, offset: int, *, is_kept: bool) -> list[str]:
    """Load a register; one that the operation writes is loaded in the kernel without it alone."""
    if type_ == "handle":
        return [f"ld.param.u64 {register}, [handle];"]
    if type_ != "pred":
        return [f"ld.volatile.global.{type_} {register}, [%in+{offset}];"] if is_kept else []
    load = f"ld.volatile.global.b32 {register}x, [%in+{offset}];"
    return [load, f"setp.ne.b32 {register}, {register}x, 0;"][: 2 if is_kept else 1]


def _store(register: str, type_: str, offset: int) -> list[str]:
    if type_ != "pred":
        return [f"st.volatile.global.{type_} [%out+{offset}], {register};"]
    select = f"selp.b32 {register}x, {offset}, {register}x, {register};"
    return [select, f"st.volatile.global.b32 [%out+{offset}], {register}x;"]


@cache
def units() -> dict[str, str]:
    """The unit of each machine opcode, from the table."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))["units"]
    return {name: unit for unit, line in table.items() for name in line["opcodes"].split()}


def unit_of(instruction: MachineInstruction) -> str:
    """The unit of a machine instruction; KeyError where the table does not know its opcode."""
    if _CONSTANT_BY_HALVES.match(instruction.text):
        return units()["MOV"]
    words = instruction.opcode.split(".")
    for length in range(len(words), 0, -1):
        found = units().get(".".join(words[:length]))
        if found is not None:
            return found
    raise KeyError(words[0])


def run(command: Sequence[str]) -> str | None:
    """Run a tool; what it prints, or None where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def listing(ptx: str, chip: int, tools: Tools) -> str | None:
    """Assemble and disassemble; None where no tool takes it."""
    with TemporaryDirectory(prefix="expansion-") as folder:
        source, cubin = Path(folder, "a.ptx"), Path(folder, "a.cubin")
        source.write_text(ptx, encoding="utf-8")
        for ptxas in tools.ptxas:
            if run((ptxas, f"-arch=sm_{chip}", "-lineinfo", str(source), "-o", str(cubin))) is None:
                continue
            for nvdisasm in tools.nvdisasm:
                text = run((nvdisasm, "-c", "-gp", str(cubin)))
                if text is not None:
                    return text
    return None


def measure(some: Sequence[Form], chip: int, tools: Tools) -> dict[str, Measured]:
    """Measure forms on one chip; those that it does not have are left out."""
    version = next(v for below, v in _PTX_VERSIONS if chip <= below)
    rows = [f".version {version}", f".target sm_{chip}", ".address_size 64", *_VARIABLES]
    first_line: dict[str, int] = {}
    for number, form in enumerate(some):
        for prefix, with_operation in (("k", True), ("b", False)):
            text, first = kernel_text(f"{prefix}{number}", form, with_operation=with_operation)
            if with_operation:
                first_line[form.key] = "\n".join(rows).count("\n") + 2 + first
            rows.append(text)
    found = listing("\n".join(rows), chip, tools)
    if found is None:
        half = len(some) // 2
        return measure(some[:half], chip, tools) | measure(some[half:], chip, tools) if half else {}
    functions = read_listing(found)
    measured = {}
    for number, form in enumerate(some):
        pair = functions[f"k{number}"], functions[f"b{number}"]
        try:
            measured[form.key] = _measured(form, *pair, first_line[form.key])
        except ValueError as error:
            print(f"sm_{chip} {form.key}: {error}", file=sys.stderr)
    return measured


def _measured(
    form: Form, function: MachineFunction, without: MachineFunction, first: int
) -> Measured:
    """Take the copy in the middle by size; where lines do not tell, the difference of all."""
    path, other = usual_path(function), usual_path(without)
    copies = [
        [i for i in path if i.line == first + copy and (form.is_whole or _is_its_own(i))]
        for copy in range(form.copies)
    ]
    loaded = form.copies * sum(name.startswith(_RESULTS) for name in form.operands)
    stray = len(path) - len(other) + loaded - sum(map(len, copies))
    by_size = sorted(copies, key=len)
    one_for_all = form.is_whole or not form.has_sources  # what the copies share stands with one
    middle = by_size[-1 if one_for_all else form.copies // 2]
    has_others = not form.operands  # with nothing before them, lines have the kernel's start
    if any(i.is_call for i in path) or has_others or (stray >= form.copies and not middle):
        return Measured(_difference(path, other, form.copies), stray)
    return Measured(tuple(middle), stray)


def _is_its_own(instruction: MachineInstruction) -> bool:
    return not _NOT_ITS_OWN.match(instruction.text)


def _difference(
    path: Sequence[MachineInstruction], other: Sequence[MachineInstruction], copies: int
) -> tuple[MachineInstruction, ...]:
    """What one copy adds to a path: of each opcode the difference, shared by the copies."""
    example = {i.opcode: i for i in (*other, *path)}
    count = Counter(i.opcode for i in path if _is_its_own(i))
    count.subtract(i.opcode for i in other if _is_its_own(i))
    return tuple(example[name] for name, n in count.items() for _ in range(round(n / copies)))


def mix_of(instructions: Iterable[MachineInstruction]) -> dict[str, int]:
    """Count machine instructions by unit."""
    return dict(sorted(Counter(map(unit_of, instructions)).items()))


def mix_text(mix: Mapping[str, int]) -> str:
    """Write a mix as the table does."""
    return ", ".join(f"{unit} {n}" for unit, n in mix.items()) or "free"


def table_line(key: str, by_chip: Mapping[int, str]) -> str:
    """Write a line: a chip stands there where it differs from the one before."""
    parts, before = [], None
    for chip, text in sorted(by_chip.items()):
        if text != before:
            parts.append(f'sm_{chip} = "{text}"')
        before = text
    return f'"{key}" = {{ {", ".join(parts)} }}'


def renewed(table: str, measured: Mapping[str, Mapping[int, str]]) -> str:
    """Put what was measured into the text of the table; new keys end the section ``expansions``.

    Chips that were not measured keep what they have.
    """
    left = dict(measured)
    old = tomllib.loads(table)["expansions"]
    head, section, rest = table.partition("[expansions]\n")
    lines, blank, rest = rest.partition("\n\n")
    rows = []
    for row in lines.splitlines():
        key = row.partition('" = {')[0].removeprefix('"')
        is_new = row.startswith('"') and key in left
        rows.append(table_line(key, _by_chip(old[key]) | left.pop(key)) if is_new else row)
    rows += (table_line(*line) for line in left.items())
    return head + section + "\n".join(rows) + blank + rest


def _by_chip(line: Mapping[str, str]) -> dict[int, str]:
    """What a line says of each chip, as of the newest one in it that is not newer."""
    starts = [(int(chip.removeprefix("sm_")), text) for chip, text in line.items()]
    return {chip: text for chip in CHIPS for start, text in starts if start <= chip}


def main() -> None:
    """Measure, print the table's lines and write them where that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ptxas", nargs="+", required=True)
    parser.add_argument("--nvdisasm", nargs="+", required=True)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("keys", nargs="*")
    options = parser.parse_args()
    tools = Tools(tuple(options.ptxas), tuple(options.nvdisasm))
    wanted = [f for f in forms() if not options.keys or f.key in options.keys]
    by_key: dict[str, dict[int, str]] = {form.key: {} for form in wanted}
    for chip in CHIPS:
        some = [form for form in wanted if form.since <= chip]
        for start in range(0, len(some), CHUNK):
            for key, one in measure(some[start : start + CHUNK], chip, tools).items():
                by_key[key][chip] = mix_text(mix_of(one.instructions))
                if one.stray:
                    print(f"sm_{chip} {key}: {one.stray} stray", file=sys.stderr)
        print(f"sm_{chip}: {sum(chip in line for line in by_key.values())} forms", file=sys.stderr)
    found = {key: by_chip for key, by_chip in by_key.items() if by_chip}
    print("\n".join(table_line(key, by_chip) for key, by_chip in found.items()))
    if options.write:
        wholes = {form.key for form in wanted if form.is_whole}
        lines = {key: by_chip for key, by_chip in found.items() if key not in wholes}
        TABLE.write_text(renewed(TABLE.read_text(encoding="utf-8"), lines), encoding="utf-8")


if __name__ == "__main__":
    main()
