"""Instructions with other words than theirs: the executor has code that LLVM reads, or refuses."""

import random

import llvmlite.binding as llvm
import pytest

from tests.reference.ptx_check import statements
from tests.reference.ptx_forms import all_forms
from warpmill.analyzer.base.diagnostics import InputError, Source
from warpmill.analyzer.frontends import ptx
from warpmill.analyzer.ir.operation import decode, form_fault
from warpmill.executor import compile as compiling

WORDS = sorted({word for form in all_forms() for word in form.modifiers})
HEAD = ".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n"


class ReadOnly:
    """LLVM's text, read and not compiled."""

    def __init__(self, module):
        llvm.parse_assembly(module.shared_text({}))
        llvm.parse_assembly(module.text())


def mutated(form, rng):
    """Write a kernel of one statement, a word of whose opcode is left out, another or one more."""
    lines, declarations = statements([form])
    name, *parts = form.opcode.split(".")
    at = rng.randrange(len(parts) + 1)
    parts[at : at + rng.randrange(2)] = rng.sample(WORDS, rng.randrange(2))
    opcode = ".".join([name, *parts])
    body = "\n".join(lines).replace(f"{form.opcode} ", f"{opcode} ")
    return f"{HEAD}{declarations}\n{body}\nret;\n}}\n"


@pytest.mark.parametrize("seed", range(4))
def test_mutated_words_end_in_code_or_in_an_error_with_a_place(seed, monkeypatch):
    monkeypatch.setattr(compiling, "NativeCode", ReadOnly)
    rng = random.Random(seed)
    for form in rng.sample(all_forms(), 250):
        text = mutated(form, rng)
        try:
            module = ptx.parse(Source("k.ptx", text)).module
            compiling.compile_kernel(module, module.kernels[0])
        except InputError as error:
            assert all(d.span is not None for d in error.diagnostics), text


def test_no_form_lacks_what_its_operation_needs():
    """ptxas takes all of them."""
    assert [f.opcode for f in all_forms() if form_fault(decode(f.opcode))] == []


@pytest.mark.parametrize(
    ("opcode", "fault"),
    [
        ("fma.rn.ft32", "it has to name a data type"),
        ("vadd.s32.u32", "it has to name 3 data types"),
        ("setp.loc.s32", "it has to say one of .eq, .ne,"),
        ("shfl.sync.b32", "it has to say one of .up, .down, .bfly, .idx"),
    ],
)
def test_what_an_opcode_lacks_is_said(opcode, fault):
    assert form_fault(decode(opcode)).startswith(fault)
