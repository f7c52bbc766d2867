"""The doctor: what it finds well, missing and broken; and numba without a cache."""

from importlib import metadata

import numba
import pytest

from warpmill.analyzer.base.jit import cache_folder, jit
from warpmill.analyzer.frontends.compilers import toolchains
from warpmill.session import environment as doctor
from warpmill.session.environment import EnvironmentCheck, Status, examine


def named(checks, name):
    (found,) = (c for c in checks if c.name == name)
    return found


def test_here_nothing_is_broken():
    result = examine()
    assert [c for c in result.checks if c.status is Status.BROKEN] == []
    assert result.is_healthy
    groups = list(dict.fromkeys(c.group for c in result.checks))
    assert groups == ["python", "libraries", "extras", "tools", "data", "self-test"]
    assert "LLVM" in named(result.checks, "llvmlite").found
    assert named(result.checks, "machines").found.split()[0].isdigit()
    assert named(result.checks, "estimate").found.endswith("us on a100 (modelled)")
    assert {"numba", "numpy", "lark", "typer"} <= {c.name for c in result.checks}
    libraries = {c.name for c in result.checks if c.group == "libraries"}
    assert "pytest" not in libraries  # an extra


def test_tools_are_optional(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("_wheel_folders", "_cuda_folders", "_file_in"):
        monkeypatch.setattr(toolchains, name, lambda *_: [])
    monkeypatch.setattr("ctypes.util.find_library", lambda _: None)
    result = examine(self_test=False)
    tools = [c for c in result.checks if c.group == "tools"]
    assert {c.status for c in tools} == {Status.MISSING}
    assert all("; optional: it " in c.found for c in tools)
    assert result.is_healthy


def test_a_tool_says_its_version_or_fails(monkeypatch, tmp_path):
    for name, line in (("dot", "echo 'dot - graphviz version 2.43.0' >&2"), ("ptxas", "exit 3")):
        tool = tmp_path / name
        tool.write_text(f"#!/bin/sh\n{line}\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    checks = examine(self_test=False).checks
    dot, ptxas = named(checks, "dot"), named(checks, "ptxas")
    assert dot.found == f"dot - graphviz version 2.43.0, {tmp_path / 'dot'}"
    assert dot.status is Status.OK
    assert (ptxas.status, ptxas.found) == (
        Status.MISSING,
        f"{tmp_path / 'ptxas'}, which does not run",
    )


@pytest.mark.parametrize(
    ("version", "found"),
    [("1.9.9", "1.9.9, but 2.0 is needed"), (None, "not installed")],
)
def test_a_library_that_is_old_or_missing(monkeypatch, version, found):
    real = metadata.version

    def pretended(name):
        if name != "numpy":
            return real(name)
        if version is None:
            raise metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(doctor.metadata, "version", pretended)
    result = examine(self_test=False)
    expected = EnvironmentCheck(
        "libraries", "numpy", Status.BROKEN, found, '`pip install "numpy>=2.0"`'
    )
    assert named(result.checks, "numpy") == expected
    assert not result.is_healthy


def test_warpmill_that_is_not_installed(monkeypatch):
    def missing(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(doctor.metadata, "version", missing)
    monkeypatch.setattr(doctor.metadata, "requires", missing)
    result = examine(self_test=False)
    assert named(result.checks, "warpmill").status is Status.MISSING
    assert result.is_healthy


def test_data_files_that_are_missing(monkeypatch, tmp_path):
    monkeypatch.setattr(doctor, "files", lambda _: tmp_path)
    checks = examine(self_test=False).checks
    assert named(checks, "grammars").status is Status.BROKEN
    assert named(checks, "machines").status is Status.OK


def test_a_self_test_that_fails_is_told(monkeypatch):
    monkeypatch.setattr(doctor, "SELF_TEST", doctor.SELF_TEST.replace(".target sm_80", ".target"))
    check = named(examine().checks, "estimate")
    assert check.status is Status.BROKEN
    assert check.found.startswith("InputError: self-test.ptx:1:")


def test_numba_works_without_a_folder_for_its_cache(monkeypatch):
    real = numba.njit

    def without_cache(*arguments, cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return real(*arguments, **options)

    monkeypatch.setattr(numba, "njit", without_cache)
    assert jit(lambda x: x + 1)(2) == 3
    assert cache_folder() is None
    assert named(examine().checks, "numba cache").status is Status.MISSING
