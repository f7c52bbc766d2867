"""Graphs of launches that a slow interpreter ran."""

from dataclasses import replace

from tests.reference import flow_kernels
from tests.reference.flow_kernels import kernel_of
from tests.reference.profile_twin import interpreted


def named(dfsg, name, index=0):
    return replace(dfsg, launch=replace(dfsg.launch, name=name, index=index))


def launch(name, index=0, threads=48):
    body = getattr(flow_kernels, name)
    return named(interpreted(kernel_of(body), block=(threads, 1, 1)), name.lower(), index)
