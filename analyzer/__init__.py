"""Kernels as data: front-ends, one IR, control flow, analyses, launches and warp traces.

``analyzer`` is the first room of warpmill. It imports neither ``codegen`` nor ``simulator``.
"""
