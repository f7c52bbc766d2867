import io
import itertools

import numpy as np
import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.analyzer.launch import (
    Arange,
    BufferArgument,
    Constant,
    Csr,
    CsrPart,
    FromFile,
    Normal,
    Permutation,
    TextureArgument,
    Uniform,
    Zeros,
)
from warpmill.analyzer.launch.buffers import materialise
from warpmill.analyzer.launch.model import ELEMENT_TYPES

INTEGERS = [t for t in ELEMENT_TYPES if t[0] in "iu"]


def make(element, shape, init, seed=3):
    return materialise(BufferArgument(element, shape, init, seed))


def bf16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


@pytest.mark.parametrize("element", ELEMENT_TYPES)
def test_every_type_has_its_storage_and_shape(element):
    array = make(element, (3, 4), Zeros())
    type_ = ELEMENT_TYPES[element]
    assert (array.dtype, array.itemsize) == (np.dtype(type_.storage), type_.size_bytes)
    assert array.shape == (3, 4)
    assert array.flags.c_contiguous
    assert array.flags.writeable
    assert not array.any()
    assert (make(element, (4,), Constant(1)) != 0).all()


def test_constants_keep_their_value():
    assert make("f16", (2,), Constant(0.5)).tolist() == [0.5, 0.5]
    assert make("u64", (1,), Constant(2**64 - 1)).tolist() == [2**64 - 1]
    assert make("bf16", (1,), Constant(1.5)).tolist() == [0x3FC0]


def test_bf16_rounds_to_the_nearest_even():
    halfway_down, halfway_up = float.fromhex("0x1.01p0"), float.fromhex("0x1.03p0")
    assert make("bf16", (1,), Constant(halfway_down)).tolist() == [0x3F80]
    assert make("bf16", (1,), Constant(halfway_up)).tolist() == [0x3F82]
    assert np.isnan(bf16(make("bf16", (1,), Constant(float("nan"))))).all()
    assert bf16(make("bf16", (1,), Constant(float("inf")))).tolist() == [np.inf]


@pytest.mark.parametrize("element", ["i8", "i32", "i64"])
def test_arange_counts_in_integers(element):
    assert make(element, (4,), Arange(5, -3)).tolist() == [5, 2, -1, -4]


def test_arange_reaches_both_ends_of_a_type():
    assert make("i8", (256,), Arange(-128)).tolist() == list(range(-128, 128))
    assert make("u64", (2,), Arange(2**64 - 2)).tolist() == [2**64 - 2, 2**64 - 1]
    assert make("f64", (3,), Arange(0.5, 0.25)).tolist() == [0.5, 0.75, 1.0]


@pytest.mark.parametrize("element", ["f16", "f32", "f64"])
def test_uniform_stays_below_its_upper_bound_and_fills_the_range(element):
    array = make(element, (20000,), Uniform(-2, 3))
    assert array.min() >= -2
    assert array.max() < 3
    assert abs(float(array.astype(float).mean()) - 0.5) < 0.05
    narrow = make(element, (20000,), Uniform(1, 1 + 2**-9))
    assert narrow.max() < np.dtype(array.dtype).type(1 + 2**-9)


def test_uniform_bf16_is_uniform():
    values = bf16(make("bf16", (20000,), Uniform(0, 4)))
    assert values.min() >= 0
    assert abs(float(values.mean()) - 2) < 0.05


@pytest.mark.parametrize("element", INTEGERS)
def test_uniform_integers_take_every_value_below_the_upper_bound(element):
    assert sorted(set(make(element, (500,), Uniform(1, 5)).tolist())) == [1, 2, 3, 4]


def test_normal_has_mean_and_deviation():
    array = make("f32", (40000,), Normal(5, 2))
    assert abs(float(array.mean()) - 5) < 0.05
    assert abs(float(array.std()) - 2) < 0.05


def test_normal_without_deviation_is_its_mean():
    assert make("f32", (3,), Normal(5, 0)).tolist() == [5, 5, 5]


def test_a_permutation_has_every_number_once():
    array = make("u16", (1000,), Permutation())
    assert sorted(array.tolist()) == list(range(1000))
    assert array.tolist() != sorted(array.tolist())


@pytest.mark.parametrize("init", [Uniform(0, 99), Permutation(), Csr(CsrPart.COL_IDX, 8, 9, 2)])
def test_seeds_decide(init):
    first, again = make("i32", (16,), init), make("i32", (16,), init)
    assert first.tolist() == again.tolist()
    assert first.tolist() != make("i32", (16,), init, seed=4).tolist()


def test_known_numbers_stay_the_same_from_version_to_version():
    assert make("u8", (6,), Uniform(0, 100), seed=7).tolist() == [54, 28, 89, 25, 2, 62]


@pytest.mark.parametrize(
    ("rows", "columns", "nnz"),
    [(100, 50, 8), (7, 3, 3), (50, 4, 3), (1, 1, 1), (5, 9, 0), (64, 2, 1)],
)
def test_the_parts_of_a_csr_matrix_belong_together(rows, columns, nnz):
    def part(which):
        init = Csr(which, rows, columns, nnz)
        element = "f32" if which is CsrPart.VALUES else "i32"
        return init, element

    init, element = part(CsrPart.ROW_PTR)
    row_ptr = make(element, (rows + 1,), init).tolist()
    assert row_ptr[0] == 0
    assert row_ptr[-1] == rows * nnz
    if nnz == 0:
        assert set(row_ptr) == {0}
        return
    init, element = part(CsrPart.COL_IDX)
    col_idx = make(element, (rows * nnz,), init).tolist()
    for first, last in itertools.pairwise(row_ptr):
        row = col_idx[first:last]
        assert row == sorted(set(row))
        assert all(0 <= column < columns for column in row)
    init, element = part(CsrPart.VALUES)
    values = make(element, (rows * nnz,), init)
    assert 0 <= values.min() <= values.max() < 1


def test_rows_of_a_csr_matrix_differ_in_length():
    lengths = np.diff(make("i32", (1001,), Csr(CsrPart.ROW_PTR, 1000, 1000, 16)))
    assert lengths.mean() == 16
    assert 2 < lengths.std() < 6


def test_a_file_gives_its_elements(tmp_path):
    data = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.save(tmp_path / "c.npy", data)
    np.save(tmp_path / "f.npy", np.asfortranarray(data))
    for name in ("c.npy", "f.npy"):
        assert make("f32", (6,), FromFile(tmp_path / name)).tolist() == [0, 1, 2, 3, 4, 5]
    texture = TextureArgument("f32", (3, 2), FromFile(tmp_path / "c.npy"))
    assert materialise(texture).tolist() == [[0, 1], [2, 3], [4, 5]]


def _saved(array, **more):
    file = io.BytesIO()
    np.save(file, array, **more)
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (_saved(np.zeros(6, np.float64)), "has elements of float64, not float32"),
        (_saved(np.zeros(7, np.float32)), "has 7 elements, not 6"),
        (_saved(np.array([{}] * 6), allow_pickle=True), "cannot be read as a .npy file"),
        (_saved(np.zeros(6, np.float32))[:-3], "cannot be read as a .npy file"),
        (_saved(np.zeros(6, np.float32))[:40], "cannot be read as a .npy file"),
        (_saved(np.zeros(6, np.float32)).replace(b"(6,)", b"(-6)"), "cannot be read as a .npy"),
        (_saved(np.zeros(6, np.float32)).replace(b"(6,)", b"((6,"), "cannot be read as a .npy"),
        (b"", "cannot be read as a .npy file"),
        (b"PK\x03\x04 no archive", "cannot be read as a .npy file"),
    ],
)
def test_a_file_that_does_not_fit_is_an_input_error(tmp_path, content, words):
    (tmp_path / "x.npy").write_bytes(content)
    with pytest.raises(InputError, match=words) as caught:
        make("f32", (6,), FromFile(tmp_path / "x.npy"))
    assert caught.value.diagnostics[0].file == str(tmp_path / "x.npy")
    with pytest.raises(InputError, match="cannot be read"):
        make("f32", (6,), FromFile(tmp_path / "none.npy"))


def test_a_buffer_over_the_limit_is_refused_before_it_is_made():
    with pytest.raises(LimitError, match="--max-buffer-bytes"):
        make("f64", (1 << 40,), Zeros())
    with pytest.raises(LimitError, match="a buffer of 32 bytes is over the limit of 31"):
        materialise(BufferArgument("f32", (8,)), max_bytes=31)
    assert materialise(BufferArgument("f32", (8,)), max_bytes=32).size == 8


@pytest.mark.parametrize(
    ("element", "shape", "init", "words"),
    [
        ("i8", (4,), Constant(1.5), "1.5 is not an integer"),
        ("i8", (200,), Arange(), "199 does not fit i8"),
        ("i8", (4,), Uniform(0, 129), "128 does not fit i8"),
        ("i8", (4,), Uniform(3, 3), "must be above"),
        ("f32", (4,), Uniform(0, float("inf")), "must be finite"),
        ("f16", (4,), Uniform(-65504, 65504), "too wide for f16"),
        ("f32", (4,), Normal(0, -1), "must not be negative"),
        ("i32", (4,), Normal(0, 1), "needs a floating-point type"),
        ("f32", (4,), Permutation(), "needs an integer type"),
        ("u8", (257,), Permutation(), "256 does not fit u8"),
        ("i32", (1,), Csr(CsrPart.ROW_PTR, 0, 4, 0), "needs rows and columns"),
        ("i32", (5,), Csr(CsrPart.ROW_PTR, 4, 4, -1), "needs rows and columns"),
        ("i32", (8,), Csr(CsrPart.VALUES, 4, 4, 2), "needs a floating-point type"),
        ("f32", (8,), Csr(CsrPart.COL_IDX, 4, 4, 2), "needs an integer type"),
        ("i32", (20,), Csr(CsrPart.COL_IDX, 4, 4, 5), "5 entries a row do not fit 4 columns"),
        ("i8", (8,), Csr(CsrPart.COL_IDX, 4, 400, 2), "399 does not fit i8"),
        ("u8", (5,), Csr(CsrPart.ROW_PTR, 4, 400, 99), "396 does not fit u8"),
        ("i64", (4,), Csr(CsrPart.COL_IDX, 4, 1 << 40, 1), "at most 2147483647"),
    ],
)
def test_contents_that_do_not_fit_are_input_errors(element, shape, init, words):
    with pytest.raises(InputError, match=words):
        make(element, shape, init)
