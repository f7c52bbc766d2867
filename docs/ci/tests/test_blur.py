"""What blur computes, beside NumPy."""

from pathlib import Path

import numpy as np
import pytest

KERNELS = Path("kernels")


@pytest.mark.parametrize("n", [1, 256, 1000])
def test_blur_is_the_mean_of_three(gpu, n):
    """All sizes end within a CTA, at its end, or in another one."""
    values = np.random.default_rng(seed=1).random(n, np.float32)
    blur = gpu.load(KERNELS / "blur.ptx")["blur"]
    given, out = gpu.array(values), gpu.zeros(n)
    gpu.launch(blur, grid=-(-n // 256), block=256, args=[given, out, n])
    padded = np.pad(values, 1)
    wanted = (padded[:-2] + padded[1:-1] + padded[2:]) / 3
    np.testing.assert_allclose(out.get(), wanted, rtol=1e-5)
