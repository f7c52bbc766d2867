"""Warp traces: what warps execute, the sources that tell it, and the file format.

One form passes between rooms: ``event_batch.EventBatch``, the events of some CTAs in columns. The
engines read ``simulator.streams.WarpStreams``, the same events as machine code with their sectors.
Static traces are folded trees (``model.WarpTrace``), which hold loops of any length; ``unfolding``
makes batches of them, ``ManyWarps`` has those of many CTAs, and ``EventBatch.traces`` shows a batch
as trees.
"""
