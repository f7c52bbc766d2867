"""Shared parts of commands: targets, jobs, workloads, traces, runs, the replaying device."""
