"""Behaviour of a launch's warps at branches, loops and accesses, as statistics.

A profile counts how often; this says by what rule, in forms that code can be generated from
(GPGPU-MiniBench, §4.1.3 to §4.2.2). It is read off executed traces.
"""
