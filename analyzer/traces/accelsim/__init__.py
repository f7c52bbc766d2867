"""Traces of Accel-Sim: ``kernelslist.g`` and its kernels' ``.traceg`` files, read and written.

``text`` has the files and their headers, ``scan`` the jitted scanner of their bodies, ``reading``
reads a file once, ``code`` makes a Kernel of the machine instructions that were seen, ``source`` is
the TraceSource.
"""
