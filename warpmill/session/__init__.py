"""What commands share: targets and jobs, the device that replays launches, workloads, traces, runs."""
