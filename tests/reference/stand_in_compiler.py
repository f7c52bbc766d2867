"""A stand-in for nvcc: it takes its place on PATH, so that tests need no compiler.

It writes down its command line, and PTX with a kernel for each word after `// kernel:` in the
source (their bodies after `// body:`), with the source's lines. `// wrong`, `// warned` and
`// slow` in a source are what they say.
"""

import json
import sys

import pytest

from warpmill.analyzer.frontends.compilers import compile as compiling

STAND_IN = """#!{python} -S
import json, pathlib, re, sys, time
here = pathlib.Path(__file__).parent
if "--version" in sys.argv:
    print("Cuda compilation tools, release {version}, V{version}.1")
    sys.exit()
with (here / "calls").open("a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
given = pathlib.Path(sys.argv[-1])
text = given.read_text()
for included in re.findall('#include "(.*)"', text):
    text += (given.parent / included).read_text()
if "// slow" in text:
    time.sleep(60)
if "// wrong" in text:
    print(f'{{given}}(1): error: identifier "b" is undefined', file=sys.stderr)
    print(re.search("// wrong(.*)", text)[1], file=sys.stderr)
    sys.exit(2)
if "// warned" in text:
    print(f"{{given}}(1): warning: unused", file=sys.stderr)
output = pathlib.Path(sys.argv[sys.argv.index("-o") + 1])
kernels = re.findall(r"// kernel: (\\S+)", text)
kernels += ["_Z1kILi64EEvPi"] if "warpmill_instance<" in text else []
bodies = re.findall(r"// body: (.*)", text)
body = bodies[0] if bodies else "ret;"
parameters = lambda k: f".param .u64 {{k}}_param_0" if bodies else ""
body = "".join(
    f".visible .entry {{k}}({{parameters(k)}})\\n{{{{\\n.reg .b64 %rd<2>;\\n"
    f".loc 1 3 1\\n{{body}}\\n}}}}\\n"
    for k in kernels
)
path = re.search('#include "(.*)"', text)[1] if "warpmill_instance<" in text else given
head = f'.version 8.0\\n.target sm_80\\n.address_size 64\\n'
output.write_text(head + body + f'.file 1 "{{path}}"\\n')
"""


@pytest.fixture(name="folder")
def working_folder(tmp_path, monkeypatch):
    """A folder to work in, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("CUDA_HOME", "CUDA_PATH", "CPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(compiling, "_MEMORY", {})
    monkeypatch.setattr(compiling, "_FOUND", {})
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


@pytest.fixture(name="nvcc")
def nvcc_calls(folder, tmp_path, monkeypatch):
    """The stand-in as the nvcc that is found first; its calls are read from it."""
    return stand_in(tmp_path / "bin", monkeypatch)


def stand_in(place, monkeypatch, version="13.0"):
    place.mkdir(exist_ok=True)
    file = place / "nvcc"
    file.write_text(STAND_IN.format(python=sys.executable, version=version))
    file.chmod(0o755)
    monkeypatch.setenv("PATH", f"{place}:/usr/bin:/bin")
    return lambda: [json.loads(line) for line in (place / "calls").read_text().splitlines()]
