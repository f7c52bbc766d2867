"""LLVM in a process of its own: modules come on standard input, their texts go to standard output.

LLVM may abort on a malformed file, which ends this process and not the one that asked. It imports
llvmlite and nothing of warpmill, and is run by path. A request is a line with a task and a length
in bytes, then the module: ``print`` bitcode, or ``promote`` the stack slots of a module in text. An
answer is a line with a code and a length, then the text (code 0) or the reason for none (1).
"""

import resource
import sys

import llvmlite.binding as llvm

_MEMORY_BYTES = 8 << 30


def main() -> None:
    """Do one task after the other until there are no more."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.RLIM_INFINITY))
    while line := sys.stdin.buffer.readline():
        task, length = line.decode().split()
        code, answer = _answer(task, sys.stdin.buffer.read(int(length)))
        sys.stdout.buffer.write(f"{code} {len(answer)}\n".encode() + answer)
        sys.stdout.buffer.flush()


def _answer(task: str, data: bytes) -> tuple[int, bytes]:
    try:
        module = _read(task, data)
        module.verify()
        if task == "promote":
            _promote(module)
        return 0, str(module).encode()
    except (RuntimeError, UnicodeError) as error:
        return 1, str(error).encode("utf-8", "replace")


def _read(task: str, data: bytes) -> llvm.ModuleRef:
    if task == "print":
        return llvm.parse_bitcode(data)
    return llvm.parse_assembly(data.decode())


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
