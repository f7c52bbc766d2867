"""Labels are found in the sources, and held against the terms of the field."""

import pytest

from tools.labels import labels, outside, terms

PAGE = """
HEADER = ("line", f"{unit} read", *more)

class Found:
    cycles: Annotated[float, Metric("Elapsed cycles", "cycle")]

    @derived("L1 hit rate", "%")
    def rate(self): ...

def show(page, found):
    page.title(f"simulate: {found.name}")
    page.heading("waves" if found.few else "warp stall reasons")
    page.table(HEADER, [("a value", "is no label", "here")])
    page.facts([("time", f"{found.time} rounds"), *more])
    rows.append(("clock", "MHz"))
    Facts("Launch", found)
"""


def test_labels_are_what_people_read_and_values_are_none(tmp_path):
    path = tmp_path / "page.py"
    path.write_text(PAGE, "utf-8")
    found = {one.text: one.place for one in labels([path], tmp_path)}
    assert set(found) == {
        "line", "read", "Elapsed cycles", "L1 hit rate", "simulate", "waves",
        "warp stall reasons", "time", "clock", "Launch",
    }  # fmt: skip
    assert found["line"] == "page.py:2"


@pytest.mark.parametrize(
    ("label", "wrong"),
    [
        ("L2 hit rate", []),
        ("memory accesses, by buffer", []),
        ("instructions per CTA: 12", []),
        ("cycles of a round", ["“round”", "round"]),
        ("background", ["background"]),
        ("what the time goes to", ["“what the time goes to”", "“time goes to”", "what", "goes"]),
        ("waiting warps", ["waiting"]),
    ],
)
def test_a_label_is_of_listed_terms(label, wrong):
    assert outside(label) == wrong


def test_no_term_is_given_up():
    known = terms()
    assert not [phrase for phrase in known.given_up if phrase in known.source]
    assert not known.joining & known.source.keys()
