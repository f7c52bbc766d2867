"""Rebuild the samples' artefacts with the compilers found, or check the committed ones.

    python samples/build.py                  rebuild every sample and workload
    python samples/build.py matmul reduce    rebuild these two
    python samples/build.py workloads/bfs    rebuild a workload
    python samples/build.py --check          compare hashes; needs no compiler

Triton is asked for in the Python that runs this, or in the one that WARPMILL_TRITON_PYTHON names.

RECIPES and SAMPLES below say what is built from what, the workload.toml of a workload what its
modules are built from.  A sample is built in a temporary copy of all sources, with the relative
command lines that artefacts.json records, so that no path of the machine reaches an artefact; the
results replace the committed files once all of them are there.  An artefact whose compiler is
missing keeps its file and its entry.

What a workload's module for sm_80 gives with another `.target` is not kept: its entry is, with the
hash of what the compiler wrote, which --check compares with the text that takes its place
(`warpmill.session.workloads.kept_text`).  A module of more than LONG lines is packed.

Exit codes: 0 done, 1 --check found a difference or a compiler failed, 2 bad usage.
"""

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from pathlib import Path

from warpmill.session.workload_runs import entry_lines
from warpmill.session.workloads import DEFAULT_BUILD, PACKED, kept_text, own_text, text_for_the_chip

ROOT = Path(__file__).resolve().parent
RECORD = "artefacts.json"
LONG = 1500
ENTRY_KEYS = {"command", "compiler", "sha256", "sources"}
HEADER = "../common/cuda_words.h"

# ---------------------------------------------------------------- what is built from what

# Names under which a compiler is looked for on PATH, the first found wins.
TOOLS = {"nvcc": ("nvcc",), "clang": ("clang-22", "clang"), "ptxas": ("ptxas",)}
# Triton is a package of a Python, which runs the script that compiles with it.
TRITON_PYTHON = "WARPMILL_TRITON_PYTHON"
TRITON_VERSION = "import importlib.metadata as m; print('Triton', m.version('triton'))"
TRITON_SCRIPT = "../../common/triton_ptx.py"

# `--cuda-path=.` hides an installed CUDA toolkit, whose version clang would otherwise write into
# the module; `+ptx70` is the oldest PTX version that knows sm_80.
CLANG_TARGET = "--cuda-path=. --cuda-feature=+ptx70"
CLANG_CUDA = (
    f"-x cuda --cuda-device-only --cuda-gpu-arch=sm_80 {CLANG_TARGET}"
    " -nocudainc -nocudalib -nostdinc -fuse-cuid=none"
)
CLANG_OPENCL = (
    f"-x cl --target=nvptx64-nvidia-cuda -march=sm_80 {CLANG_TARGET}"
    " -nogpulib -Xclang -finclude-default-header"
)
CLANG_AMD = (
    "-x cl --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -Xclang -finclude-default-header"
)
# The IR is optimised already: only the code generator runs, so that both show the same loops.
CLANG_PTX = (
    f"--target=nvptx64-nvidia-cuda -march=sm_80 {CLANG_TARGET} -O2 -Xclang -disable-llvm-passes -S"
)


@dataclass(frozen=True)
class Recipe:
    """One artefact: `{name}` is the sample, `{clang}` and `{nvcc}` its further flags."""

    artefact: str
    tool: str
    arguments: str
    sources: tuple[str, ...]  # the first is compiled, the others are included
    architectures: tuple[str, ...] = ("sm_80", "sm_86", "sm_89", "sm_90")  # that ptxas is asked for


def clang_ir(suffix, source, language, level, *included):
    """Return the two recipes for a module: as bitcode (.bc), and as text (.ll)."""
    flags = f"{language} {level}{{clang}} -emit-llvm"
    sources = (source, *included)
    return (
        Recipe(f"{{name}}{suffix}.bc", "clang", f"{flags} -c", sources),
        Recipe(f"{{name}}{suffix}.ll", "clang", f"{flags} -S", sources),
    )


NVCC = Recipe("{name}.sm_80.ptx", "nvcc", "-O3 -arch=compute_80{nvcc} -ptx", ("{name}.cu", HEADER))
PTX_FROM_LL = Recipe("{name}.sm_80.clang.ptx", "clang", CLANG_PTX, ("{name}.ll",))
PTX_FROM_BC = Recipe("{name}.sm_80.clang.ptx", "clang", CLANG_PTX, ("{name}.bc",))
BITCODE, TEXT = clang_ir("", "{name}.cu", CLANG_CUDA, "-O2", HEADER)
UNOPTIMISED = clang_ir(".O0", "{name}.cu", CLANG_CUDA, "-O0", HEADER)
OPENCL, _ = clang_ir(".opencl", "{name}.cl", CLANG_OPENCL, "-O2")
AMD, _ = clang_ir(".gfx90a", "{name}.cl", CLANG_AMD, "-O2")  # a warp of 64 lanes

# LLVM reads bitcode and text as the same module: the text of some is kept, for people to read.
PLAIN = (NVCC, BITCODE, OPENCL, PTX_FROM_BC)
WITH_TEXT = (NVCC, BITCODE, TEXT, OPENCL, PTX_FROM_LL)
SAMPLES = {
    "binomial": PLAIN,
    "bitonic": PLAIN,
    "lud": WITH_TEXT,
    "matmul": (*WITH_TEXT, *UNOPTIMISED),
    "nw": PLAIN,
    "reduce": (*WITH_TEXT, AMD),
    "scan": PLAIN,
    "spmv": PLAIN,
    "stencil5": WITH_TEXT,
    "transpose": PLAIN,
    "trisolve": (*WITH_TEXT, *UNOPTIMISED),
    "vecadd": WITH_TEXT,
}


@dataclass(frozen=True)
class Flags:
    """What a sample adds to the command lines of its compilers."""

    clang: str = ""
    nvcc: str = ""


# Line tables join what is counted to the lines of the source.
LINES = " -gline-tables-only -fdebug-compilation-dir=."
# clang leaves these loops as the source has them; nvcc unrolls as it likes.
LOOPS_AS_WRITTEN = Flags(clang=f" -fno-unroll-loops{LINES}", nvcc=" -lineinfo")
FLAGS = {
    "binomial": LOOPS_AS_WRITTEN,
    "bitonic": LOOPS_AS_WRITTEN,
    "lud": LOOPS_AS_WRITTEN,
    "nw": LOOPS_AS_WRITTEN,
    "scan": LOOPS_AS_WRITTEN,
    "stencil5": Flags(clang=LINES),
    "trisolve": LOOPS_AS_WRITTEN,
}

# nvcc makes a PTX file of a workload's module for each of these; ptxas is asked for the chips.
WORKLOAD_PTX = {"sm_75": ("sm_75",), "sm_80": ("sm_80", "sm_86", "sm_89"), "sm_90": ("sm_90",)}
WORKLOADS = "workloads"


@dataclass(frozen=True)
class Step:
    """A recipe filled in for one sample."""

    artefact: str
    tool: str
    arguments: tuple[str, ...]
    sources: tuple[str, ...]
    architectures: tuple[str, ...]


def names_of_all():
    """Name every sample, and every workload as `workloads/NAME`."""
    found = sorted(path.parent.name for path in (ROOT / WORKLOADS).glob("*/workload.toml"))
    return [*SAMPLES, *(f"{WORKLOADS}/{name}" for name in found)]


def steps_of(name):
    """List the steps of a sample in an order in which each finds its sources."""
    if name.startswith(f"{WORKLOADS}/"):
        yield from workload_steps(ROOT / name)
        return
    more = FLAGS.get(name, Flags())
    for recipe in SAMPLES[name]:
        yield filled_in(recipe, name, more)


def workload_steps(home):
    """List the steps of a workload, by the `[[module]]` tables of its workload.toml."""
    form = tomllib.loads((home / "workload.toml").read_text())
    wanted = form.get("architectures", WORKLOAD_PTX)
    for module in form["module"]:
        name, source = module["name"], module.get("source", module["name"])
        if module.get("triton", False):
            yield from triton_steps(name, source, wanted)
            continue
        included = tuple(module.get("includes", ()))
        defines = "".join(f" -D{one}" for one in module.get("defines", ()))
        flags = Flags(clang=defines + LINES, nvcc=defines + " -lineinfo")
        for virtual, real in ((v, r) for v, r in WORKLOAD_PTX.items() if v in wanted):
            arguments = f"-O3 -arch={virtual.replace('sm', 'compute')}{{nvcc}} -ptx"
            sources = (f"{source}.cu", *included)
            ptx = Recipe(f"{{name}}.{virtual}.ptx", "nvcc", arguments, sources, real)
            yield filled_in(ptx, name, flags)
        if module.get("opencl", False):
            bitcode, _ = clang_ir(".opencl", f"{source}.cl", CLANG_OPENCL, "-O2")
            yield filled_in(bitcode, name, flags)


def triton_steps(name, source, wanted):
    """List the steps of a module of Triton's: its PTX, and beside it what a launch needs."""
    sources = (f"{source}.py", TRITON_SCRIPT)
    for virtual, real in ((v, r) for v, r in WORKLOAD_PTX.items() if v in wanted):
        arguments = f"{TRITON_SCRIPT} {name} {virtual}"
        for suffix in ("ptx", "launch.json"):
            made = Recipe(f"{{name}}.{virtual}.{suffix}", "triton", arguments, sources, real)
            yield filled_in(made, name, Flags())


def filled_in(recipe, name, more):
    """Fill a recipe in for a sample or a module of a workload."""
    artefact = recipe.artefact.format(name=name)
    sources = tuple(source.format(name=name) for source in recipe.sources)
    flags = recipe.arguments.format(clang=more.clang, nvcc=more.nvcc).split()
    arguments = (*flags, sources[0], "-o", artefact)
    return Step(artefact, recipe.tool, arguments, sources, recipe.architectures)


# ---------------------------------------------------------------- compilers


@dataclass(frozen=True)
class Tool:
    """A compiler that was found."""

    name: str
    path: str
    version: str


class CompilerError(Exception):
    """A compiler was found, but did not do its work."""


class RecordError(Exception):
    """An artefacts.json that cannot be read."""


def find_tools():
    """Find the tools by their key in TOOLS; name a missing one on stderr and leave it out."""
    found = {}
    for key, names in TOOLS.items():
        name = next((name for name in names if shutil.which(name)), None)
        if name is None:
            print(f"{' / '.join(names)}: not found; what it makes stays as it is", file=sys.stderr)
            continue
        path = shutil.which(name)
        found[key] = Tool(name, path, version_line(run([path, "--version"], ROOT).stdout))
    return found | find_triton()


def find_triton():
    """Find a Python that has Triton; say so on stderr where there is none."""
    python = os.environ.get(TRITON_PYTHON, sys.executable)
    try:
        version = run([python, "-c", TRITON_VERSION], ROOT).stdout.strip()
    except (CompilerError, OSError):
        words = f"triton: not found in {python}; {TRITON_PYTHON} may name another Python"
        print(f"{words}. What it makes stays as it is", file=sys.stderr)
        return {}
    return {"triton": Tool("python", python, version)}


def version_line(text):
    """Pick the line of `--version` that carries the version number."""
    numbered = (line.strip() for line in text.splitlines() if re.search(r"\d+\.\d+", line))
    return next(numbered, "unknown")


def run(command, folder):
    """Run a compiler in a folder; its words go into the error when it fails."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompilerError(f"{' '.join(command)}: exit code {done.returncode}\n{done.stderr}")
    return done


# ---------------------------------------------------------------- ptxas

ENTRY = re.compile(r"Compiling entry function '(?P<kernel>[^']+)' for '(?P<architecture>[^']+)'")
FACTS = {
    "barriers": re.compile(r"used (\d+) barriers"),
    "constant_bytes": re.compile(r"(\d+) bytes cmem\[\d+\]"),  # over all constant banks
    "registers": re.compile(r"Used (\d+) registers"),
    "shared_bytes": re.compile(r"(\d+) bytes smem"),
    "spill_load_bytes": re.compile(r"(\d+) bytes spill loads"),
    "spill_store_bytes": re.compile(r"(\d+) bytes spill stores"),
    "stack_frame_bytes": re.compile(r"(\d+) bytes stack frame"),
}
# ptxas leaves shared memory out where there is none; any other fact left out is unknown (null),
# as the constant banks are from sm_90 on.
WHEN_LEFT_OUT = {"shared_bytes": 0}


def ptxas_facts(tool, artefact, folder, architectures):
    """Ask `ptxas -v` about each kernel of a PTX file, for each architecture."""
    kernels = {}
    for architecture in architectures:
        command = [tool.path, "-v", f"-arch={architecture}", artefact, "-o", "discarded.cubin"]
        parts = iter(ENTRY.split(run(command, folder).stderr)[1:])
        for kernel, compiled_for, text in zip(parts, parts, parts, strict=True):
            kernels.setdefault(kernel, {})[compiled_for] = facts_in(text)
    return {
        "command": f"{tool.name} -v -arch=ARCH {artefact} -o discarded.cubin",
        "compiler": tool.version,
        "kernels": kernels,
    }


def facts_in(text):
    """Read the facts of one kernel off what `ptxas -v` prints of it."""
    numbers = {key: [int(number) for number in rule.findall(text)] for key, rule in FACTS.items()}
    return {key: sum(found) if found else WHEN_LEFT_OUT.get(key) for key, found in numbers.items()}


# ---------------------------------------------------------------- build

# Nothing is built from a committed artefact.
MADE = ("*.ptx", f"*.ptx{PACKED}", "*.ll", "*.bc", "*.launch.json", "__pycache__")
STRINGS = re.compile(rb"\.section\s+\.debug_str\s*\{[^}]*\}")
HASH_IN_NAME = re.compile(rb"(?<=_INTERNAL_)[0-9a-f]{8}(?=_)|(?<=_cu_)[0-9a-f]{8}(?=\d)")
TOOLKIT_HEADER = re.compile(rb'(\.file\s+\d+ ")/[^"\n]*/include/')


def build(name, tools):
    """Build one sample in a temporary copy, then publish the artefacts and their record."""
    home = ROOT / name
    old = read_record(home)
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / ROOT.name
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*MADE))
        folder = copy / name
        record = {}
        for step in steps_of(name):
            entry = build_step(step, tools, folder, old.get(step.artefact))
            if entry:
                record[step.artefact] = entry
        changed = [
            artefact
            for artefact in record
            if (folder / artefact).exists() and publish_artefact(home / artefact, folder / artefact)
        ]
    if publish(home / RECORD, to_json(record)):
        changed.append(RECORD)
    print(f"{name}: {', '.join(changed) if changed else 'unchanged'}")


def build_step(step, tools, folder, old_entry):
    """Build one artefact in `folder`; its entry for the record, the old one without a compiler."""
    tool = tools.get(step.tool)
    if tool is None:
        return old_entry
    (folder / step.artefact).unlink(missing_ok=True)
    run([tool.path, *step.arguments], folder)
    forget_folder(folder / step.artefact, folder)
    entry = {
        "command": " ".join((tool.name, *step.arguments)),
        "compiler": tool.version,
        "sha256": sha256(folder / step.artefact),
        "sources": {source: sha256(folder / source) for source in step.sources},
    }
    if not step.artefact.endswith(".ptx"):
        return entry
    if "ptxas" in tools:
        entry["ptxas"] = ptxas_facts(tools["ptxas"], step.artefact, folder, step.architectures)
    elif old_entry and old_entry.get("sha256") == entry["sha256"] and "ptxas" in old_entry:
        entry["ptxas"] = old_entry["ptxas"]
    else:
        print(f"{step.artefact}: new content without ptxas facts", file=sys.stderr)
    return entry


def forget_folder(artefact, folder):
    """Make the paths in a PTX file relative: nvcc's line tables hold whole paths.

    Those of the toolkit's headers begin at its `include`.
    """
    if artefact.suffix == ".ptx":
        here = f"{folder.resolve()}{os.sep}".encode()
        above = [f"{parent.resolve()}{os.sep}".encode() for parent in folder.parents]
        text = artefact.read_bytes().replace(here, b"")
        for depth, folder_above in enumerate(above[: folder.parts[::-1].index(ROOT.name)]):
            text = text.replace(folder_above, b"../" * (depth + 1))
        text = TOOLKIT_HEADER.sub(rb"\1include/", text)
        artefact.write_bytes(STRINGS.sub(forget_hashes, text))


def forget_hashes(section):
    """Take out of a section of strings what nvcc makes anew in each run.

    It calls functions of the toolkit's headers by names with hashes in them, which their lines
    refer to. The strings are numbers, a byte each; zeros take the hashes' place.
    """
    numbers = list(re.finditer(rb"(?<=[ ,])\d+(?=[,\n])", section[0]))
    plain = bytes(int(number[0]) for number in numbers)
    clean = HASH_IN_NAME.sub(b"0" * 8, plain)
    text, end = bytearray(), 0
    for number, value in zip(numbers, clean, strict=True):
        text += section[0][end : number.start()] + b"%d" % value
        end = number.end()
    return bytes(text + section[0][end:])


def publish_artefact(path, made):
    """Keep what was made plain, packed or not at all; say whether anything changed."""
    content = made.read_bytes()
    packed = path.with_name(path.name + PACKED)
    kept = None if is_given(made) else packed if is_long(path, content) else path
    gone = [one for one in (path, packed) if one != kept and one.exists()]
    for one in gone:
        one.unlink()
    if kept is None or (kept == packed and own_text(path) == content.decode()):
        return bool(gone)  # what was packed by another version of the library stays as it is
    return publish(kept, gzip.compress(content, mtime=0) if kept == packed else content)


def is_given(artefact):
    """Tell whether the artefact for sm_80 gives this one, which then is not kept."""
    other = text_for_the_chip(artefact)
    return other is not None and other.encode() == artefact.read_bytes()


def is_long(path, content):
    """Tell whether a module of a workload is kept packed: launch files name those of samples."""
    of_workload = path.parent.parent.name == WORKLOADS
    return of_workload and path.suffix == ".ptx" and content.count(b"\n") > LONG


def publish(path, content):
    """Write a file whole or not at all; say whether anything changed."""
    if path.exists() and path.read_bytes() == content:
        return False
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    return True


def to_json(record):
    """Write the record as bytes that depend on its content only."""
    ordered = json.loads(json.dumps(record, sort_keys=True))
    return (entry_lines(ordered) + "\n").encode()


def read_record(home):
    """Read the record of a sample, by artefact; it is empty where there is none yet."""
    path = home / RECORD
    if not path.exists():
        return {}
    try:
        record = json.loads(path.read_bytes())
        if all(entry.keys() >= ENTRY_KEYS for entry in record.values()):
            return record
    except (AttributeError, ValueError):
        pass  # not JSON, or not an object of objects
    raise RecordError(f"{home.name}/{RECORD}: not a record of this script; mend or remove it")


def sha256(path):
    """Return the hash of a file, or of the text that is kept for it, in hexadecimal."""
    text = None if path.exists() else kept_text(path)
    content = path.read_bytes() if text is None else text.encode()
    return hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- check


def differences(name):
    """Say what is wrong with a sample's committed files, one sentence each."""
    home = ROOT / name
    record = read_record(home)
    steps = {step.artefact: step for step in steps_of(name)}
    for artefact in sorted(steps.keys() | record.keys()):
        if artefact not in record:
            yield f"{name}/{artefact}: not in {RECORD}"
        elif artefact not in steps:
            yield f"{name}/{artefact}: in {RECORD}, but no recipe builds it"
        else:
            yield from step_differences(home, steps[artefact], record[artefact])


def step_differences(home, step, entry):
    """Say what is wrong with one artefact, its sources and its recorded command line."""
    if tuple(entry["command"].split()[1:]) != step.arguments:
        yield f"{home.name}/{step.artefact}: built with another command line than the recipe's"
    if set(entry["sources"]) != set(step.sources):
        yield f"{home.name}/{step.artefact}: built from other sources than the recipe's"
    yield from doubles(home, step.artefact)
    for file, expected in [(step.artefact, entry["sha256"]), *entry["sources"].items()]:
        path = home / file
        if not path.exists() and kept_text(path) is None:
            yield f"{home.name}/{file}: missing"
        elif sha256(path) != expected:
            yield f"{home.name}/{file}: differs from the one recorded for {step.artefact}"


def doubles(home, artefact):
    """Say which files of an artefact need not be kept."""
    path = home / artefact
    own = own_text(path) if path.suffix in {".ptx", ".json"} else None
    if own is not None and own == text_for_the_chip(path):
        yield f"{home.name}/{artefact}: kept, though the one for {DEFAULT_BUILD} gives it"
    elif path.exists() and is_long(path, path.read_bytes()):
        yield f"{home.name}/{artefact}: more than {LONG} lines, and not packed"
    elif path.exists() and path.with_name(path.name + PACKED).exists():
        yield f"{home.name}/{artefact}: kept twice, plain and packed"


# ---------------------------------------------------------------- command line


def main():
    """Run the command line and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="SAMPLE", help="samples (default: all)")
    parser.add_argument(
        "--check",
        action="store_true",
        help="compare the committed files with their recorded hashes; build nothing",
    )
    arguments = parser.parse_args()
    there = names_of_all()
    unknown = [name for name in arguments.names if name not in there]
    if unknown:
        parser.error(f"no sample named {', '.join(unknown)}; there are {', '.join(there)}")
    names = arguments.names or there
    try:
        return check(names) if arguments.check else build_all(names)
    except (CompilerError, RecordError) as problem:
        print(problem, file=sys.stderr)
        return 1


def check(names):
    """Print every difference of these samples."""
    found = [difference for name in names for difference in differences(name)]
    for difference in found:
        print(difference)
    print(f"{len(names)} samples checked, {len(found)} differences")
    return 1 if found else 0


def build_all(names):
    """Build these samples with the compilers found."""
    tools = find_tools()
    for name in names:
        build(name, tools)
    return 0


if __name__ == "__main__":
    sys.exit(main())
