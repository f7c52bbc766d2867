"""LLVM in a process of its own: modules come on standard input, answers go to standard output.

LLVM may abort on a malformed file, which ends this process and not the one that asked. It imports
llvmlite and nothing of warpmill, and is run by path. It says ``ready`` once. A request is a line
with a task, the module's length in bytes and the bytes of memory that may be taken, then the
module. The tasks: ``print`` bitcode; of a module in text ``check`` it (the answer is a JSON object:
each function with a body, and its instructions), ``reprint`` it, or ``promote`` its stack slots.
An answer is a line with a code and a length, then the text (code 0) or the reason for none (1: it
cannot be read, 2: the verifier refuses it).
"""

import json
import resource
import signal
import sys

import llvmlite.binding as llvm

DONE, UNREADABLE, INVALID = 0, 1, 2


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
        module.verify()
        return DONE, _done(task, module).encode()
    except (RuntimeError, UnicodeError, MemoryError) as error:
        return INVALID, _reason(error)


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
