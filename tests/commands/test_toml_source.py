import tomllib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warpmill.analyzer.base.diagnostics import InputError, Source, Span
from warpmill.analyzer.base.toml_source import read_toml, read_toml_file

TEXT = """\
# a comment
top = 1
[sizes]
n = 1024
"a.b" = 2
x.y.z = { d = 1, "é" = 2, e.f = [10, { g = 3 }] }
[[launch]]
name = '''
two lines'''
[launch.sub]
k = 5
[[launch]]
args = [
  # inside
  { buffer = "f32", shape = ["n"] }, 7,
]
"""


@pytest.fixture(scope="module")
def document():
    return read_toml(Source("a.toml", TEXT))


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (("top",), Span(2, 7, 8), Span(2, 1, 4)),
        (("sizes",), Span(3, 2, 7), Span(3, 2, 7)),
        (("sizes", "n"), Span(4, 5, 9), Span(4, 1, 2)),
        (("sizes", "a.b"), Span(5, 9, 10), Span(5, 1, 6)),
        (("sizes", "x", "y"), Span(6, 3, 4), Span(6, 3, 4)),
        (("sizes", "x", "y", "z"), Span(6, 9, 50), Span(6, 5, 6)),
        (("sizes", "x", "y", "z", "é"), Span(6, 24, 25), Span(6, 18, 21)),
        (("sizes", "x", "y", "z", "e", "f", 1, "g"), Span(6, 44, 45), Span(6, 40, 41)),
        (("launch",), Span(7, 3, 9), Span(7, 3, 9)),
        (("launch", 0, "name"), Span(8, 8, 11), Span(8, 1, 5)),
        (("launch", 0, "sub", "k"), Span(11, 5, 6), Span(11, 1, 2)),
        (("launch", 1), Span(12, 3, 9), Span(12, 3, 9)),
        (("launch", 1, "args", 0, "shape", 0), Span(15, 30, 33), Span(15, 30, 33)),
        (("launch", 1, "args", 1), Span(15, 38, 39), Span(15, 38, 39)),
    ],
)
def test_every_way_of_writing_a_key_is_found(document, path, value, key):
    assert document.span(path) == value
    assert document.key_span(path) == key


@pytest.mark.parametrize(
    ("path", "parent"),
    [
        ((), Span(1, 1, 1)),
        (("nothing",), Span(1, 1, 1)),
        (("sizes", "m"), Span(3, 2, 7)),
        (("launch", 1, "args", 0, "init"), Span(15, 3, 36)),
        (("launch", 9, "args"), Span(7, 3, 9)),
        (("top", "deeper"), Span(2, 7, 8)),
    ],
)
def test_a_path_that_is_not_there_has_its_parents_place(document, path, parent):
    assert document.span(path) == parent


def test_values_are_those_of_tomllib(document):
    assert document.values == tomllib.loads(TEXT)
    assert document.value(("launch", 1, "args", 1)) == 7
    assert document.value(("launch", 1, "args", 2)) is None


def test_characters_inside_a_string_are_found():
    document = read_toml(Source("a", '"é" = ["n + m"]\nb = "a\\tb"\nc = """x y"""\n'))
    assert document.span_inside(("é", 0), 4, 5) == Span(1, 13, 14)
    assert document.span_inside(("é", 0), 5, 5) == Span(1, 14, 15)
    assert document.span_inside(("b",), 2, 3) == Span(2, 5, 11)  # escapes: the whole string
    assert document.span_inside(("c",), 0, 1) == Span(3, 5, 14)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("a = 1\nb = ", 2, 4, "invalid value"),
        ("a = 1\na = 2\n", 2, 6, "cannot overwrite a value"),
        ("a = 1\nb = [1,\n", 2, 8, "invalid value"),
        ("a = {'é' = 1, 'é' = 2}", 1, 22, "duplicate inline table key 'é'"),
        ("x = 1\ny = " + "9" * 6000, 2, 5, "the number has too many digits"),
        ("x = " + "[" * 5000, 1, 69, "arrays or tables are nested too deep"),
    ],
)
def test_a_syntax_error_has_its_line_and_column(text, line, column, words):
    with pytest.raises(InputError) as caught:
        read_toml(Source("bad.toml", text))
    (diagnostic,) = caught.value.diagnostics
    assert (diagnostic.span.line, diagnostic.span.column) == (line, column)
    assert (diagnostic.file, diagnostic.message) == ("bad.toml", words)


def test_bytes_that_are_not_utf8_are_pointed_at(tmp_path):
    path = tmp_path / "latin.toml"
    path.write_bytes(b'a = 1\nb = "\xe9"\n')
    with pytest.raises(InputError, match=r"latin\.toml:2:6: error: byte 0xe9 is not UTF-8"):
        read_toml_file(path)


def test_a_file_that_cannot_be_read_is_an_input_error(tmp_path):
    for path in (tmp_path / "none.toml", tmp_path, tmp_path / "a\0b", tmp_path / ("x" * 5000)):
        with pytest.raises(InputError, match="cannot read the file"):
            read_toml_file(path, "the file")


def test_very_long_keys_and_deep_tables_cost_little():
    text = ".".join("a" * 5000) + " = 1\nb = " + "[" * 80 + "]" * 80
    document = read_toml(Source("deep", text))
    assert len(document.places) < 200
    assert document.span(("b", *[0] * 79)).line == 2


_keys = st.text('ab1_é. "\\', min_size=1, max_size=4)
_values = st.recursive(
    st.integers(-9, 9) | st.booleans() | st.text("xé\"' \\#", max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_keys, inner, max_size=3),
    max_leaves=8,
)


def _written(value):
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_written(k)} = {_written(v)}" for k, v in value.items()) + "}"
    return str(value)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(_keys, _values, min_size=1, max_size=4))
def test_the_text_at_a_values_span_is_the_value(values):
    text = "".join(f"{_written(key)} = {_written(value)}\n" for key, value in values.items())
    document = read_toml(Source("any", text))
    todo = [((key,), value) for key, value in values.items()]
    while todo:
        path, value = todo.pop()
        span = document.span(path)
        written = document.source.line(span.line)[span.column - 1 : span.end_column - 1]
        assert tomllib.loads(f"v = {written}")["v"] == value
        if isinstance(value, dict | list):
            inner = value.items() if isinstance(value, dict) else enumerate(value)
            todo += [((*path, key), item) for key, item in inner]


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "marked.toml"
    path.write_bytes(b"\xef\xbb\xbfa = 1\nb = [\n")
    with pytest.raises(InputError, match=r"marked\.toml:2:6"):
        read_toml_file(path)
    path.write_bytes(b"\xef\xbb\xbfa = 1\n")
    assert read_toml_file(path).values == {"a": 1}
