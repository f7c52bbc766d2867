"""SimPoint's files: what is written is read again, and errors point."""

import gzip

import numpy as np
import pytest
from scipy.sparse import csr_array

from warpmill.analyzer.base.diagnostics import InputError
from warpmill.sampling import simpoint_files
from warpmill.sampling.simpoint_files import (
    SimPoint,
    read_simpoints,
    read_vectors,
    simpoints_text,
    vectors_text,
    weights_text,
)


@pytest.fixture
def vectors(tmp_path):
    def read(text):
        path = tmp_path / "a.bb"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_vectors(path)

    return read


@pytest.fixture
def chosen(tmp_path):
    def read(simpoints, weights):
        (tmp_path / "a.simpoints").write_text(simpoints)
        (tmp_path / "a.weights").write_text(weights)
        return read_simpoints(tmp_path / "a.simpoints", tmp_path / "a.weights")

    return read


def error(read, *texts):
    with pytest.raises(InputError) as raised:
        read(*texts)
    (diagnostic,) = raised.value.diagnostics
    return diagnostic


def test_a_line_is_an_interval(vectors):
    found = vectors("T:1:45 :3:200\nT:2:0.5   :1:1e3 \n")
    assert found.toarray().tolist() == [[45, 0, 200], [1000, 0.5, 0]]


def test_blanks_comments_and_other_records_are_passed_over(vectors):
    found = vectors("# made by hand\n\nM: main 1\nT:1:5\r\nS: 0 1000\n  # end\nT: 2 : 7:1:3\n")
    assert found.toarray().tolist() == [[5, 0], [3, 7]]


def test_an_entry_of_zero_and_a_last_line_without_an_end(vectors):
    assert vectors("T:1:5 :2:0\nT:2:7").toarray().tolist() == [[5, 0], [0, 7]]


def test_gzip_is_seen_by_its_first_bytes(vectors):
    assert vectors(gzip.compress(b"T:2:7\n" * 3)).toarray().tolist() == [[0, 7]] * 3


def test_a_high_dimension_takes_no_room(vectors):
    found = vectors("T:2147483647:1\n")
    assert found.shape == (1, 2147483647)
    assert (found.indices.tolist(), found.data.tolist()) == ([2147483646], [1])


def test_vectors_are_read_as_they_were_written(vectors):
    chance = np.random.default_rng(0)
    counts = chance.integers(0, 1000, (40, 30)) * (chance.random((40, 30)) < 0.2)
    counts[:, 29] = 1
    assert vectors(vectors_text(counts)).toarray().tolist() == counts.tolist()
    shares = chance.random((9, 4)) / 3
    text = vectors_text(csr_array(shares))
    assert vectors(text).toarray().tolist() == shares.tolist()
    assert vectors_text(vectors(text)) == text


def test_what_is_written():
    assert vectors_text(np.array([[45, 0, 200], [0, 0.25, 0]])) == "T:1:45 :3:200\nT:2:0.25\n"
    one = SimPoint(12, 0, 0.25), SimPoint(3, 1, 0.75)
    assert simpoints_text(one) == "12 0\n3 1\n"
    assert weights_text(one) == "0.25 0\n0.75 1\n"


MALFORMED = [
    ("T:1:45\n:2:3\n", (2, 1, 5), "an interval begins with T"),
    ("T:1:45\n  [launch]\n", (2, 3, 11), "an interval begins with T"),
    ("T\n", (1, 1, 2), "no counts"),
    ("T:1:0 :2:0\n", (1, 1, 11), "all counts of this interval are 0"),
    ("T:1:45 3:200\n", (1, 8, 13), "here :dimension:count is expected"),
    ("T:1:45 :3:\n", (1, 8, 11), "here :dimension:count is expected"),
    ("T:1:45 :3\n", (1, 8, 10), "here :dimension:count is expected"),
    ("T:1:45 :3:-2 :4:1\n", (1, 8, 13), "here :dimension:count is expected"),
    ("T:1:45 :-3:2\n", (1, 8, 13), "here :dimension:count is expected"),
    ("T:1:45x :3:2\n", (1, 2, 8), "here :dimension:count is expected"),
    ("T:1:nan\n", (1, 2, 8), "here :dimension:count is expected"),
    ("T:1:45 :3:2 # two\n", (1, 13, 14), "here :dimension:count is expected"),
    ("T:1:4\n\nT:1:45 :0:2\n", (3, 9, 10), "dimensions count from 1"),
    ("T:1:45 :2147483648:2\n", (1, 9, 19), "dimensions go up to 2147483647"),
    (f"T:1:45 :{'9' * 5000}:2\n", (1, 9, 5009), "dimensions go up to 2147483647"),
    ("T:00000000001:2\n", (1, 3, 14), "at most 10 digits"),
    ("T:1:45 :3:2 :1:9\n", (1, 14, 15), "dimension 1 is in this interval twice"),
    ("T:1:45 :3:2 :03:9\n", (1, 14, 16), "dimension 3 is in this interval twice"),
    ("T:1:45 :3:1e999\n", (1, 11, 16), "a count of over 1e+18"),
    ("T:1:45 :3:é\n", (1, 8, 12), "here :dimension:count is expected"),
]


@pytest.mark.parametrize("text, place, words", MALFORMED)
def test_errors_in_vectors_point(vectors, text, place, words):
    found = error(vectors, text)
    assert found.file.endswith("a.bb")
    assert tuple(found.span) == place
    assert words in found.message
    shown = text.split("\n")[place[0] - 1]
    assert found.excerpt == (shown if len(shown) <= 200 else None)


def test_bytes_that_are_no_text_point(vectors):
    assert tuple(error(vectors, b"T:1:45 :3:\xff\n").span) == (1, 8, 12)


@pytest.mark.parametrize("text", ["", "# nothing\n\n"])
def test_a_file_without_intervals(vectors, text):
    found = error(vectors, text)
    assert (found.span, found.message) == (None, "the file has no interval")


def test_files_that_cannot_be_read(vectors, tmp_path, monkeypatch):
    for name in (tmp_path, tmp_path / "none.bb"):
        found = error(read_vectors, name)
        assert found.message.startswith("cannot read the file: ")
        assert found.file == str(name)
    whole = gzip.compress(b"T:1:45\n" * 1000)
    bad = bytearray(whole)
    bad[12] ^= 0xFF
    for data in (whole[:-9], bytes(bad), b"\x1f\x8bT:1:45"):
        assert error(vectors, data).message.startswith("cannot read the file: ")
    monkeypatch.setattr(simpoint_files, "LONGEST_LINE", 20)
    assert vectors("T:1:45 :2:3 :44:5 \n").shape == (1, 44)
    assert (
        "line 2 has over 20 characters" in error(vectors, "T:1:1\nT:1:45 :2:3 :44:55 :9:1").message
    )


def test_intervals_and_weights_are_joined_by_cluster(chosen):
    found = chosen("345 0\n339 1\n\n72 3\n", "0.25 1\n0.5 3\n0.25 0\n")
    assert found == (SimPoint(345, 0, 0.25), SimPoint(339, 1, 0.25), SimPoint(72, 3, 0.5))


def test_chosen_intervals_are_read_as_they_were_written(chosen):
    weights = np.random.default_rng(1).dirichlet(np.ones(10))
    points = tuple(SimPoint(7 * k, k, float(w)) for k, w in enumerate(weights))
    assert chosen(simpoints_text(points), weights_text(points)) == points
    tiny = SimPoint(1, 0, 1e-7), SimPoint(2, 1, 1 - 1e-7)
    assert chosen(simpoints_text(tiny), weights_text(tiny)) == tiny


GOOD = "1 0\n5 1\n", "0.25 0\n0.75 1\n"


@pytest.mark.parametrize(
    "which, text, place, words",
    [
        (0, "1 0\n5\n", (2, 2, 3), "a line is an interval and its cluster"),
        (0, "1 0 7 8\n5 1\n", (1, 5, 8), "a line is an interval and its cluster"),
        (0, "1 0\n-5 1\n", (2, 1, 3), "a whole number from 0 is expected"),
        (0, "1 0\n5 1.5\n", (2, 3, 6), "a whole number from 0 is expected"),
        (0, "1 0\n5 0\n", (2, 3, 4), "cluster 0 is on line 1 already"),
        (0, "1 0\n5 1\n7 2\n", (3, 1, 4), "cluster 2 is not in"),
        (1, "0.25 0\nhalf 1\n", (2, 1, 5), "a weight is a number from 0 to 1"),
        (1, "0.25 0\n1.5 1\n", (2, 1, 4), "a weight is a number from 0 to 1"),
        (1, "0.25 0\n nan 1\n", (2, 2, 5), "a weight is a number from 0 to 1"),
        (1, "0.25 0\n0.25 1\n0.5 2\n", (3, 1, 6), "cluster 2 is not in"),
        (1, "0.25\n", (1, 5, 6), "a line is a weight and its cluster"),
    ],
)
def test_errors_in_chosen_intervals_point(chosen, which, text, place, words):
    texts = list(GOOD)
    texts[which] = text
    found = error(chosen, *texts)
    assert found.file.endswith(("a.simpoints", "a.weights")[which])
    assert tuple(found.span) == place
    assert words in found.message
    assert found.excerpt == text.split("\n")[place[0] - 1]


@pytest.mark.parametrize(
    "texts, words",
    [
        (("", GOOD[1]), "the file is empty: each line is an interval and its cluster"),
        ((GOOD[0], "\n"), "the file is empty: each line is a weight and its cluster"),
        ((GOOD[0], "0.25 0\n0.25 1\n"), "the weights sum to 0.5, and not to 1"),
    ],
)
def test_errors_of_whole_files(chosen, texts, words):
    found = error(chosen, *texts)
    assert (found.span, found.message) == (None, words)


def test_weights_that_were_rounded_may_miss_one(chosen):
    assert len(chosen("1 0\n2 1\n3 2\n", "0.333 0\n0.333 1\n0.333 2\n")) == 3
