"""Examples of every command, as its help shows them. A test runs each of them."""

from __future__ import annotations

EXAMPLES: dict[str, tuple[str, ...]] = {
    "inspect": (
        "warpmill inspect samples/matmul/matmul.sm_80.ptx",
        "warpmill inspect samples/*/*.bc --format csv",
        "warpmill inspect samples/reduce/reduce.ll --verbose",
    ),
    "analyze": (
        "warpmill analyze samples/matmul/launch.toml",
        "warpmill analyze samples/spmv/spmv.bc --format json --output spmv.json",
        "warpmill analyze samples/matmul/matmul.sm_80.ptx --format dot",
    ),
    "diff": (
        "warpmill diff samples/matmul/matmul.sm_80.ptx samples/matmul/matmul.sm_80.clang.ptx",
        "warpmill diff samples/trisolve/trisolve.O0.ll samples/trisolve/trisolve.ll "
        "--kernel trisolve_forward --all",
        "warpmill diff samples/reduce/launch.toml samples/reduce/launch.opencl.toml --format json",
    ),
    "trace": (
        "warpmill trace samples/transpose/launch.toml --size rows=512 --size columns=512",
        "warpmill trace samples/reduce/launch.toml --cta 0 --warp 0",
        "warpmill trace bfs:tiny --launch 4",
    ),
    "run": (
        "warpmill run samples/vecadd/launch.toml --size n=1048576",
        "warpmill run bfs:tiny --size nodes=4096 --format json",
        "warpmill run samples/vecadd/vecadd.sm_80.ptx --grid 4 --block 256 "
        "--arg buffer=f32:1024:uniform --arg buffer=f32:1024:arange --arg buffer=f32:1024 "
        "--arg 1024",
    ),
    "profile": (
        "warpmill profile samples/reduce/launch.toml --size n=65536",
        "warpmill profile samples/transpose/launch.toml --machine v100 --count memory,lanes",
        "warpmill profile samples/spmv/launch.toml --per-cta --format csv --output spmv.csv",
    ),
    "record": (
        "warpmill record samples/scan/launch.toml --out scan.wmrec",
        "warpmill record samples/vecadd/vecadd.sm_80.ptx --out vecadd.wmrec --grid 4 --block 256 "
        "--arg buffer=f32:1024:uniform --arg buffer=f32:1024:arange --arg buffer=f32:1024 "
        "--arg 1024 --format json",
    ),
    "replay": (
        "warpmill replay scan.wmrec",
        "warpmill replay scan.wmrec --launches 1-2 --format json",
    ),
    "dfsg": (
        "warpmill dfsg samples/reduce/launch.toml --size n=65536",
        "warpmill dfsg samples/lud/launch.toml --launch 1 --format dot",
        "warpmill dfsg samples/scan/launch.toml --format json --output scan.json",
    ),
    "dfsg show": (
        "warpmill dfsg show samples/reduce/launch.toml --size n=65536",
        "warpmill dfsg show samples/lud/launch.toml --launch 1 --format dot --output lud.dot",
    ),
    "dfsg diff": (
        "warpmill dfsg diff samples/reduce/launch.toml samples/reduce/launch.bc.toml "
        "--size n=65536",
        "warpmill dfsg diff samples/scan/launch.toml samples/scan/launch.bc.toml --format json",
    ),
    "estimate": (
        "warpmill estimate samples/matmul/launch.toml",
        "warpmill estimate samples/vecadd/launch.toml --machine a100 --set sm.count=132 --what-if",
        "warpmill estimate samples/vecadd/vecadd.sm_80.ptx --grid 4096 --block 256 "
        "--arg buffer=f32:1048576 --arg buffer=f32:1048576 --arg buffer=f32:1048576 "
        "--arg 1048576 --regs 16",
    ),
    "explain": (
        "warpmill explain samples/scan/launch.toml --machine a100",
        "warpmill explain samples/matmul/launch.toml --size n=256 --top 5",
        "warpmill explain samples/spmv/launch.toml --assume '$L__BB0_7=4..64'",
        "warpmill explain samples/spmv/launch.toml --machine v100,a100 --format csv "
        "--output spmv.csv",
    ),
    "simulate": (
        "warpmill simulate samples/vecadd/launch.toml --size n=65536",
        "warpmill simulate samples/reduce/launch.toml --size n=65536 --machine a100 "
        "--set l1.size_bytes=65536 --format json --output reduce.json",
        "warpmill simulate bfs:tiny --launch all --stats-format gpgpusim",
    ),
    "correlate": (
        "warpmill correlate samples/simulated_times.csv",
        "warpmill correlate samples/simulated_times.csv --column time=time_us --set sm.count=100 "
        "--format json --output errors.json",
    ),
    "sweep": (
        "warpmill sweep samples/spmv/launch.toml --over 'block=64..1024*2' --machine a100,v100",
        "warpmill sweep samples/vecadd/launch.toml --over 'block=32..1024*2' "
        "--over 'n=65536..1048576*2' --where 'n >= 256 * block' --pareto occupancy "
        "--format csv --output vecadd.csv",
        "warpmill sweep samples/vecadd/launch.toml --over sm.count=40..80+20 --size n=65536 "
        "--machine v100 --engine simulate --no-store",
    ),
    "tune": (
        "warpmill tune samples/vecadd/launch.toml --machine a100,v100 --check-size n=65536",
        "warpmill tune samples/matmul/launch.toml --keep-block --size n=128 --machine a100 "
        "--variant clang=samples/matmul/matmul.sm_80.clang.ptx "
        "--variant plain=samples/matmul/matmul.O0.ll",
        "warpmill tune samples/vecadd/launch.toml --over block=64,128,256 --size n=16384 "
        "--machine t4 --refine 2 --no-store --format csv --output vecadd.csv",
    ),
    "clone": (
        "warpmill clone samples/spmv/launch.toml --size rows=512 --size cols=512 --out spmv-clone",
        "warpmill clone samples/matmul/launch.toml --size n=64 --machine a100 --reduction auto "
        "--max-error 20% --out matmul-clone",
        "warpmill clone samples/reduce/launch.toml --size n=65536 --no-check --target sm_90 "
        "--seed 7 --out reduce-clone",
    ),
    "sample": (
        "warpmill sample bfs:tiny --machine v100,a100 --method tbpoint --check",
        "warpmill sample kmeans:tiny --method gtpin --intervals kernel --features KN-ARGS-GWS "
        "--save kmeans.json",
        "warpmill sample bfs:tiny --method random --target-error 20% --seed 7 --format csv",
    ),
    "explore": (
        "warpmill explore stargazer samples/vecadd/launch.toml --size n=4096 --samples 30 "
        "--workers 1",
        "warpmill explore modern samples/vecadd/launch.toml --size n=4096 --samples 12 --cost "
        "'sms * l1 + channels * l2' --curve sms --no-store --workers 1",
    ),
    "explore run": (
        "warpmill explore run stargazer samples/vecadd/launch.toml --size n=4096 --samples 90 "
        "--until-error 10% --suggest 3 --no-store --workers 1",
        "warpmill explore run stargazer samples/vecadd/launch.toml --size n=4096 --samples 20 "
        "--method sobol --response adjusted_us --workers 1 --format csv --output vecadd.csv",
    ),
    "explore report": (
        "warpmill explore report stargazer --cost 'simd * _blk' --at '#blk=4,simd=16,intra=2'",
        "warpmill explore report stargazer --where 'simd <= 16' --curve simd --format json "
        "--output stargazer.json",
    ),
    "calibrate": (
        "warpmill calibrate --on-model v100 --only shared,launch",
        "warpmill calibrate --on-model a100 --set shared.banks=16 --only shared --format csv "
        "--output a100.csv",
    ),
    "machines": (
        "warpmill machines",
        "warpmill machines show a100",
        "warpmill machines new wide --from a100 --set sm.count=160",
    ),
    "machines list": (
        "warpmill machines list",
        "warpmill machines list --format csv",
    ),
    "machines show": (
        "warpmill machines show a100",
        "warpmill machines show h100_sxm --set sm.count=144 --format json",
    ),
    "machines diff": (
        "warpmill machines diff v100 a100",
        "warpmill machines diff a100 h100_sxm --format csv",
    ),
    "machines new": (
        "warpmill machines new wide --from a100 --set sm.count=160",
        "warpmill machines new wide --from a100 --set l2.size_bytes=83886080 --out wide.toml",
    ),
    "machines import": (
        "warpmill machines import samples/machines/smallgpu/gpgpusim.config",
        "warpmill machines import samples/machines/smallgpu/gpgpusim.config --name small "
        "--from qv100_accelsim --out small.toml",
    ),
    "samples": (
        "warpmill samples",
        "warpmill samples list --paper tbpoint",
        "warpmill samples run bfs --preset tiny",
    ),
    "samples list": (
        "warpmill samples list --area graphs",
        "warpmill samples list --format json",
    ),
    "samples show": (
        "warpmill samples show bfs",
        "warpmill samples show hotspot --format csv",
    ),
    "samples run": (
        "warpmill samples run bfs --preset tiny",
        "warpmill samples run bfs --preset tiny --build opencl --size nodes=4096 --format json",
    ),
    "doctor": (
        "warpmill doctor",
        "warpmill doctor --format json",
    ),
    "schema": (
        "warpmill schema estimate",
        "warpmill schema --output schemas.json",
    ),
}


def epilog(command: str) -> str:
    """Give the end of a command's help: its examples, each on lines of its own."""
    lines = [line for example in EXAMPLES[command] for line in _wrapped(example)]
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])


_WIDTH = 74


def _wrapped(example: str) -> list[str]:
    """Break a long example as a shell allows it, before an option."""
    lines = [""]
    for word in example.replace(" --", "\0--").split("\0"):
        if lines[-1] and len(lines[-1]) + len(word) > _WIDTH:
            lines[-1] += " \\"
            lines.append(f"    {word}")
        else:
            lines[-1] += word if not lines[-1] else f" {word}"
    return lines
