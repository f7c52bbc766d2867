"""``warpmill machines``."""

from warpmill.report.manifest import CommandEntry, ResultKind, SubCommands

COMMAND = CommandEntry(
    "machines",
    "List, show, compare and make machines.",
    group="The environment",
    place=1,
    examples={
        "": (
            "warpmill machines",
            "warpmill machines show a100",
            "warpmill machines new wide --from a100 --set sm.count=160",
        ),
        "list": (
            "warpmill machines list",
            "warpmill machines list --format csv",
        ),
        "show": (
            "warpmill machines show a100",
            "warpmill machines show a100 --verbose",
            "warpmill machines show h100_sxm --set sm.count=144 --format json",
        ),
        "diff": (
            "warpmill machines diff v100 a100",
            "warpmill machines diff a100 h100_sxm --format csv",
        ),
        "new": (
            "warpmill machines new wide --from a100 --set sm.count=160",
            "warpmill machines new wide --from a100 --set l2.size_bytes=83886080 --out wide.toml",
        ),
        "import": (
            "warpmill machines import samples/machines/smallgpu/gpgpusim.config",
            "warpmill machines import samples/machines/smallgpu/gpgpusim.config --name small "
            "--from qv100_accelsim --out small.toml",
        ),
    },
    kinds=(
        ResultKind(
            "machines-list",
            "result:MachineListReport",
            page="page:LIST",
            table="page:MACHINES_LIST",
        ),
        ResultKind(
            "machines-show",
            "result:MachineReport",
            page="page:SHOW",
            table="page:MACHINES_SHOW",
        ),
        ResultKind(
            "machines-diff",
            "result:MachineDiffReport",
            page="page:DIFF",
            table="page:MACHINES_DIFF",
        ),
    ),
    subcommands=SubCommands(
        "Look at the machines that kernels are timed on, and make new ones.\n\n"
        "`warpmill machines` is `warpmill machines list`.",
        {
            "list": "List the machines that come with warpmill.",
            "show": "Show the figures of a machine, and where each comes from.",
            "diff": "Show in which values two machines differ.",
            "new": "Write the file of a machine that differs from another.",
            "import": "Write the file of a machine of GPGPU-Sim.",
        },
        lists=True,
    ),
)
