"""The application: which commands there are. Each stands in a module of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from warpmill.cli.commands import Command, Group
from warpmill.cli.examples import epilog
from warpmill.commands.analyze.command import analyze
from warpmill.commands.calibrate.command import calibrate
from warpmill.commands.clone.command import clone
from warpmill.commands.correlate.command import correlate
from warpmill.commands.dfsg.command import dfsg
from warpmill.commands.diff.command import diff
from warpmill.commands.doctor.command import doctor
from warpmill.commands.estimate.command import estimate
from warpmill.commands.explain.command import explain
from warpmill.commands.explore.command import explore
from warpmill.commands.inspect.command import inspect
from warpmill.commands.machines.command import machines
from warpmill.commands.profile.command import profile
from warpmill.commands.record.command import record
from warpmill.commands.replay.command import replay
from warpmill.commands.run.command import run
from warpmill.commands.sample.command import sample
from warpmill.commands.samples.command import samples
from warpmill.commands.schema.command import schema
from warpmill.commands.simulate.command import simulate
from warpmill.commands.sweep.command import sweep
from warpmill.commands.trace.command import trace
from warpmill.commands.tune.command import tune
from warpmill.version import __version__

app = typer.Typer(
    cls=Group,
    name="warpmill",
    help="How a GPU kernel will behave on a chip that is not in the room.",
    epilog=(
        "\b\nStart with:\n  warpmill inspect samples/matmul/matmul.sm_80.ptx\n"
        "  warpmill estimate samples/matmul/launch.toml"
    ),
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"warpmill {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """How a GPU kernel will behave on a chip that is not in the room."""


_SHORT: dict[Callable[..., None], str] = {
    inspect: "Show what kernel files hold.",
    analyze: "Show loops, branches and memory accesses of a kernel.",
    diff: "Compare two builds of a kernel.",
    trace: "Show what the warps of a launch execute.",
    run: "Run kernels and show what came out.",
    profile: "Run kernels and count exactly what they do.",
    record: "Run an application and keep every call of its device.",
    replay: "Run a recorded application again, or chosen launches of it.",
    estimate: "Estimate the time of a launch on several machines.",
    explain: "Show which lines of a kernel take the time.",
    simulate: "Simulate launches on a whole GPU, cycle by cycle.",
    correlate: "Put measured times beside estimated ones.",
    sweep: "Estimate or simulate a launch in many configurations.",
    tune: "Find the fastest block, size or variant of a launch.",
    clone: "Write a small benchmark that behaves like a target.",
    sample: "Simulate a few launches of an application and tell the whole.",
    calibrate: "Measure a GPU by micro-benchmarks, and write its machine file.",
    doctor: "Say whether warpmill can work here.",
    schema: "Print the JSON schemas of the reports.",
}

for _command, _words in _SHORT.items():
    app.command(cls=Command, epilog=epilog(_command.__name__), short_help=_words)(_command)
app.add_typer(dfsg, name="dfsg", short_help="Show and compare what threads do in blocks and loops.")
app.add_typer(explore, name="explore", short_help="Model a design space of machines.")
app.add_typer(machines, name="machines", short_help="List, show, compare and make machines.")
app.add_typer(samples, name="samples", short_help="List, show and run the workloads of the papers.")
