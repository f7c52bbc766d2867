"""Micro-benchmarks in PTX: kernels that each wait for one part of a machine, and for nothing else.

They are what the hybrid-estimation paper calibrates machines by (§III-B-3, §IV-A-2, Table I). Every
kernel has the same first parameters: ``records`` (an array of 16 B a warp: cycles by %clock64, and
a word that keeps the compiler from leaving the work out), ``memory`` and ``turns``.
"""
