"""What all tests share: switches that rewrite expectations, and that run every case."""

from collections import Counter

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--bless", action="store_true", help="rewrite the expectations of the file tests"
    )
    parser.addoption(
        "--every", action="store_true", help="every case of tests of which only some run else"
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "one_in(n): of the cases of a test run the first and every n-th after it; all with --every",
    )
    config.addinivalue_line("markers", "slow: runs with --every alone")


def pytest_collection_modifyitems(config, items):
    """Leave out cases of tests that are marked, always the same ones."""
    if config.getoption("--every"):
        return
    seen, left_out = Counter(), []
    for item in items:
        if item.get_closest_marker("slow"):
            left_out.append(item)
            continue
        mark = item.get_closest_marker("one_in")
        if mark is None:
            continue
        test = item.nodeid.partition("[")[0]
        if seen[test] % mark.args[0]:
            left_out.append(item)
        seen[test] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(map(id, left_out))
        items[:] = [item for item in items if id(item) not in gone]


@pytest.fixture
def bless(request):
    """Whether to write down what came out instead of comparing it."""
    return request.config.getoption("--bless")
