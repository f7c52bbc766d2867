"""What commands share: targets, jobs, workloads, traces, runs, the device that replays launches."""
