"""Machines, occupancy and the engines that turn warp traces into time."""
