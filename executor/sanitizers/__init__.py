"""Sanitizers: what a kernel does that a GPU leaves undefined, found while it is executed.

Native code calls functions of this room at accesses, barriers and fences (``callbacks``); they note
what they find in a table (``log``), which is read after the launch (``sanitizer``) into findings.
"""
