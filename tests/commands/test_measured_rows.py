"""Rows as numbers: times in every unit, launches as people write them, and what is no number."""

import pytest

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.measurements.columns import find_columns, with_sizes
from warpmill.measurements.rows import measured_rows
from warpmill.measurements.tables import read_table


@pytest.fixture
def rows(tmp_path):
    def read(text, sizes=(), unit=None):
        path = tmp_path / "m.csv"
        path.write_text(text)
        table = read_table(path)
        return measured_rows(table, with_sizes(table, find_columns(table, {}, (), unit), sizes))

    return read


@pytest.mark.parametrize(
    ("unit", "written", "microseconds", "cycles"),
    [
        ("s", "1.5", 1.5e6, None),
        ("ms", "1.5", 1500.0, None),
        ("us", "1.5", 1.5, None),
        ("ns", "1500", 1.5, None),
        ("cycles", "1500", None, 1500.0),
        ("ms", ".5e-1", 50.0, None),
    ],
)
def test_units(rows, unit, written, microseconds, cycles):
    for text in (f"time [{unit}]\n{written}\n", f"time,unit\n{written},{unit}\n"):
        (one,) = rows(text)
        assert one.microseconds == pytest.approx(microseconds)
        assert one.cycles == cycles
    (one,) = rows(f"time\n{written}\n", unit=unit)
    assert one.microseconds == pytest.approx(microseconds)


def test_a_unit_for_each_row(rows):
    found = rows("duration,unit\n2,ms\n2,µs\n2,Seconds\n7,cycles\n")
    assert [one.microseconds for one in found] == [2000.0, 2.0, 2e6, None]


def test_what_a_row_says(rows):
    (one,) = rows(
        "target,gpu,kernel,launch,grid,block,shared,regs,args,n,time_ms,x\n"
        'a.ptx,T4,f,3,"2,3",256,1024,32.0,buffer=f32:8 i32=7,4096.0,1,9\n',
        ["n"],
    )
    assert (one.target, one.gpu, one.kernel, one.launch) == ("a.ptx", "T4", "f", 3)
    assert (one.grid, one.block, one.shared, one.registers) == ((2, 3, 1), (256, 1, 1), 1024, 32)
    assert one.arguments == ("buffer=f32:8", "i32=7")
    assert one.sizes == (("n", "4096"),)
    assert one.line == 2


def test_launches_by_number_and_by_name(rows):
    found = rows("launch,time_ms\n0,1\n3.0,1\nscan_sums,1\n")
    assert [one.launch for one in found] == [0, 3, "scan_sums"]


def test_what_a_row_leaves_out(rows):
    (one,) = rows(
        "target,gpu,kernel,launch,grid,block,shared,regs,args,n,time_ms\n,,,,,,,,,,1\n", ["n"]
    )
    assert (one.sizes, one.counters) == ((), {})
    others = ("line", "time", "unit", "sizes", "counters")
    assert {value for name, value in vars(one).items() if name not in others} == {None}


@pytest.mark.parametrize("written", ["(16, 8, 1)", "16x8", '"16,8"', "16 8", "16 x 8 x 1", "16×8"])
def test_blocks_as_people_write_them(rows, written):
    text = f'"{written}"' if "," in written and '"' not in written else written
    (one,) = rows(f"block,time_ms\n{text},1\n")
    assert one.block == (16, 8, 1)


def test_a_column_for_each_direction(rows):
    (one,) = rows("grid_x,grid_y,Block X,Block Y,Block Z,time_ms\n7,2,32,,2,1\n")
    assert (one.grid, one.block) == ((7, 2, 1), (32, 1, 2))


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("gpu,time_ms\na,\n", 3, "the measured time is missing"),
        ("gpu,time_ms\na,fast\n", 3, "the measured time is `fast`, which is no number"),
        ("gpu,time_ms\na,1.5 ms\n", 3, "which is no number"),
        ("gpu,time_ms\na,1_000\n", 3, "which is no number"),
        ("gpu,time_ms\na,١\n", 3, "which is no number"),
        ('gpu,time_ms\na,"1,234.5"\n', 3, "no separator of thousands"),
        ("gpu,time_ms\na,0\n", 3, "a time is greater than 0"),
        ("gpu,time_ms\na,-0.0\n", 3, "a time is greater than 0"),
        ("gpu,time_ms\na,-3\n", 3, "a time is greater than 0"),
        ("gpu,time_ms\na,nan\n", 3, "not a finite number"),
        ("gpu,time_ms\na,1e999\n", 3, "not a finite number"),
        ("gpu,time_ms\na,1e-300\n", 3, "is the unit right"),
        ("gpu,time_s\na,1e10\n", 3, "is the unit right"),
        ("gpu,cycles\na,0.1\n", 3, "is the unit right"),
        ("time,unit\n1,hours\n", 3, "`hours` is no unit of time"),
        ("time,unit\n1,\n", 3, "`` is no unit of time"),
        ("grid,time_ms\nbig,1\n", 1, "the grid is `big`"),
        ("grid,time_ms\n1x2x3x4,1\n", 1, "one to three sizes"),
        ("block,time_ms\n16x0,1\n", 1, "a size of the block is 0"),
        ("block_x,time_ms\n0,1\n", 1, "a size of the block is 0"),
        ("block_x,time_ms\na,1\n", 1, "a size of the block is needed, and here is `a`"),
        ("regs,time_ms\nmany,1\n", 1, "a number of registers is needed"),
        ("shared,time_ms\n1.5,1\n", 1, "a number of bytes is needed"),
    ],
)
def test_cells_that_cannot_be_what_their_column_is(rows, tmp_path, text, column, words):
    with pytest.raises(InputError, match=words.replace("(", r"\(")) as caught:
        rows(text)
    assert str(caught.value).startswith(f"{tmp_path / 'm.csv'}:2:{column}: error: ")
