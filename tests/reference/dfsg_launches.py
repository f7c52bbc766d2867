"""Graphs of launches that a slow interpreter ran."""

from tests.reference import flow_kernels
from tests.reference.flow_kernels import kernel_of
from tests.reference.profile_twin import interpreted
from warpmill.commands.dfsg.result import LaunchDfsg


def launch(name, index=0, threads=48):
    body = getattr(flow_kernels, name)
    return LaunchDfsg(index, name.lower(), interpreted(kernel_of(body), block=(threads, 1, 1)))
