"""``warpmill dfsg``."""

from warpmill.report.manifest import CommandEntry, ResultKind, SubCommands

COMMAND = CommandEntry(
    "dfsg",
    "Show and compare what threads do in blocks and loops.",
    group="The papers",
    place=1,
    examples={
        "": (
            "warpmill dfsg samples/reduce/launch.toml --size n=65536",
            "warpmill dfsg samples/lud/launch.toml --launch 1 --format dot",
            "warpmill dfsg samples/scan/launch.toml --format json --output scan.json",
        ),
        "show": (
            "warpmill dfsg show samples/reduce/launch.toml --size n=65536",
            "warpmill dfsg show samples/lud/launch.toml --launch 1 --format dot --output lud.dot",
        ),
        "diff": (
            "warpmill dfsg diff samples/reduce/launch.toml samples/reduce/launch.bc.toml "
            "--size n=65536",
            "warpmill dfsg diff samples/scan/launch.toml samples/scan/launch.bc.toml --format json",
        ),
    },
    kinds=(
        ResultKind(
            "dfsg",
            "result:DfsgReport",
            page="page:PAGE",
            table="page:DFSG",
            graph="dot:dfsg_dot",
        ),
        ResultKind(
            "dfsg-diff",
            "result:DfsgDiffReport",
            page="page:DIFF_PAGE",
            table="page:DFSG_DIFF",
        ),
    ),
    subcommands=SubCommands(
        "Show what the threads of a launch do in each block, on each edge, in each loop: its "
        "divergence flow statistics graph (GPGPU-MiniBench).\n\n`warpmill dfsg TARGET` is "
        "`warpmill dfsg show TARGET`, whose help lists the options.",
        {
            "show": "Show the graph of each launch.",
            "diff": "Compare the graphs of two.",
        },
        usage="TARGET | COMMAND ...",
    ),
)
