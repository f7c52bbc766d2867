"""CSV with places: what csv reads, where it stands, and what is no table."""

import csv
import io
import random

import pytest

from warpmill.analyzer.base.diagnostics import InputError, LimitError
from warpmill.measurements import tables
from warpmill.measurements.tables import read_table


@pytest.fixture
def table(tmp_path):
    def read(text, name="m.csv"):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_table(path)

    return read


def texts(found):
    return [[cell.text for cell in row.cells] for row in found.rows]


def test_cells_and_their_places(table):
    found = table('time, gpu ,n\n1.5, "Tesla V100",  7\n\n2,"a ""b"", c",\n')
    assert found.names == ("time", "gpu", "n")
    assert texts(found) == [["1.5", "Tesla V100", "7"], ["2", 'a "b", c', ""]]
    assert [row.line for row in found.rows] == [2, 4]
    assert [tuple(cell.span) for cell in found.rows[0].cells] == [
        (2, 1, 4),
        (2, 6, 18),
        (2, 21, 22),
    ]
    assert [tuple(cell.span)[:2] for cell in found.rows[1].cells] == [(4, 1), (4, 3), (4, 16)]
    assert [tuple(cell.span)[:2] for cell in found.header] == [(1, 1), (1, 7), (1, 12)]


def test_places_point_at_what_is_written(table):
    chance = random.Random(3)
    pieces = ("1.5", "a b", '"x"', '"y, z"', '"q""r"', "", "ä", "=3")
    for _ in range(50):
        line = ",".join(chance.choice(pieces) for _ in range(4))
        if not line.strip(","):
            continue
        found = table(f"p,q,r,s\n{line}\n")
        (wanted,) = csv.reader(io.StringIO(line))
        assert texts(found) == [wanted]
        for cell, value in zip(found.rows[0].cells, wanted, strict=True):
            span = cell.span
            written = line[span.column - 1 : span.end_column - 1]
            assert not value or next(csv.reader([written])) == [value]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_separators_ends_of_lines_and_marks_of_order(table, separator, end):
    lines = [separator.join(("time", "gpu")), separator.join(("1", "a100"))]
    found = table(b"\xef\xbb\xbf" + end.join(lines).encode())
    assert found.names == ("time", "gpu")
    assert texts(found) == [["1", "a100"]]


def test_lines_above_the_header_are_passed_over(table):
    found = table("# of June\n==71== Profiling\n\ntime,gpu\n1,#5\n")
    assert found.names == ("time", "gpu")
    assert texts(found) == [["1", "#5"]]
    assert found.rows[0].line == 5


def test_a_field_over_two_lines(table):
    found = table('time,name\n1,"a\nb"\n2,c\n')
    assert texts(found) == [["1", "a\nb"], ["2", "c"]]
    assert [row.line for row in found.rows] == [2, 4]
    assert found.rows[0].cells[1].span.line == 2


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "the file is empty"),
        ("\n# no more\n", "1:1", "the file is empty"),
        ("time,gpu\n", "1:6", "there are no rows below the header"),
        ("1,a100\n2,a100\n", "1:1", "`1` is a number"),
        ("time,-2.5e3\n2,a100\n", "1:6", "`-2.5e3` is a number"),
        ("time,gpu,time\n1,a,2\n", "1:10", "two columns are called `time`"),
        ("time,gpu\n1,a,2\n", "2:5", "this row has 3 fields, and the header 2"),
        ("time,gpu\n1,a\n\n7\n", "4:1", "this row has 1 field, and the header 2"),
        ('time,gpu\n1,"a\n2,b\n', "2:1", "cannot be read as CSV"),
        ('time,gpu\n1,"a"b\n', "2:1", "cannot be read as CSV"),
        (b"time,gpu\n1,\xe9\n", "2:3", "byte 0xe9 is not UTF-8"),
    ],
)
def test_what_is_no_table(table, tmp_path, text, place, words):
    with pytest.raises(InputError, match=words) as caught:
        table(text)
    (one,) = caught.value.diagnostics
    assert str(one).startswith(f"{tmp_path / 'm.csv'}:{place}: error: ")


def test_what_cannot_be_read(tmp_path, monkeypatch):
    (tmp_path / "times.csv").write_text("time\n1\n")
    for path, words in (
        (tmp_path, "this is a folder"),
        (tmp_path / "time.csv", "did you mean `times.csv`"),
        (tmp_path / "times.csv" / "x", "cannot read the file|no such file"),
        (tmp_path / ("x" * 300), "cannot read the file|no such file"),
    ):
        with pytest.raises(InputError, match=words):
            read_table(path)
    monkeypatch.setattr(tables, "MAX_BYTES", 5)
    with pytest.raises(LimitError, match="more than 5 bytes"):
        read_table(tmp_path / "times.csv")
