"""LLVM in a process of its own: standard input is a module, standard output its text.

LLVM may abort on a malformed file, which ends this process and not the one that asked. It imports
llvmlite and nothing of warpmill, and is run by path. The first argument says what to do: ``print``
bitcode, or ``promote`` the stack slots of a module in text. Exit code 1: the reason is on standard
error.
"""

import resource
import sys

import llvmlite.binding as llvm

_MEMORY_BYTES = 8 << 30


def main(task: str) -> int:
    """Do the task; give the exit code."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.RLIM_INFINITY))
    data = sys.stdin.buffer.read()
    try:
        module = _read(task, data)
        module.verify()
        if task == "promote":
            _promote(module)
        text = str(module)
    except (RuntimeError, UnicodeError) as error:
        sys.stderr.write(str(error))
        return 1
    sys.stdout.buffer.write(text.encode())
    return 0


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
    sys.exit(main(sys.argv[1]))
