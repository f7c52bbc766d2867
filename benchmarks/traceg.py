"""How fast traces in Accel-Sim's form are read, and in how much memory.

The file is made here by the writer, of a reduction: the same bytes each time. A process of its own
reads it, once to know the code and the CTAs and once for the events of every CTA, as a simulation
does. Seconds are those of the CPU, of the fastest of some turns without what compiling takes; the
peak is that of the whole process.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

from warpmill.analyzer.base.metric import Metric, derived
from warpmill.benchmarks.benchmark import ROOT, Benchmark, Goal, Request, column, say
from warpmill.report.base import Part
from warpmill.report.sections import Table

SIZE, QUICK_SIZE = 1 << 22, 1 << 16
"""Numbers that are summed: 255 MB of text, and 4 MB."""

TURNS = 3


class ReadTrace(Part):
    """A file that was read: both readings together, and the process that did it."""

    file: Annotated[str, Metric("file")]
    megabytes: Annotated[float, Metric("text", "MB")]
    instructions: Annotated[int, Metric("warp instructions")]
    seconds: Annotated[float, Metric("both readings", "s")]
    first_seconds: Annotated[float, Metric("the first reading", "s")]
    peak_mb: Annotated[float, Metric("peak memory", "MB")]

    @derived("MB a second")
    def rate(self) -> float:
        """Text by the seconds of both readings."""
        return self.megabytes / self.seconds


class TracegResult(Part):
    """The file as text, and packed with xz."""

    files: tuple[ReadTrace, ...]

    @derived("text read, MB a second")
    def traceg_mb_per_s(self) -> float:
        """Of the plain file."""
        return self.files[0].rate

    @derived("peak memory, MB")
    def traceg_peak_mb(self) -> float:
        """Of the plain file and of the packed one, whichever took more."""
        return max(one.peak_mb for one in self.files)


def read_rows(path: str) -> None:
    """Read a file in turns and print what it took, as JSON: the main of the measured process."""
    from warpmill.analyzer.traces.accelsim.reading import read_traced  # noqa: PLC0415
    from warpmill.analyzer.traces.accelsim.source import AccelSimSource  # noqa: PLC0415

    seconds, first = [], []
    for _ in range(TURNS):
        begin = time.process_time()
        traced = read_traced(Path(path))
        first.append(time.process_time() - begin)
        grid = [traced.tables.cta(number) for number in traced.ctas.tolist()]
        events = sum(batch.events for batch in AccelSimSource(traced).batches(grid))
        assert events
        seconds.append(time.process_time() - begin)
    (line,) = [
        one
        for one in Path("/proc/self/status").read_text("ascii").splitlines()
        if one.startswith("VmHWM:")
    ]
    size = int(traced.ends[-1])
    row = {
        "megabytes": size / 1e6,
        "instructions": traced.warp_instructions,
        "seconds": min(seconds),
        "first_seconds": min(first),
        "peak_mb": int(line.split()[1]) * 1024 / 1e6,
    }
    print(json.dumps(row))


def _row(path: Path) -> ReadTrace:
    say(f"reading {path.name}, {path.stat().st_size:,} bytes")
    words = f"from warpmill.benchmarks.traceg import read_rows; read_rows({str(path)!r})"
    done = subprocess.run(
        [sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return ReadTrace(file=path.name, **json.loads(done.stdout))


def measure(request: Request) -> TracegResult:
    """Make the file, read it, and read it packed."""
    import lzma  # noqa: PLC0415 - for this alone

    from warpmill.session.prepare import prepare  # noqa: PLC0415
    from warpmill.session.traces import save_accelsim, trace  # noqa: PLC0415

    size = QUICK_SIZE if request.quick else SIZE
    job = prepare(ROOT / "samples" / "reduce" / "launch.toml", sizes={"n": size})
    with tempfile.TemporaryDirectory() as folder:
        say("writing the trace")
        (saved,) = save_accelsim([job], [trace(job)], Path(folder) / "traces" / "kernelslist.g")
        plain = _row(saved.file)
        packed = saved.file.with_name(f"{saved.file.name}.xz")
        with saved.file.open("rb") as text, lzma.open(packed, "wb", preset=0) as file:
            while piece := text.read(1 << 22):
                file.write(piece)
        return TracegResult(files=(plain, _row(packed)))


BENCHMARK: Benchmark[TracegResult] = Benchmark(
    name="traceg",
    about="How fast traces in Accel-Sim's form are read, and in how much memory.",
    takes="3 minutes",
    result=":TracegResult",
    measure=":measure",
    sections=(
        Table("Files", "files",
              ("file", column("megabytes", form="{:.0f}"), "instructions",
               column("seconds", form="{:.2f}"), column("first_seconds", form="{:.2f}"),
               column("rate", form="{:.0f}"), column("peak_mb", form="{:.0f}"))),
    ),
    goals=(Goal("traceg_mb_per_s", 20.0, at_least=True), Goal("traceg_peak_mb", 500.0)),
    data=("samples/reduce/*.ptx*", "samples/reduce/*.toml"),
)  # fmt: skip
