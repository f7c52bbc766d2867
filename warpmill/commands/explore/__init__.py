"""``warpmill explore``."""

from warpmill.report.manifest import CommandEntry, ResultKind, SubCommands

COMMAND = CommandEntry(
    "explore",
    "Model a design space of machines and launches.",
    group="The papers",
    place=4,
    examples={
        "": (
            "warpmill explore stargazer samples/vecadd/launch.toml --size n=4096 --samples 30 "
            "--workers 1",
            "warpmill explore modern samples/vecadd/launch.toml --size n=4096 --samples 12 "
            "--cost 'sms * l1 + channels * l2' --curve sms --no-store --workers 1",
        ),
        "run": (
            "warpmill explore run stargazer samples/vecadd/launch.toml --size n=4096 "
            "--samples 90 --until-error 10% --suggest 3 --no-store --workers 1",
            "warpmill explore run stargazer samples/vecadd/launch.toml --size n=4096 "
            "--samples 20 --method sobol --response adjusted_us --workers 1 --format csv "
            "--output vecadd.csv",
            "warpmill explore run launch samples/vecadd/vecadd.sm_80.ptx --grid 256 --block 256 "
            "--arg buffer=f32:65536 --arg buffer=f32:65536 --arg buffer=f32:65536 --arg 65536 "
            "--engine estimate --fraction 1 --no-store --workers 1",
            "warpmill explore run launch --measured samples/simulated_points.csv --curve threads",
        ),
        "report": (
            "warpmill explore report stargazer --cost 'simd * _blk' --at '#blk=4,simd=16,intra=2'",
            "warpmill explore report stargazer --where 'simd <= 16' --curve simd "
            "--format json --output stargazer.json",
        ),
    },
    kinds=(
        ResultKind(
            "explore",
            "result:ExploreReport",
            page="page:PAGE",
            table="page:EXPLORE",
        ),
    ),
    subcommands=SubCommands(
        "Simulate a few points of a design space of machines and launches, and tell all others "
        "by models (Stargazer).\n\n`warpmill explore SPACE WORKLOAD...` is `warpmill explore run "
        "SPACE WORKLOAD...`, whose help lists the options.",
        {
            "run": "Simulate or read samples of a space, and model them.",
            "report": "Show what is known of an exploration.",
        },
        usage="SPACE WORKLOAD... | COMMAND ...",
    ),
)
