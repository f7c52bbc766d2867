"""What all tests share. This folder is on the path: ``from reference.interpreter import Warp``."""

import pytest


def pytest_addoption(parser):
    parser.addoption(
        "--bless", action="store_true", help="rewrite the expectations of the file tests"
    )


@pytest.fixture
def bless(request):
    """Whether to write down what came out instead of comparing it."""
    return request.config.getoption("--bless")
