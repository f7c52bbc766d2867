"""CPU time of ``analyze`` over kernels of compilers and over kernels that grow in one direction.

``grown()`` makes the kernels that grow, ``analyze_times(files)`` measures: the CPU time
in this process that reading one kernel, all its analyses and its report as text and JSON take.
What is read in pure Python is measured, so the first kernel of a process pays for imports: a small
one goes before.
"""

import gc
import math
import tempfile
import time
from dataclasses import replace
from pathlib import Path

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
ENTRY = ".visible .entry grown(.param .u64 .ptr .global a, .param .u32 n)\n{\n"
START = (
    ".reg .pred %p<{p}>;\n.reg .b32 %r<{r}>;\n.reg .b64 %d<{d}>;\n.reg .f32 %f<{f}>;\n"
    "ld.param.u64 %d1, [a];\nld.param.u32 %r1, [n];\nmov.u32 %r2, %tid.x;\n"
    "mul.wide.u32 %d2, %r2, 4;\nadd.s64 %d3, %d1, %d2;\n"
)
LAUNCH_THREADS = 128
MOST_ELEMENTS = 1 << 20


def kernel(body, functions="", *, r=16, f=8):
    """A module whose kernel has a body, with so many registers for integers and floats."""
    start = START.format(p=8, r=r, d=8, f=f)
    return f"{HEAD}{functions}{ENTRY}{start}" + "\n".join(body) + "\nret;\n}\n"


def straight_line(n):
    """A kernel with n products in one block."""
    body = [f"ld.global.f32 %f{i}, [%d3+{i * 4096}];" for i in range(32)]
    body += [
        f"fma.rn.f32 %f{i % 32}, %f{(i * 7 + 3) % 32}, %f{(i * 5 + 1) % 32}, %f{i % 32};"
        for i in range(n)
    ]
    body += [f"st.global.f32 [%d3+{i * 4096}], %f{i};" for i in range(32)]
    return kernel(body, f=32)


def joins(n):
    """A kernel with n branches that join, each deciding the next."""
    body = ["ld.global.u32 %r3, [%d3];"]
    for i in range(n):
        body += [
            f"setp.lt.s32 %p1, %r3, %r2;\n@%p1 bra A{i};",
            f"add.s32 %r3, %r3, {i + 3};\nxor.b32 %r2, %r2, %r3;\nbra.uni B{i};",
            f"A{i}:\nsub.s32 %r3, %r2, {i + 5};\nB{i}:",
        ]
    return kernel([*body, "st.global.u32 [%d3], %r3;"])


def returns(n):
    """A kernel with n branches to the end."""
    body = ["ld.global.u32 %r3, [%d3];"]
    for i in range(n):
        body += [
            f"setp.eq.s32 %p1, %r3, {i};\n@%p1 bra END;",
            f"ld.global.u32 %r4, [%d3+{4 * i + 4}];\nadd.s32 %r3, %r3, %r4;",
        ]
    return kernel([*body, "st.global.u32 [%d3], %r3;\nEND:"])


def nested_loops(n):
    """A kernel with n loops, each in the one before."""
    body = [f"mov.u32 %r{i + 4}, 0;\nL{i}:" for i in range(n)]
    body += ["ld.global.u32 %r3, [%d3];"]
    body += [
        f"add.s32 %r{i + 4}, %r{i + 4}, 1;\nsetp.lt.s32 %p1, %r{i + 4}, 2;\n@%p1 bra L{i};"
        for i in reversed(range(n))
    ]
    return kernel(body, r=n + 8)


def deep_starts(n, operations=20):
    """A kernel with n loops in each other, each from so many operations on the counter around."""
    body = ["ld.global.u32 %r3, [%d3];"]
    for i in range(n):
        body += [f"mov.u32 %r{i + 8}, %r3;\nL{i}:\nmov.u32 %r3, %r{i + 8};"]
        body += [
            f"xor.b32 %r3, %r3, {9 * i + k};\nadd.s32 %r3, %r3, %r2;" for k in range(operations)
        ]
    body += ["st.global.u32 [%d3], %r3;"]
    for i in reversed(range(n)):
        body += [
            f"add.s32 %r{i + 8}, %r{i + 8}, 1;\nsetp.lt.s32 %p1, %r{i + 8}, 9999;\n@%p1 bra L{i};"
        ]
    return kernel(body, r=n + 8)


def loops_in_a_row(n):
    """A kernel with n loops one after the other, each as long as an argument says."""
    body = ["ld.global.u32 %r3, [%d3];"]
    for i in range(n):
        body += [
            f"mov.u32 %r4, 0;\nL{i}:\nadd.s32 %r3, %r3, %r4;\nadd.s32 %r4, %r4, 1;",
            f"setp.lt.s32 %p1, %r4, %r1;\n@%p1 bra L{i};",
        ]
    return kernel([*body, "st.global.u32 [%d3], %r3;"])


def switch_cases(n):
    """A branch to one of n cases."""
    names = ", ".join(f"C{i}" for i in range(n))
    body = ["ld.global.u32 %r3, [%d3];", f"T: .branchtargets {names};", "brx.idx %r3, T;"]
    body += [f"C{i}:\nadd.s32 %r4, %r2, {i};\nbra.uni END;" for i in range(n)]
    return kernel([*body, "END:\nst.global.u32 [%d3], %r4;"])


def calls(n):
    """A kernel with n calls of one function."""
    function = (
        ".func (.reg .b32 %o) f(.reg .b32 %i)\n{\n.reg .pred %q;\nsetp.gt.s32 %q, %i, 7;\n"
        "@%q bra E;\nadd.s32 %i, %i, 3;\nE:\nmul.lo.s32 %o, %i, %i;\nret;\n}\n"
    )
    body = ["ld.global.u32 %r3, [%d3];"]
    body += ["call (%r3), f, (%r3);"] * n
    return kernel([*body, "st.global.u32 [%d3], %r3;"], function)


def functions(n):
    """A kernel with n functions, each calling the one before."""
    made = ".func f0()\n{\nret;\n}\n"
    made += "".join(f".func f{i}()\n{{\ncall f{i - 1}, ();\nret;\n}}\n" for i in range(1, n))
    return kernel([f"call f{n - 1}, ();"], made)


def deep_sum(n):
    """A sum of n loads as one expression."""
    body = ["mov.u32 %r3, 0;"]
    body += [f"ld.global.u32 %r4, [%d3+{4 * i}];\nadd.s32 %r3, %r3, %r4;" for i in range(n)]
    return kernel([*body, *_used("%r3")])


def deep_operations(n):
    """A kernel with n operations on the two values before: shared parts double."""
    body = ["mov.u32 %r3, %r1;\nmov.u32 %r4, %r2;"]
    body += ["xor.b32 %r5, %r3, %r4;\nmov.u32 %r4, %r3;\nmov.u32 %r3, %r5;"] * n
    return kernel([*body, *_used("%r3")])


def products(n):
    """A kernel with n squares of a sum: polynomials whose powers grow."""
    body = ["mov.u32 %r3, %r2;"]
    body += ["add.s32 %r4, %r3, %r1;\nmul.lo.s32 %r3, %r4, %r4;"] * n
    return kernel([*body, *_used("%r3")])


def divisions(n):
    """A kernel with n divisions by 35, each of the remainder before, and n conditions."""
    body = ["mov.u32 %r9, 0;\nmov.u32 %r4, %r2;"]
    for i in range(n):
        body += [
            "add.s32 %r4, %r4, 128;\nmul.hi.s32 %r5, %r4, -368140053;\nadd.s32 %r6, %r5, %r4;",
            "shr.u32 %r7, %r6, 31;\nshr.s32 %r8, %r6, 5;\nadd.s32 %r8, %r8, %r7;",
            "mul.lo.s32 %r10, %r8, 35;\nsub.s32 %r4, %r4, %r10;\nadd.s32 %r9, %r9, %r8;",
            f"setp.gt.s32 %p1, %r9, 127;\n@%p1 bra S{i};",
            "mul.wide.s32 %d4, %r9, 4;\nadd.s64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r4;",
            f"S{i}:",
        ]
    return kernel(body)


def predicated(n):
    """A kernel with n instructions that a predicate guards."""
    body = ["setp.lt.s32 %p1, %r2, %r1;\nmov.u32 %r3, 0;"]
    body += [
        f"@%p1 ld.global.u32 %r4, [%d3+{4 * i}];\n@%p1 add.s32 %r3, %r3, %r4;" for i in range(n)
    ]
    return kernel([*body, *_used("%r3")])


def shared_phis(n):
    """A kernel with n values that one branch chooses, all of them used behind it."""
    body = [
        "setp.lt.s32 %p1, %r2, %r1;\n@%p1 bra A;",
        *(f"add.s32 %r{i + 8}, %r2, {i};" for i in range(n)),
        "bra.uni B;\nA:",
        *(f"mul.lo.s32 %r{i + 8}, %r1, {i};" for i in range(n)),
        "B:\nmov.u32 %r3, 0;",
        *(f"add.s32 %r3, %r3, %r{i + 8};" for i in range(n)),
    ]
    return kernel([*body, *_used("%r3")], r=n + 8)


def many_ways(n):
    """A value that n ways set, each behind a condition of its own."""
    body = ["mov.u32 %r3, 0;"]
    for i in range(n):
        body += [f"setp.eq.s32 %p1, %r2, {i};\n@%p1 bra A{i};"]
    body += ["bra.uni END;"]
    body += [f"A{i}:\nadd.s32 %r3, %r1, {i};\nbra.uni END;" for i in range(n)]
    return kernel([*body, "END:", *_used("%r3")])


def conditions(n):
    """A kernel with n comparisons joined by and, or and exclusive or, with branches upon them."""
    body = ["setp.lt.s32 %p1, %r2, %r1;"]
    for i in range(n):
        word = ("and", "or", "xor")[i % 3]
        body += [f"setp.ne.s32 %p2, %r2, {i};\n{word}.pred %p1, %p1, %p2;"]
        body += [f"@%p1 bra S{i};\nst.global.u32 [%d3+{4 * i}], %r2;\nS{i}:"] * (i % 8 == 0)
    return kernel([*body, "@%p1 bra E;\nst.global.u32 [%d3], %r2;\nE:"])


def exclusives(n):
    """A kernel with n predicates, each the exclusive or of the two before, and branches."""
    body = ["setp.lt.s32 %p0, %r2, %r1;\nsetp.lt.s32 %p1, %r1, 7;"]
    for i in range(n):
        made = f"%p{(i + 2) % 3}"
        body += [f"xor.pred {made}, %p{i % 3}, %p{(i + 1) % 3};"]
        body += [f"@{made} bra S{i};\nst.global.u32 [%d3+{4 * i}], %r2;\nS{i}:"] * (i % 8 == 0)
    return kernel([*body, f"@%p{(n + 1) % 3} bra E;\nst.global.u32 [%d3], %r2;\nE:"])


def short_circuits(n):
    """A kernel with n tests of ``a && b && c`` of a value that the test before changes."""
    body = ["ld.global.u32 %r3, [%d3];"]
    for i in range(n):
        body += [
            f"setp.lt.s32 %p1, %r3, %r1;\nmov.pred %p2, 0;\n@!%p1 bra E{i};",
            f"setp.ne.s32 %p3, %r2, {i};\n@!%p3 bra E{i};\nsetp.gt.s32 %p2, %r1, {i};\nE{i}:",
            f"@!%p2 bra N{i};\nadd.s32 %r3, %r3, {i};\nN{i}:",
        ]
    return kernel([*body, "st.global.u32 [%d3], %r3;"])


def accesses(n):
    """A kernel with n accesses of memory in a loop, loads and stores in turn."""
    body = ["mov.u32 %r3, 0;\nL:"]
    for i in range(n):
        body += [
            f"mad.lo.s32 %r4, %r3, {i + 1}, %r2;\nmul.wide.s32 %d4, %r4, 4;",
            "add.s64 %d4, %d1, %d4;",
            "ld.global.u32 %r5, [%d4];" if i % 2 else "st.global.u32 [%d4], %r5;",
        ]
    body += ["add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 16;\n@%p1 bra L;"]
    return kernel(["mov.u32 %r5, 0;", *body])


def carried(n):
    """A kernel with n values that a loop carries, each made from the one beside it."""
    body = [f"mov.u32 %r{i + 8}, {i};" for i in range(n)]
    body += ["mov.u32 %r3, 0;\nL:"]
    body += [f"add.s32 %r{i + 8}, %r{i + 8}, %r{(i + 1) % n + 8};" for i in range(n)]
    body += ["add.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;"]
    return kernel([*body, "st.global.u32 [%d3], %r8;"], r=n + 8)


def rotated(n):
    """A kernel with n values that a loop carries and hands on, each to the one before."""
    body = [f"mov.u32 %r{i + 8}, {i};" for i in range(n)]
    body += ["mov.u32 %r3, 0;\nL:\nmov.u32 %r4, %r8;"]
    body += [f"mov.u32 %r{i + 8}, %r{i + 9};" for i in range(n - 1)]
    body += [f"mov.u32 %r{n + 7}, %r4;\nadd.s32 %r3, %r3, 1;"]
    body += ["setp.lt.s32 %p1, %r3, %r1;\n@%p1 bra L;"]
    return kernel([*body, "st.global.u32 [%d3], %r8;"], r=n + 8)


def nested_pointers(n):
    """A kernel with n loops, each in the one before, that all move one pointer on."""
    body = [f"mov.u32 %r{i + 4}, 0;\nL{i}:" for i in range(n)]
    body += ["ld.global.u32 %r3, [%d3];"]
    body += [
        f"add.s64 %d3, %d3, 4;\nadd.s32 %r{i + 4}, %r{i + 4}, 1;\n"
        f"setp.lt.s32 %p1, %r{i + 4}, 2;\n@%p1 bra L{i};"
        for i in reversed(range(n))
    ]
    return kernel(body, r=n + 8)


def triangular_loops(n):
    """A kernel with n loops, each in the one before and as long as that one's counter says."""
    body = [f"mov.u32 %r{i + 4}, 0;\nL{i}:" for i in range(n)]
    body += ["ld.global.u32 %r3, [%d3];"]
    body += [
        f"add.s32 %r{i + 4}, %r{i + 4}, 1;\nsetp.le.s32 %p1, %r{i + 4}, "
        f"{f'%r{i + 3}' if i else 3};\n@%p1 bra L{i};"
        for i in reversed(range(n))
    ]
    return kernel(body, r=n + 8)


def chosen(n):
    """A kernel with n values chosen by predicates, each of two that were chosen before."""
    body = ["mov.u32 %r3, %r1;\nmov.u32 %r4, %r2;"]
    for i in range(n):
        body += [
            f"setp.gt.s32 %p1, %r3, {i};\nselp.b32 %r5, %r3, %r4, %p1;",
            "min.s32 %r4, %r3, %r4;\nadd.s32 %r3, %r5, 1;",
        ]
    return kernel([*body, *_used("%r3")])


def barriers(n):
    """A kernel with n stores to shared memory, barriers and loads."""
    body = [".shared .align 4 .b8 s[4096];\nmov.u32 %r3, s;\nshl.b32 %r4, %r2, 2;"]
    body += ["add.s32 %r5, %r3, %r4;\nld.global.u32 %r6, [%d3];"]
    for _ in range(n):
        body += ["st.shared.u32 [%r5], %r6;\nbar.sync 0;\nld.shared.u32 %r7, [%r5+4];"]
        body += ["bar.sync 0;\nadd.s32 %r6, %r6, %r7;"]
    return kernel([*body, "st.global.u32 [%d3], %r6;"])


def _used(register):
    """Use a value as a condition and as an address."""
    return [
        f"setp.gt.s32 %p7, {register}, 127;\n@%p7 bra USED;\nmul.wide.s32 %d4, {register}, 4;",
        "add.s64 %d5, %d1, %d4;\nst.global.u32 [%d5], %r2;\nUSED:",
    ]


GROWTHS = {
    straight_line: 8000,
    joins: 400,
    returns: 400,
    nested_loops: 100,
    deep_starts: 16,
    loops_in_a_row: 200,
    switch_cases: 400,
    calls: 200,
    functions: 400,
    deep_sum: 800,
    deep_operations: 400,
    products: 40,
    divisions: 64,
    predicated: 800,
    shared_phis: 1000,
    many_ways: 300,
    exclusives: 600,
    conditions: 400,
    short_circuits: 200,
    accesses: 400,
    carried: 300,
    rotated: 300,
    nested_pointers: 100,
    triangular_loops: 24,
    chosen: 200,
    barriers: 400,
}
"""What grows, with a size as the largest kernels of compilers have it."""


def grown(share=1.0):
    """Kernels that grow in one direction: pairs of a name and a text in PTX."""
    sized = {make: max(1, int(n * share)) for make, n in GROWTHS.items()}
    return [(f"{make.__name__}-{n}", make(n)) for make, n in sized.items()]


def analyze_times(files):
    """Yield the name of each kernel of some files, and the CPU seconds of its ``analyze``.

    Each kernel is analyzed without and with a launch. Files that cannot be read, and launches that
    an argument of another kind would be needed for, give no time.
    """
    from warpmill.analyzer.base.diagnostics import WarpmillError  # noqa: PLC0415
    from warpmill.analyzer.frontends.load import kernel_names  # noqa: PLC0415

    for file in files:
        try:
            names = kernel_names(file)
        except WarpmillError:
            continue
        for name in names:
            for words, launched in (("", False), (" with a launch", True)):
                seconds = timed(file, name, launched=launched)
                if seconds is not None:
                    yield f"{file.name} {name}{words}", seconds


def grown_times(share=1.0):
    """Yield the names of kernels that grow with the CPU seconds of their analyses."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in grown(share):
            path = Path(folder, f"{name}.ptx")
            path.write_text(text)
            yield from analyze_times([path])


def all_times(files, share=1.0):
    """The CPU seconds of each analysis by name: of compilers' kernels, and of those that grow.

    A kernel goes before that is not counted, for what a process pays once.
    """
    list(grown_times(0))
    return dict([*analyze_times(files), *grown_times(share)])


def percentile(times, percent):
    """The percentile of some times by nearest rank; None of none."""
    ordered = sorted(times)
    return ordered[math.ceil(percent / 100 * len(ordered)) - 1] if ordered else None


def timed(file, name, *, launched=False):
    """The CPU seconds of one analysis; None where it is refused."""
    from warpmill.analyzer.base.diagnostics import WarpmillError  # noqa: PLC0415
    from warpmill.commands.analyze.result import analyze_report  # noqa: PLC0415
    from warpmill.report.page import Style  # noqa: PLC0415
    from warpmill.report.render import render  # noqa: PLC0415
    from warpmill.session.prepare import prepare  # noqa: PLC0415

    gc.collect()
    begin = time.process_time()
    try:
        job = prepare(file, name)
        if launched:
            job = replace(job, launch=a_launch(file, job))
        report = analyze_report((job,))
        for format_ in ("text", "json"):
            render(report, format_, Style(width=100))
    except WarpmillError:
        return None
    return time.process_time() - begin


def a_launch(file, job):
    """A launch of numbers of 64 and buffers of a million elements. InputError."""
    from warpmill.analyzer.launch import Launch, check_launch  # noqa: PLC0415
    from warpmill.analyzer.launch.model import (  # noqa: PLC0415
        ELEMENT_TYPES,
        BufferArgument,
        ScalarArgument,
    )

    arguments = []
    for parameter in job.kernel.parameters:
        if parameter.size_bytes == 8:
            arguments.append(BufferArgument("f32", (MOST_ELEMENTS,)))
        else:
            word = f"i{8 * parameter.size_bytes}"
            arguments.append(ScalarArgument(word if word in ELEMENT_TYPES else "i32", 64))
    block = job.kernel.bounds.required_threads or (LAUNCH_THREADS,)
    launch = Launch.of(file, job.kernel.name, grid=4, block=block, arguments=arguments)
    check_launch(launch, job.loaded.module, job.kernel)
    return launch
