"""Data flows down the picture of the design and never back up: who may import whom, and when."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MAY_IMPORT = {
    "grammars": set(),
    "analyzer": {"grammars"},
    "executor": {"grammars", "analyzer"},
    "codegen": {"grammars", "analyzer"},
    "simulator": {"grammars", "analyzer"},
    "warpmill": {"grammars", "analyzer", "executor", "codegen", "simulator", "benchmarks"},
    "benchmarks": {
        "grammars",
        "analyzer",
        "executor",
        "codegen",
        "simulator",
        "warpmill",
        "samples",
        "tests",
        "tools",
    },
}
HEAVY = {
    "lark", "llvmlite", "matplotlib", "networkx", "numba", "numpy", "pydantic", "rich", "scipy",
    "tree_sitter",
}  # fmt: skip


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


def rooms_of(module):
    """The room that a module is in, or that it would be in by its bare name."""
    first, _, rest = module.partition(".")
    second = rest.partition(".")[0]
    return second if first == "warpmill" and second in MAY_IMPORT else first


def wrong_arrows(folder, package):
    others = (set(MAY_IMPORT) | {"tests", "benchmarks", "tools", "samples"}) - {package}
    for path in sorted(folder.rglob("*.py")):
        for line, module in imports_of(path):
            room, at = rooms_of(module), f"{path.relative_to(folder.parent)}:{line}"
            if module.startswith("."):
                yield f"{at}: a relative import"
            elif room in others - MAY_IMPORT[package]:
                yield f"{at}: {package} imports {module}"
            elif module.partition(".")[0] in BARE:
                yield f"{at}: {module} without warpmill before it"


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_import_only_what_the_design_allows(package):
    assert list(wrong_arrows(ROOT / package, package)) == []


def test_wrong_arrows_are_seen(tmp_path):
    folder = tmp_path / "analyzer"
    folder.mkdir()
    (folder / "a.py").write_text(
        "import warpmill.api\ndef f():\n    from warpmill.simulator import jit\n"
        "from grammars import x\nfrom .b import c\nimport_module('warpmill.codegen.x')\n"
    )
    assert list(wrong_arrows(folder, "analyzer")) == [
        "analyzer/a.py:1: analyzer imports warpmill.api",
        "analyzer/a.py:3: analyzer imports warpmill.simulator",
        "analyzer/a.py:4: grammars without warpmill before it",
        "analyzer/a.py:5: a relative import",
        "analyzer/a.py:6: analyzer imports warpmill.codegen.x",
    ]


BARE = {*MAY_IMPORT, "samples"} - {"warpmill"}
"""Rooms are imported from below warpmill alone: by their bare names they would be other modules."""


_ROOM = rf"(?:{'|'.join(sorted(BARE))})\b"
MAYBE = re.compile(rf"\bimport\b.*(?<![\w.]){_ROOM}|\bfrom +{_ROOM}|import_module|__import__")
"""What a text has that imports a room by its bare name; others need not be parsed."""


@pytest.mark.parametrize("folder", ["benchmarks", "samples", "tests", "tools"])
def test_nothing_imports_a_room_by_its_bare_name(folder):
    given = ROOT / "tests" / "cases"  # inputs, as their users wrote them
    found = [
        f"{path.relative_to(ROOT)}:{line}: {module}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not (path.is_relative_to(given) and path.parent != given)
        if MAYBE.search(path.read_text("utf-8"))
        for line, module in imports_of(path)
        if module.partition(".")[0] in BARE
    ]
    assert found == []


OWN = """
import analyzer, codegen, samples, simulator
assert {analyzer.MINE, codegen.MINE, samples.MINE, simulator.MINE} == {1}
import warpmill
print(warpmill.estimate(warpmill.prepare(LAUNCH), "a100").bound)
"""


def test_programs_may_have_modules_of_these_names(tmp_path):
    for name in ("analyzer", "codegen"):
        (tmp_path / f"{name}.py").write_text("MINE = 1\n")
    for name in ("samples", "simulator"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = 1\n")
    program = tmp_path / "program.py"
    program.write_text(OWN.replace("LAUNCH", repr(str(ROOT / "samples/vecadd/launch.toml"))))
    words = [sys.executable, str(program)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr, bool(done.stdout)) == (0, "", True)
    tool = [sys.executable, "-m", "warpmill", "samples", "run", "bfs", "--preset", "tiny"]
    done = subprocess.run(tool, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


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


ESTIMATE = """
import os, sys
from warpmill.__main__ import main
sys.stdout = open(os.devnull, "w")
words = ["samples/matmul/launch.toml", "--machine", "v100", "--trace", "static"]
sys.argv = ["warpmill", "estimate", *words]
assert main() == 0
print(*sorted(sys.modules), file=sys.__stdout__)
"""
COMPILING = {"numba.np.arraymath", "numba.np.linalg", "numba.typed.typedlist", "scipy.linalg"}
"""Modules that numba loads for what it compiles, which loading compiled code does without."""


def test_static_estimates_load_no_executor_nor_what_compiling_needs_nor_other_libraries():
    for _ in range(2):  # the first may have to compile
        loaded = set(
            subprocess.run(
                [sys.executable, "-c", ESTIMATE], capture_output=True, text=True, check=True,
                cwd=ROOT,
            ).stdout.split()
        )  # fmt: skip
    assert loaded >= {"numpy", "numba", "lark"}
    others = {"jinja2", "joblib", "matplotlib", "networkx", "pandas", "sklearn", "sqlalchemy"}
    assert loaded & (COMPILING | others) == set()
    assert not [name for name in loaded if name.startswith("warpmill.executor")]
