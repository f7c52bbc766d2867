"""Everything around the instructions, read from ``ptx_inputs/forms.ptx``."""

from pathlib import Path

import pytest

from warpmill.analyzer.base.diagnostics import DebugLocation, Severity, Source, UsageError
from warpmill.analyzer.frontends.ptx import parse
from warpmill.analyzer.ir.kernel import Declaration, FloatImm, LaunchBounds, Symbol, Variable
from warpmill.analyzer.ir.printer import print_module
from warpmill.analyzer.ir.ptx_printer import print_ptx
from warpmill.analyzer.ir.reader import read_module
from warpmill.analyzer.ir.types import TYPES, Space
from warpmill.analyzer.ir.verifier import verify

PATH = Path(__file__).parent / "ptx_inputs" / "forms.ptx"


@pytest.fixture(scope="module")
def parsed():
    return parse(Source("forms.ptx", PATH.read_text()))


@pytest.fixture(scope="module")
def module(parsed):
    return parsed.module


@pytest.fixture(scope="module")
def variables(module) -> dict[str, Variable]:
    return {v.name: v for v in module.variables}


def test_the_preamble(module):
    assert (module.name, module.target, module.version) == ("forms.ptx", "sm_90", "9.0")
    assert (module.address_bits, module.warp_size) == (64, 32)
    assert module.debug_files == ("src/forms.cu", "include//inner.h")


def test_nothing_to_complain_about(parsed):
    assert parsed.diagnostics == ()
    assert verify(parsed.module) == ()


def test_the_module_survives_print_and_read(module):
    assert read_module(print_module(module), module.name) == module


def test_functions_kernels_and_declarations(module):
    assert [k.name for k in module.kernels] == ["forms"]
    assert [f.name for f in module.functions] == ["twice", "in_registers"]
    assert [(d.name, d.attributes) for d in module.declarations] == [("vprintf", ("extern",))]


def test_scalar_variables(variables):
    counter = variables["counter"]
    assert (counter.space, counter.type, counter.size_bytes) == (Space.GLOBAL, TYPES["u32"], 4)
    assert (counter.align, counter.shape, counter.initialiser) == (4, (), (7,))
    assert counter.attributes == ("visible",)
    assert (counter.span.line, counter.span.column) == (14, 1)
    assert (variables["a"].align, variables["a"].initialiser) == (4, None)
    assert (variables["b"].shape, variables["b"].initialiser) == ((2,), (1, 2))


def test_attributes(variables):
    assert variables["shared_with_host"].attributes == ("managed",)
    assert variables["sampler"].attributes == ("addr_mode_0=wrap", "filter_mode=nearest")
    assert variables["sampler"].initialiser is None


def test_a_dynamic_array_has_no_size(variables):
    dynamic = variables["dynamic"]
    assert (dynamic.size_bytes, dynamic.shape, dynamic.align) == (None, (None,), 16)
    assert dynamic.attributes == ("extern",)


def test_rows_that_are_not_full_are_filled_up(variables):
    weights = variables["weights"]
    assert weights.initialiser == (1.0, 2.5, 0.0, -1.0, 3.0, 4.0)
    assert (weights.shape, weights.size_bytes) == ((2, 3), 24)


def test_symbols_in_initialisers(variables):
    assert variables["pointers"].initialiser == (
        Symbol("counter"),
        Symbol("weights", 4),
        Symbol("weights", 8),
    )


def test_masked_bytes_of_an_address_become_one_symbol(variables):
    assert variables["address"].initialiser == (Symbol("counter"), 1, 2)


def test_a_vector_type_is_the_last_dimension(variables):
    quads = variables["quads"]
    assert (quads.shape, quads.size_bytes, quads.align) == ((2, 4), 32, 16)
    assert quads.attributes == ("common",)


def test_an_open_array_takes_its_size_from_the_initialiser(variables):
    letters = variables["letters"]
    assert letters.initialiser == (104, 0x69, 1, 15, -1, 3, 7)
    assert (letters.shape, letters.size_bytes) == ((7,), 7)


def test_kernel_parameters(module):
    output, structure, scale = module.kernel("forms").parameters
    assert (output.is_pointer, output.pointee_space, output.pointee_align) == (
        True,
        Space.GLOBAL,
        8,
    )
    assert (output.size_bytes, output.align, output.register) == (8, 8, None)
    assert (structure.type.name, structure.size_bytes, structure.align) == ("b8", 24, 8)
    assert (scale.is_pointer, scale.size_bytes) == (None, 4)


def test_launch_bounds_and_other_tuning(module):
    kernel = module.kernel("forms")
    assert kernel.bounds == LaunchBounds(max_threads=(128, 2, 1), min_ctas_per_sm=2)
    assert kernel.attributes == (
        "explicitcluster",
        "pragma=nounroll",
        "reqnctapercluster=2,1,1",
        "visible",
    )


@pytest.mark.parametrize(
    ("directives", "bounds"),
    [
        (".reqntid 32", LaunchBounds(required_threads=(32,))),
        (".maxnreg 40", LaunchBounds(max_registers=40)),
        (".maxclusterrank 8 .blocksareclusters", LaunchBounds()),
    ],
)
def test_each_bound_has_its_place(directives, bounds):
    text = f".version 8.0\n.target sm_80\n.entry k {directives}\n{{ ret; }}"
    assert parse(Source("k.ptx", text)).module.kernels[0].bounds == bounds


def test_returns_and_register_parameters(module):
    twice, in_registers = module.functions
    assert [(r.name, r.register) for r in twice.returns] == [("ret", None)]
    assert twice.attributes == ("noreturn",)
    assert [r.name for r in in_registers.registers] == ["%out", "%in", "%unused"]
    assert in_registers.returns[0].register.index == 0
    assert [p.register.index for p in in_registers.parameters] == [1, 2]


def test_variables_of_a_kernel(module):
    kernel = module.kernel("forms")
    assert [(v.name, v.space, v.size_bytes, v.align) for v in kernel.variables] == [
        ("tile", Space.SHARED, 64, 4),
        ("__local_depot0", Space.LOCAL, 32, 16),
    ]
    assert kernel.static_shared_bytes == 64


def test_debug_locations(module):
    first, *_, last = module.kernel("forms").instructions
    assert first.debug == DebugLocation("src/forms.cu", 10, 5)
    call = DebugLocation("src/forms.cu", 11, 7)
    assert last.debug == DebugLocation("include//inner.h", 3, 0, call)
    assert next(iter(module.functions[0].instructions)).debug is None


def test_decimals_take_the_type_of_the_instruction(module):
    store = list(module.kernel("forms").instructions)[-2]
    assert store.operands[1].elements[3] == FloatImm(0x3FC00000, TYPES["f32"])


def test_without_address_size_addresses_have_32_bits():
    text = ".version 1.4\n.target sm_10\n.entry k { ret; }"
    module = parse(Source("old.ptx", text)).module
    assert (module.address_bits, module.version, module.target) == (32, "1.4", "sm_10")


def test_newer_chips_have_64_bits_only():
    text = ".version 8.0\n.target sm_90a\n.entry k { ret; }"
    assert parse(Source("k.ptx", text)).module.address_bits == 64


TWO = """.version 8.0
.target sm_80
.func used() { call last; ret; }
.func last() { ret; }
.func unused() { frobnicate; ret; }
.global .u64 table[1] = {in_table};
.func in_table() { ret; }
.alias other, used;
.entry first() { call other; ret; }
.entry second() { frobnicate; ret; }
"""


def test_one_kernel_comes_with_what_it_may_call():
    parsed = parse(Source("two.ptx", TWO), "first")
    assert [k.name for k in parsed.module.kernels] == ["first"]
    assert [f.name for f in parsed.module.functions] == ["used", "last", "in_table"]
    assert parsed.diagnostics == ()
    call = next(iter(parsed.module.kernels[0].instructions))
    assert call.operands[1] == Symbol("used")


def test_a_kernel_that_is_not_there():
    with pytest.raises(UsageError, match=r"two\.ptx has no kernel `unused`; it has: first, second"):
        parse(Source("two.ptx", TWO), "unused")


def test_a_definition_replaces_a_declaration():
    text = """.version 8.0
.target sm_80
.extern .global .u32 x[];
.visible .global .u32 x[2];
.extern .global .u32 x[];
.func f();
.func f() { ret; }
"""
    module = parse(Source("x.ptx", text)).module
    assert [(v.name, v.size_bytes) for v in module.variables] == [("x", 8)]
    assert module.declarations == ()


def test_generic_is_a_name_where_it_is_no_operator():
    """As ptxas has it: of kernels and parameters, and of variables beside the operator."""
    text = """.version 8.0
.target sm_80
.address_size 64
.global .u32 generic;
.global .u64 table[3] = { generic(generic), generic (generic)+4, generic };
.visible .entry used(.param .u64 generic) { ret; }
.visible .entry generic(.param .u64 generic) { ret; }
"""
    module = parse(Source("x.ptx", text.replace("entry generic", "entry other"))).module
    table = module.variables[1].initialiser
    assert table == (Symbol("generic"), Symbol("generic", 4), Symbol("generic"))
    text = text.replace("generic;", "g;").replace("generic)", "g)").replace("generic }", "g }")
    assert [k.name for k in parse(Source("x.ptx", text)).module.kernels] == ["used", "generic"]


def test_long_initialisers_are_read():
    numbers = ", ".join(str(i) for i in range(20000))
    text = f".version 8.0\n.target sm_80\n.global .u32 x[20000] = {{{numbers}}};"
    variable = parse(Source("x.ptx", text)).module.variables[0]
    assert variable.initialiser == tuple(range(20000))


def test_crlf_and_a_byte_order_mark():
    text = "\ufeff" + TWO.replace("\n", "\r\n")
    assert len(parse(Source("two.ptx", text)).module.kernels) == 2


@pytest.mark.parametrize(
    ("version", "is_newer"), [("9.0", False), ("9.5", False), ("9.6", True), ("10.0", True)]
)
def test_a_newer_version_is_read_with_one_note(version, is_newer):
    text = f"// by hand\n.version {version}\n.target sm_80\n.entry k() {{ ret; }}"
    parsed = parse(Source("k.ptx", text))
    found = [(d.severity, *d.span, d.message) for d in parsed.diagnostics]
    message = f"PTX {version} is newer than 9.5, the newest that is known here"
    assert found == ([(Severity.NOTE, 2, 1, 10 + len(version), message)] if is_newer else [])
    assert parsed.module.version == version
    assert parsed == parse(Source("k.ptx", text), strict=True)


def test_an_alias_in_an_initialiser_means_the_function():
    text = """.version 8.0\n.target sm_80\n.address_size 64\n.func f() { ret; }\n.func g();
.alias g, f;\n.global .u64 x[3] = {1, g, f};\n.entry k() { ret; }"""
    (variable,) = parse(Source("k.ptx", text)).module.variables
    assert variable.initialiser == (1, Symbol("f"), Symbol("f"))


@pytest.mark.parametrize(
    "preamble",
    [
        '.version 9.0 .target sm_90 .address_size 64 .file 1 "x.cu"',
        '.version 9.0\n.target\nsm_90\n.address_size\n\t64\n.file 1\n"x.cu" , 12 ,\n34',
        '.version 9.0\n.target sm_90 // chip\n.address_size /* */ 64\n.file 1 "x.cu", 12, 34\n',
    ],
)
def test_directives_without_semicolons_end_where_they_end(preamble):
    module = parse(Source("k.ptx", f"{preamble} .visible .entry k() {{ ret; }}")).module
    assert (module.version, module.target, module.address_bits) == ("9.0", "sm_90", 64)
    assert module.debug_files == ("x.cu",)
    assert [k.name for k in module.kernels] == ["k"]


def test_each_pragma_of_a_header_is_kept_by_itself():
    words = '.pragma "nounroll", "frequency 4"; .explicitcluster'
    text = f".version 9.0\n.target sm_90\n.entry k() {words} {{ ret; }}"
    (kernel,) = parse(Source("k.ptx", text)).module.kernels
    assert kernel.attributes == ("explicitcluster", "pragma=frequency 4", "pragma=nounroll")


def test_what_else_a_module_says_of_itself_is_kept():
    text = """.version 8.0
.target sm_80, texmode_independent, debug
.address_size 64
.pragma "nounroll";
.func f() { ret; }
.func g();
.alias g, f;
.extern .func die() .noreturn;
.entry k() { .reg .pred %p; mov.pred %p, 1; L: .pragma "nounroll"; @%p bra L; ret; }
"""
    module = parse(Source("k.ptx", text)).module
    assert module.attributes == (
        *("target=texmode_independent", "target=debug"),
        *("pragma=nounroll", "alias=g=f"),
    )
    assert module.declarations == (Declaration("die", ("extern", "noreturn")),)
    assert [b.attributes for b in module.kernels[0].blocks] == [(), ("pragma=nounroll",), ()]
    again = parse(Source("k.ptx", print_ptx(module))).module
    assert again.attributes == tuple(a for a in module.attributes if a != "target=debug")
