"""Trip counts that a launch decides: numba's ranges, and loops that count in memory."""


def test_a_loop_counted_in_the_local_depot(warpmill):
    launch = "--grid 4 --block 64 --arg buffer=f32:65536 --arg i32=20 --format json"
    data = warpmill("70-loop-counted-in-memory", "analyze", "kernel.ptx", launch).data
    (kernel,) = data["kernels"]
    (loop,) = kernel["loops"]
    assert (loop["trips"], loop["iterations"]) == ("max(0, n)", 20)
