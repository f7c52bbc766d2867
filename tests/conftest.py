"""What all tests share: the switch that rewrites expectations."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--bless", action="store_true", help="rewrite the expectations of the file tests"
    )


@pytest.fixture
def bless(request):
    """Whether to write down what came out instead of comparing it."""
    return request.config.getoption("--bless")
