"""Pages of docs are what benchmarks make of their kept results, whether these are fresh or not."""

import json

import pytest

from benchmarks.__main__ import benchmarks
from benchmarks.benchmark import DOCS, ROOT, Measured
from benchmarks.keeping import FOLDER
from warpmill.report.fields import stored

KEPT = {
    name: one
    for name, one in benchmarks().items()
    if one.template is not None and (ROOT / FOLDER / f"{name}.json").exists()
}


@pytest.mark.parametrize("name", KEPT)
def test_a_page_is_of_what_is_kept(name):
    one = KEPT[name]
    record = json.loads((ROOT / FOLDER / f"{name}.json").read_text("utf-8"))
    result = stored(one.load(one.result), record["result"])
    found = Measured(result, record, (), not getattr(result, "unfinished", ()))
    written = (DOCS / f"{name}.md").read_text("utf-8")
    assert _settled(one.page(found)) == _settled(written), f"python -m benchmarks {name} --docs"


def _settled(text):
    """Without what the state of the sources decides: it changes from day to day."""
    first, blank, _, *rest = text.replace("within, stale", "reached").split("\n")
    return "\n".join([first, blank, *rest])
