"""Data flows down the picture of the design and never back up: who may import whom, and when."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {
    "grammars": set(),
    "analyzer": {"grammars"},
    "codegen": {"grammars", "analyzer"},
    "simulator": {"grammars", "analyzer"},
    "warpmill": {"grammars", "analyzer", "codegen", "simulator"},
}
HEAVY = {"llvmlite", "numba", "numpy", "scipy", "matplotlib", "networkx"}


def imports_of(path):
    """List (line, module) of every import of a file, those inside functions included."""
    return sorted(_imports(path))


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, node.module if node.level == 0 else "." * node.level
        elif isinstance(node, ast.Call) and _is_import(node.func):
            argument = node.args[0]
            if isinstance(argument, ast.Constant):
                yield node.lineno, argument.value


def _is_import(function):
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("import_module", "__import__")


def wrong_arrows(folder, package):
    others = (set(MAY_IMPORT) | {"tests", "benchmarks", "tools", "samples"}) - {package}
    for path in sorted(folder.rglob("*.py")):
        for line, module in imports_of(path):
            top = module.partition(".")[0]
            if top == "":
                yield f"{path.relative_to(folder.parent)}:{line}: a relative import"
            if top in others - MAY_IMPORT[package]:
                yield f"{path.relative_to(folder.parent)}:{line}: {package} imports {module}"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_the_design_allows(package):
    assert list(wrong_arrows(ROOT / package, package)) == []


def test_wrong_arrows_are_seen(tmp_path):
    folder = tmp_path / "analyzer"
    folder.mkdir()
    (folder / "a.py").write_text(
        "import warpmill.api\ndef f():\n    from simulator import jit\n"
        "from grammars import x\nfrom .b import c\nimport_module('codegen.x')\n"
    )
    assert list(wrong_arrows(folder, "analyzer")) == [
        "analyzer/a.py:1: analyzer imports warpmill.api",
        "analyzer/a.py:3: analyzer imports simulator",
        "analyzer/a.py:5: a relative import",
        "analyzer/a.py:6: analyzer imports codegen.x",
    ]


def modules_after(code):
    """Run a program and give the top-level modules that it has loaded at its end."""
    program = f"import sys\n{code}\nprint(*sorted(m for m in sys.modules if '.' not in m))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stdout.splitlines()[-1].split())


HELP = """
from warpmill.__main__ import main
sys.argv = ["warpmill", "--help"]
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


@pytest.mark.parametrize("code", ["import warpmill", HELP, "import warpmill.cli"])
def test_no_heavy_library_is_loaded_before_it_is_needed(code):
    loaded = modules_after(code)
    assert "warpmill" in loaded
    assert loaded & HEAVY == set()


def test_heavy_libraries_would_be_seen():
    assert modules_after("import warpmill; warpmill.estimate") >= {"numpy", "numba"}
