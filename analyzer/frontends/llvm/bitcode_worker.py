"""Turns bitcode on standard input into text on standard output, in a process of its own.

LLVM may abort on a malformed file, which ends this process and not the one that asked. It imports
llvmlite and nothing of warpmill, and is run by path. Exit code 1: the message on standard error.
"""

import resource
import sys

import llvmlite.binding as llvm

_MEMORY_BYTES = 8 << 30


def main() -> int:
    """Read, verify, print."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, resource.RLIM_INFINITY))
    try:
        module = llvm.parse_bitcode(sys.stdin.buffer.read())
        module.verify()
        text = str(module)
    except (RuntimeError, UnicodeDecodeError) as error:
        sys.stderr.write(str(error))
        return 1
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
