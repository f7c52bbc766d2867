"""Clones that tests of several files look at: made when they are first asked for."""

import pytest


@pytest.fixture(scope="session")
def kernels(tmp_path_factory):
    """Study a kernel of ``clone_kernels.KERNELS``, by its name."""
    from tests.reference.clone_kernels import KERNELS, studied  # noqa: PLC0415 - few tests need it

    known = {}

    def give(name):
        if name not in known:
            folder = tmp_path_factory.mktemp("originals")
            known[name] = studied(folder, KERNELS[name], grid=16)
        return known[name]

    return give


@pytest.fixture(scope="session")
def clones(kernels, tmp_path_factory):
    """Clone a kernel, by its name, with these options."""
    from tests.reference.clone_kernels import made  # noqa: PLC0415 - few tests need it

    known = {}

    def give(name, **options):
        key = (name, *sorted(options.items()))
        if key not in known:
            known[key] = made(tmp_path_factory.mktemp("clones"), kernels(name), **options)
        return known[key]

    return give
