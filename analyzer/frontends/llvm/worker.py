"""LLVM in a process of its own: modules come on standard input, answers go to standard output.

LLVM may abort on a malformed file, which ends this process and not the one that asked. It imports
llvmlite and nothing of warpmill, and is run by path. It says ``ready`` once. A request is a line
with a task, the module's length in bytes and the bytes of memory that may be taken, then the
module. The tasks: ``print`` bitcode; of a module in text ``check`` it (the answer is a JSON object:
each function with a body, and its instructions), ``reprint`` it, or ``promote`` its stack slots.
An answer is a line with a code and a length, then the text (code 0) or the reason for none (1: it
cannot be read, 2: the verifier refuses it).

Intrinsics of targets change their types from one version of LLVM to the next, and not all of them
are upgraded as they are read. One with the types of an older version is an ordinary function while
the module is verified and worked on; the answer has its name again.
"""

import json
import re
import resource
import signal
import sys

import llvmlite.binding as llvm

DONE, UNREADABLE, INVALID = 0, 1, 2
_PLAIN = "llvm_of_before."
_MISTYPED = re.compile(
    r"^Intrinsic has incorrect (?:argument|return) type!\nptr @(llvm\.[-\w.$]+)$", re.MULTILINE
)
_OLDER = re.compile(
    r"""declare\ (?:
      ptr\ addrspace\(8\)\ @llvm\.amdgcn\.make\.buffer\.rsrc\.[^(]*
        \(ptr[^,]*,\ i16[^,]*,\ i32[^,]*,\ i32[^,]*\)                           # to LLVM 21
    | float\ @llvm\.amdgcn\.fdot2\.f32\.bf16\(<2\ x\ i16>[^,]*,\ <2\ x\ i16>.*   # to 18
    | void\ @llvm\.amdgcn\.s\.barrier\.(?:init|signal\.var|join)\(i32.*         # to 19
    | i1\ @llvm\.amdgcn\.s\.barrier\.leave\(\)                                  # to 19
    | i16\ @llvm\.nvvm\.f2bf16\.r[nz](?:\.relu)?\(float.*                       # to 15
    | i32\ @llvm\.nvvm\.ff2bf16x2\.r[nz](?:\.relu)?\(float[^,]*,\ float.*       # to 15
    | i64\ @llvm\.nvvm\.match\.any\.sync\.i64\(i32[^,]*,\ i64.*                # to 16
    )""",
    re.VERBOSE,
)
"""Declarations that an older LLVM has, and that this one neither upgrades nor takes."""
_DECLARED = re.compile(rf"^declare .*@{_PLAIN}.*$", re.MULTILINE)


def main() -> None:
    """Do one task after the other until there are no more; Ctrl-C is for the one that asks."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    sys.stdout.buffer.write(b"ready\n")
    sys.stdout.buffer.flush()
    while line := sys.stdin.buffer.readline():
        task, length, memory = line.decode().split()
        allowed = int(memory) if hard == resource.RLIM_INFINITY else min(int(memory), hard)
        resource.setrlimit(resource.RLIMIT_AS, (allowed, hard))
        code, answer = _answer(task, sys.stdin.buffer.read(int(length)))
        sys.stdout.buffer.write(f"{code} {len(answer)}\n".encode() + answer)
        sys.stdout.buffer.flush()


def _answer(task: str, data: bytes) -> tuple[int, bytes]:
    try:
        module = _read(task, data)
    except (RuntimeError, UnicodeError, MemoryError) as error:
        return UNREADABLE, _reason(error)
    try:
        module, names = _verified(module)
        return DONE, _named_again(_done(task, module), names).encode()
    except (RuntimeError, UnicodeError, MemoryError) as error:
        return INVALID, _reason(error)


def _verified(module: llvm.ModuleRef) -> tuple[llvm.ModuleRef, list[str]]:
    """The module, and the names of the intrinsics in it that had to become ordinary functions."""
    try:
        module.verify()
    except RuntimeError as error:
        found = dict.fromkeys(_MISTYPED.findall(str(error)))
        names = [name for name in found if _OLDER.search(str(module.get_function(name)))]
        if len(names) < max(1, len(found)):
            raise
    else:
        return module, []
    text = str(module)
    for name in names:
        text = text.replace(f"@{name}(", f"@{_plain(name)}(")
    text = _DECLARED.sub(lambda line: line[0].replace(" immarg", ""), text)
    module = llvm.parse_assembly(text, llvm.create_context())
    module.verify()
    return module, names


def _plain(name: str) -> str:
    return name.replace("llvm.", _PLAIN, 1)


def _named_again(answer: str, names: list[str]) -> str:
    for name in names:
        answer = answer.replace(f"@{_plain(name)}(", f"@{name}(")
    return answer


def _reason(error: Exception) -> bytes:
    words = "out of memory" if isinstance(error, MemoryError) else str(error)
    return words.encode("utf-8", "replace")


def _read(task: str, data: bytes) -> llvm.ModuleRef:
    """Read a module into a context of its own: names of types do not meet those of others."""
    context = llvm.create_context()
    if task == "print":
        return llvm.parse_bitcode(data, context)
    return llvm.parse_assembly(data.decode(), context)


def _done(task: str, module: llvm.ModuleRef) -> str:
    if task == "check":
        return json.dumps({f.name: _count(f) for f in module.functions if not f.is_declaration})
    if task == "promote":
        _promote(module)
    return str(module)


def _count(function: llvm.ValueRef) -> int:
    return sum(1 for block in function.blocks for _ in block.instructions)


def _promote(module: llvm.ModuleRef) -> None:
    """Run ``sroa``: stack slots that only hold values go away."""
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    builder = llvm.create_pass_builder(_machine(module), llvm.create_pipeline_tuning_options())
    passes.run(module, builder)


def _machine(module: llvm.ModuleRef) -> llvm.TargetMachine:
    """The module's own target; where LLVM has none for it, this machine's will do for ``sroa``."""
    llvm.initialize_all_targets()
    try:
        target = llvm.Target.from_triple(module.triple)
    except RuntimeError:
        target = llvm.Target.from_default_triple()
    return target.create_target_machine()


if __name__ == "__main__":
    main()
