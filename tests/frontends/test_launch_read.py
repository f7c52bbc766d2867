import pytest

from warpmill.analyzer.base.diagnostics import InputError, Span, UsageError
from warpmill.analyzer.launch import (
    Arange,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    FromFile,
    Normal,
    NullArgument,
    Permutation,
    RefArgument,
    ScalarArgument,
    StructArgument,
    TextureArgument,
    Uniform,
    Zeros,
    load_launches,
)

DESIGN = """\
[sizes]
n = 1000
half = "n / 2"
[[launch]]
module = "hotspot.ptx"
kernel = "hotspot"
grid   = ["ceil(n / 16)", "ceil(half / 16)"]
block  = [16, 16]
shared = "4 * half"
symbols = { filter = { buffer = "f32", shape = [225], init = { normal = [0, 1] }, seed = 1 } }
args   = [
  { buffer = "f32", shape = ["n", "n"], init = { uniform = [0, 1] }, seed = 7, name = "A" },
  { texture = "f32", shape = ["n", "n"], filter = "linear", init = { file = "temp.npy" } },
  { i32 = "n" }, { f32 = 0.5 }, { f64 = "1 / 4" }, { bool = true },
  { ref = "A", offset = "half" }, { null = true },
  { struct = [ { i8 = -1 }, { f64 = 2 }, { ref = "A" }, { u16 = 0xFFFF } ] },
]
"""
HEAD = '[sizes]\nn = 1024\n[[launch]]\nmodule = "a.ptx"\ngrid = [1]\nblock = [32]\n'


@pytest.fixture
def load(tmp_path):
    for name in ("a.ptx", "hotspot.ptx", "temp.npy"):
        (tmp_path / name).write_bytes(b"")

    def load(text, sizes=None):
        (tmp_path / "launch.toml").write_text(text, encoding="utf-8")
        return load_launches(tmp_path / "launch.toml", sizes)

    return load


def problems(load, text):
    with pytest.raises(InputError) as caught:
        load(text)
    return [(d.span.line, d.span.column, d.message, d.hint) for d in caught.value.diagnostics]


def test_the_designs_example(load, tmp_path):
    (launch,) = load(DESIGN)
    assert (launch.kernel, launch.name) == ("hotspot", "hotspot")
    assert launch.module == tmp_path / "hotspot.ptx"
    assert (launch.grid, launch.block) == ((63, 32, 1), (16, 16, 1))
    assert (launch.cta_count, launch.threads_per_cta) == (63 * 32, 256)
    assert launch.dynamic_shared_bytes == 2000
    assert launch.sizes == (("n", 1000), ("half", 500))
    a = BufferArgument("f32", (1000, 1000), Uniform(0, 1), 7, "A")
    assert launch.symbols == (("filter", BufferArgument("f32", (225,), Normal(0, 1), 1)),)
    texture = TextureArgument("f32", (1000, 1000), FromFile(tmp_path / "temp.npy"), filter="linear")
    assert launch.arguments == (
        a,
        texture,
        ScalarArgument("i32", 1000),
        ScalarArgument("f32", 0.5),
        ScalarArgument("f64", 0.25),
        ScalarArgument("bool", 1),
        RefArgument(a, 2000),
        NullArgument(),
        StructArgument(
            (
                ScalarArgument("i8", -1),
                ScalarArgument("f64", 2.0),
                RefArgument(a),
                ScalarArgument("u16", 0xFFFF),
            )
        ),
    )
    assert launch.arguments[8].offsets == (0, 8, 16, 24)
    assert launch.arguments[8].size_bytes == 32
    assert launch.buffer_bytes == 225 * 4 + 2 * 4_000_000
    assert launch.span("grid", 1) == Span(7, 27, 44)
    assert launch.span("args", 2) == Span(14, 3, 16)


@pytest.mark.parametrize(
    ("written", "init"),
    [
        ('"zeros"', Zeros()),
        ("{ zeros = true }", Zeros()),
        ("{ constant = 3 }", Constant(3)),
        ("{ constant = '2 * n' }", Constant(2048)),
        ('"arange"', Arange(0, 1)),
        ("{ arange = [5, -1] }", Arange(5, -1)),
        ("{ uniform = [0, 'n'] }", Uniform(0, 1024)),
        ('"permutation"', Permutation()),
        (
            '{ csr = "col_idx", rows = 2, columns = "n", nnz_per_row = 4 }',
            Csr(CsrPart.COL_IDX, 2, 1024, 4),
        ),
    ],
)
def test_initialisers(load, written, init):
    (launch,) = load(f'{HEAD}args = [{{ buffer = "i32", shape = [8], init = {written} }}]')
    assert launch.arguments[0].init == init


def test_infinities_are_numbers(load):
    (launch,) = load(f"{HEAD}args = [{{ f32 = -inf }}, {{ f64 = inf }}]")
    assert [a.value for a in launch.arguments] == [-float("inf"), float("inf")]


def test_an_initialiser_left_out_is_zeros(load):
    assert load(f'{HEAD}args = [{{ buffer = "i32", shape = [8] }}]')[0].arguments[0].init == Zeros()


def test_sizes_can_be_replaced_and_what_rests_on_them_follows(load):
    (launch,) = load(DESIGN, {"n": "64 * 5"})
    assert (launch.grid, launch.dynamic_shared_bytes) == ((20, 10, 1), 640)
    assert load(DESIGN, {"half": 16})[0].grid == (63, 1, 1)


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"m": 1}, "the launch file has no size `m`"),
        ({"n": "2 +"}, "size `n` = `2 \\+`: the expression ends"),
        ({"n": "1 << 70"}, "does not belong here"),
        ({"n": "half"}, "`half` is not defined"),
        ({"n": 1 << 70}, "does not fit 64 bits"),
    ],
)
def test_a_replacement_that_cannot_be_used_is_a_usage_error(load, sizes, words):
    with pytest.raises(UsageError, match=words):
        load(DESIGN, sizes)


def test_one_buffer_can_serve_several_launches(load):
    second = HEAD.split("n = 1024\n")[1] + 'args = [{ ref = "A" }]\n'
    first, later = load(HEAD + 'args = [{ buffer = "i32", shape = [8], name = "A" }]\n' + second)
    assert later.arguments[0].buffer == first.arguments[0]


def test_a_new_buffer_can_be_passed_from_an_element_on(load):
    made = '{ buffer = "i32", shape = [8], name = "A", offset = "n / 256" }'
    (launch,) = load(HEAD + f'args = [{made}, {{ ref = "A" }}]\n')
    passed, whole = launch.arguments
    assert (passed.offset_bytes, whole.offset_bytes) == (16, 0)
    assert passed.buffer == whole.buffer == BufferArgument("i32", (8,), name="A")


KINDS = "buffer, texture, struct, ref, null, i8, i16, i32, i64, u8, u16, u32, u64"


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("krenel = 'k'", (7, 1, "unknown key `krenel`", "did you mean `kernel`?")),
        ("kernel = 3", (7, 10, "`kernel` must be text, not an integer", None)),
        ("shared = '4 * m'", (7, 15, "`m` is not defined", "names known here: n")),
        ("shared = -1", (7, 10, "the value must be at least 0, not -1", None)),
        ("args = [{ i32 = 'n / 3' }]", (7, 18, "the value is 341.3333333, not an integer", None)),
        ("args = [{ i23 = 1 }]", (7, 11, "unknown kind of argument `i23`", "did you mean `i32`?")),
        ("args = [\n{ i32 = 1 }, { } ]", (8, 14, "the argument is empty", None)),
        ("args = [{ u8 = 256 }]", (7, 16, "the value must be at most 255, not 256", None)),
        ("args = [{ i32 = true }]", (7, 17, "an integer or an expression is needed here", None)),
        ("args = [{ f32 = true }]", (7, 17, "a number or an expression is needed here", None)),
        ("args = [{ bool = 2 }]", (7, 18, "the value must be at most 1, not 2", None)),
        ("args = [{ u32 = -1 }]", (7, 17, "the value must be at least 0, not -1", None)),
        ("args = [{ f16 = 1e6 }]", (7, 17, "1000000.0 does not fit f16", None)),
        ("args = [{ f64 = 1e400 }]", (7, 17, "the value is too large for a floating-point", None)),
        (
            f"args = [{{ f64 = {'9' * 400} }}]",
            (7, 17, "the value is too large for a floating-point", None),
        ),
        (
            f"args = [{{ f64 = '{'9' * 400} / 7' }}]",
            (7, 17, "the value is too large for a floating-point", None),
        ),
        (
            "args = [{ buffer = 'f64', shape = [9], init = { arange = [0, 1e308] } }]",
            (7, 47, "the last element is not finite", None),
        ),
        ("args = [{ f32 = 'n', seed = 1 }]", (7, 22, "unknown key `seed` in a number", None)),
        ("args = [{ i32 = 1.0 }]", (7, 17, "an integer or an expression is needed here", None)),
        (
            "args = [{ buffer = 'f23', shape = [1] }]",
            (7, 20, "`buffer` must be 'i8', 'i16'", "did you mean `f32`"),
        ),
        ("args = [{ buffer = 'f32' }]", (7, 9, "`shape` is missing in `args[0]`", None)),
        (
            "args = [{ buffer = 'f32', shape = ['n', 0] }]",
            (7, 41, "the value must be at least 1, not 0", None),
        ),
        (
            "args = [{ buffer = 'f32', shape = [0x1000000, 0x1000000] }]",
            (7, 35, "the buffer has 2^48 elements or more", None),
        ),
        (
            "args = [{ buffer = 'f64', shape = [0x800000000000] }]",
            (7, 8, "the buffers of the launch take 2^48 bytes or more", None),
        ),
        (
            "args = [{ buffer = 'f32', shape = [8], init = 'zeroes' }]",
            (7, 47, "unknown initialiser `zeroes`", "did you mean `zeros`?"),
        ),
        (
            "args = [{ buffer = 'f32', shape = [8], init = { unifrom = [0, 1] } }]",
            (7, 49, "unknown initialiser `unifrom`", "did you mean `uniform`"),
        ),
        (
            "args = [{ buffer = 'f32', shape = [8], init = 'normal' }]",
            (7, 47, "`normal` needs values", "write { normal = [mean, standard deviation] }"),
        ),
        (
            "args = [{ buffer = 'f32', shape = [8], init = { uniform = [1] } }]",
            (7, 59, "2 numbers are needed here", None),
        ),
        (
            "args = [{ buffer = 'u8', shape = [8], init = { constant = 300 } }]",
            (7, 46, "300 does not fit u8", None),
        ),
        (
            "args = [{ buffer = 'i32', shape = [8], init = { normal = [0, 1] } }]",
            (7, 47, "a normal distribution needs a floating-point type, not i32", None),
        ),
        (
            "args = [{ buffer = 'u8', shape = ['n'], init = 'permutation' }]",
            (7, 48, "1023 does not fit u8", None),
        ),
        (
            "args = [\n{ buffer = 'i32', shape = [8],"
            " init = { csr = 'row_ptr', rows = 8, columns = 8, nnz_per_row = 2 } }]",
            (8, 39, "`row_ptr` of this matrix has 9 elements, the buffer 8", None),
        ),
        (
            "args = [{ buffer = 'i32', shape = [8],"
            " init = { csr = 'row_ptr', rows = 7, nnz_per_row = 1 } }]",
            (7, 47, "`columns` is missing in `init`", None),
        ),
        (
            "args = [{ buffer = 'f32', shape = [8], init = { file = 'tmp.npy' } }]",
            (
                7,
                56,
                "there is no file `tmp.npy` beside the launch file",
                "did you mean `temp.npy`?",
            ),
        ),
        (
            "args = [\n{ buffer = 'f32', shape = [8], name = 'A' },\n"
            "{ buffer = 'i32', shape = [8], name = 'A' } ]",
            (9, 39, "buffer `A` is already defined in line 8", 'to pass it again: { ref = "A" }'),
        ),
        (
            "args = [ { ref = 'd' },\n{ buffer = 'f32', shape = [8], name = 'd' } ]",
            (7, 18, "no buffer above is called `d`", "`d` stands below: say what it holds here"),
        ),
        (
            "args = [\n{ buffer = 'f32', shape = [8], name = 'Alpha' }, { ref = 'alpah' } ]",
            (8, 58, "no buffer above is called `alpah`", "did you mean `Alpha`?"),
        ),
        (
            "args = [\n{ buffer = 'f32', shape = [8], name = 'A' }, { ref = 'A', offset = 8 } ]",
            (8, 68, "the value must be at most 7, not 8", None),
        ),
        (
            "args = [\n{ buffer = 'f32', shape = [8], offset = 8 } ]",
            (8, 41, "the value must be at most 7, not 8", None),
        ),
        (
            "symbols = { s = { buffer = 'i8', shape = [9], offset = 1 } }",
            (7, 47, "a symbol is filled from its first element; it has no offset", None),
        ),
        ("args = [{ null = false }]", (7, 18, "`null` must be true", None)),
        (
            "args = [{ struct = [ { i8 = 1 }, { struct = [] } ] }]",
            (7, 34, "a struct holds numbers, buffers and addresses", None),
        ),
        (
            "symbols = { s = { buffer = 'i8', shape = [1], name = 'x' } }",
            (7, 47, "a symbol has its variable's name and no other", None),
        ),
    ],
)
def test_what_is_wrong_in_a_launch_is_told_at_its_place(load, lines, expected):
    ((line, column, message, hint),) = problems(load, HEAD + lines)
    assert (line, column) == expected[:2]
    assert message.startswith(expected[2])
    assert expected[3] is None or hint.startswith(expected[3])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD.replace("[1]", "[4, 0]"), (5, 12, "the value must be at least 1, not 0")),
        (HEAD.replace("[1]", "['n - n']"), (5, 9, "the value must be at least 1, not 0")),
        (HEAD.replace("[1]", "['nn']"), (5, 10, "`nn` is not defined")),
        (HEAD.replace("[1]", "['1/n/2']"), (5, 10, "the value is 0.00048828125, not an integer")),
        (HEAD.replace("[1]", "[]"), (5, 8, "`grid` must have 1 or more elements, not 0")),
        (HEAD.replace("[1]", "[1, 2, 3, 4]"), (5, 8, "`grid` must have at most 3 elements, not 4")),
        (HEAD.replace("grid = [1]", ""), (3, 3, "`grid` is missing in `launch[0]`")),
        (
            HEAD.replace("a.ptx", "b.ptx"),
            (4, 10, "there is no file `b.ptx` beside the launch file"),
        ),
        (HEAD.replace("a.ptx", "a.cu"), (4, 10, "a module is one of .ptx, .ll, .bc")),
        (HEAD.replace("a.ptx", "x" * 9999 + ".ptx"), (4, 10, "there is no file `xxx")),
        (HEAD.replace("1024", "'m + 1'\nm = 2"), (2, 6, "`m` is not defined")),
        (HEAD.replace("1024", "0x8000_0000_0000_0000"), (2, 5, "the value must be at most 9223")),
        (HEAD.replace("n = 1024", "'a-b' = 2"), (2, 1, "the name of a size is made of letters")),
        (
            HEAD.replace("n = 1024", "n = 1.5"),
            (2, 5, "`n` must be an integer or text, not a float"),
        ),
        ("sizes = 3", (1, 1, "`launch` is missing")),
        ("launch = []", (1, 10, "`launch` must have 1 or more elements, not 0")),
    ],
)
def test_what_is_wrong_elsewhere_is_told_at_its_place(load, text, expected):
    found = [p for p in problems(load, text) if p[:2] == expected[:2]]
    assert found
    assert found[0][2].startswith(expected[2])


def test_all_problems_of_a_file_are_told_at_once(load):
    text = HEAD.replace("[1]", "[0]").replace("[32]", "['m']") + "args = [{ i8 = 1 }, { i8 = 999 }]"
    assert [p[:2] for p in problems(load, text)] == [(5, 9), (6, 11), (7, 28)]


def test_a_missing_launch_file_names_its_neighbours(load, tmp_path):
    load(HEAD)
    with pytest.raises(InputError, match=r"no such file\n.*did you mean `launch\.toml`"):
        load_launches(tmp_path / "lauch.toml")
    with pytest.raises(InputError, match="cannot read the file"):
        load_launches(tmp_path)


def test_one_size_needs_no_brackets(load):
    args = '[{ buffer = "f32", shape = "n" }, { texture = "f32", shape = 8 }]'
    text = HEAD.replace("[1]", '"n / 32"').replace("[32]", "32") + f"args = {args}\n"
    (launch,) = load(text)
    assert (launch.grid, launch.block) == ((32, 1, 1), (32, 1, 1))
    assert [a.shape for a in launch.arguments] == [(1024,), (8,)]
    (problem,) = problems(load, text.replace("block = 32", "block = 0"))
    assert "the value must be at least 1, not 0" in problem


def test_random_arrays_of_a_launch_differ_without_seeds(load):
    def array(init, more="", kind="buffer"):
        return f'{{ {kind} = "f32", shape = [64], init = {init}{more} }}'

    uniform, csr = (
        "{ uniform = [0, 1] }",
        '{ csr = "values", rows = 8, columns = 9, nnz_per_row = 8 }',
    )
    parts = [array(uniform), f"{{ struct = [{array(uniform)}] }}", array(csr), array(csr)]
    parts += [array(uniform, kind="texture"), array(uniform, ", seed = 0")]
    text = HEAD + f"symbols = {{ s = {array(uniform)} }}\nargs = [{', '.join(parts)}]\n"
    (launch,) = load(text)
    first, struct, *others = launch.arguments
    seeds = [first.seed, struct.fields[0].seed, *(each.seed for each in others)]
    assert seeds == [0, 1, 0, 0, 4, 0]
    assert launch.symbols[0][1].seed == 6
