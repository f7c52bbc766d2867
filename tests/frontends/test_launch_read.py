import pytest
from launch_inputs import HEAD

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


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD.replace("a.ptx", "x" * 9999 + ".ptx"), (4, 10, "there is no file `xxx")),
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
