"""Calibration: machine files from micro-benchmarks, on a GPU or on the whole-GPU model.

The hybrid-estimation paper takes latencies, intervals and cache configurations of its machines from
micro-benchmarks (§III-B-3, §IV-A-2, Table I). ``codegen.microbench`` has the kernels; here they are
launched (``probes``, ``devices``, ``simulated_gpu``), their times fitted, and what was found put
beside the machine's file and into a new one.
"""
