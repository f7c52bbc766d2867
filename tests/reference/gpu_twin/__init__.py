"""The whole GPU as plain Python: slow, obvious, every part stepped in every cycle.

It is the model written down a second time, and shares with the engine the numbering of ``fields``
only. It reads ``Spec``, ``Code`` and ``Streams``, all of which have tests of their own.

A cycle is, in this order (``gpu.Gpu.cycle``):

1. CTAs are dispatched (``dispatch``).
2. SM after SM takes what has come, lets its load and store unit serve (``lsu``, ``sectors``), and
   lets its schedulers issue (``scheduler``, ``warp``).
3. The network carries requests to slices (``network``).
4. Partition after partition: its slices (``l2``), then its DRAM channel (``dram``).
5. The network carries replies to SMs.

Nothing that a part sends is there for another one in the same cycle, but for a slice's channel, so
that an engine may move parts by themselves for as long as nothing from elsewhere can arrive.
"""
