"""Cases of capabilities that are still to come: each fails, and says which capability it waits for.

A case that passes fails here (xfail is strict): then it moves to the tests of what was mended.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases.conftest import Ended

Warpmill = Callable[..., Ended]


def to_come(
    capability: str, *, raises: type[BaseException] = AssertionError
) -> pytest.MarkDecorator:
    """The mark of a case whose capability is not there yet."""
    return pytest.mark.xfail(strict=True, reason=f"to come: {capability}", raises=raises)


HOPPER = "wgmma, tensor maps, clusters"


@to_come(HOPPER)
def test_a_tile_that_tma_copies_has_its_bytes(warpmill: Warpmill) -> None:
    folder = "21-hopper-tma-wgmma-cluster"
    assert warpmill(folder, "run launch.toml").code == 0
    (launch,) = warpmill(folder, "estimate launch.toml -m h100_sxm -f json").data["launches"]
    (estimate,) = launch["estimates"]
    assert estimate["dram_bytes"] >= 264 * 16384


@to_come("matrix times (AMD matrix instructions)")
def test_matrix_instructions_of_amd_have_a_time(warpmill: Warpmill) -> None:
    ended = warpmill(
        "36-amd-mfma-buffer-dpp", "estimate kernel.ll --grid 64 --block 64 -m mi250x_gcd -f json",
        "--arg buffer=f16:65536 --arg buffer=f32:65536 --arg 64",
    )  # fmt: skip
    assert ended.code == 0
    assert not ended.data["launches"][0]["estimates"][0]["unmodelled"]


@to_come("tcgen05")
def test_products_of_tensor_memory_execute_and_have_a_time(warpmill: Warpmill) -> None:
    ended = warpmill(
        "51-tcgen05-blackwell", "run kernel.ptx --grid 1 --block 128 --arg buffer=f32:16384"
    )
    assert ended.code == 0


@pytest.mark.slow
@to_come("reuse between CTAs of a wave")
def test_reuse_between_ctas_does_not_fade_as_the_loop_grows(warpmill: Warpmill) -> None:
    ended = warpmill("60-tiled-gemm", "estimate gemm.toml --size n=2048 -m a100 -f json")
    (estimate,) = ended.data["launches"][0]["estimates"]
    assert estimate["dram_bytes"] <= 1.1 * 34e6


@pytest.mark.slow
@to_come("engines that agree")
def test_both_engines_agree_on_a_gather(warpmill: Warpmill) -> None:
    words = "gather.toml --size n=65536 -m a100 -f json"
    estimated = warpmill("62-gather", f"estimate {words}").data["launches"][0]["estimates"][0]
    simulated = warpmill("62-gather", f"simulate {words}").data["simulations"][0]["result"]
    assert 0.75 <= estimated["time_us"] / simulated["time_us"] <= 1.25


@to_come("clones as near in IPC as they say")
def test_the_clone_of_a_stencil_is_near_or_says_that_it_is_not(
    warpmill: Warpmill, tmp_path: Path
) -> None:
    sizes = "--size nx=64 --size ny=16 --size nz=8 -m a100"
    ended = warpmill("65-clone-stencil", f"clone stencil.toml {sizes} --out {tmp_path / 'c'}")
    assert ended.code == 0
    assert "verdict" in ended.out.splitlines()[0]


@pytest.mark.slow
@to_come("sampling with intervals that hold")
def test_the_interval_of_a_sample_holds(warpmill: Warpmill) -> None:
    ended = warpmill(
        "71-sampling-alias",
        "sample program.py --method systematic --seed 1 --machine v100 --compare -f json",
    )
    (machine,) = ended.data["machines"]
    assert machine["holds"]
