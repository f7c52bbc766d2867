import time

import pytest

from warpmill.analyzer.base.naming import (
    base_name,
    demangle,
    find_by_name,
    names_meant,
    nearest_names,
    short_name,
    suggestion,
)

NAMES = [
    "_Z7hotspotPfS_",
    "_Z4copyIfEvPT_",
    "_Z4copyIdEvPT_",
    "_ZN2ns4fillEv",
    "_ZN12_GLOBAL__N_16hiddenEi",
    "plain",
]


@pytest.mark.parametrize(
    ("name", "demangled", "base"),
    [
        ("_Z7hotspotPfS_", "hotspot(float*, float*)", "hotspot"),
        ("_ZN2ns4copyIfEEvPT_", "void ns::copy<float>(float*)", "copy"),
        ("_ZN12_GLOBAL__N_13fooEi", "(anonymous namespace)::foo(int)", "foo"),
        ("_Z18my_operator_kernelv", "my_operator_kernel()", "my_operator_kernel"),
        ("plain", "plain", "plain"),
        ("_ZN3foo3bar17h0123456789abcdefE",) + ("_ZN3foo3bar17h0123456789abcdefE",) * 2,
        ("?f@@YAXXZ", "?f@@YAXXZ", "?f@@YAXXZ"),
        ("_Zbad", "_Zbad", "_Zbad"),
        ("_Z", "_Z", "_Z"),
    ],
)
def test_mangled_names_in_words(name, demangled, base):
    assert demangle(name) == demangled
    assert base_name(name) == base


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("_Z7hotspotPfS_", "_Z7hotspotPfS_"),
        ("hotspot", "_Z7hotspotPfS_"),
        ("hotspot(float *, float *)", "_Z7hotspotPfS_"),
        ("copy", None),  # two of them
        ("copy<float>", "_Z4copyIfEvPT_"),
        ("ns::fill", "_ZN2ns4fillEv"),
        ("fill", "_ZN2ns4fillEv"),
        ("(anonymous namespace)::hidden", "_ZN12_GLOBAL__N_16hiddenEi"),
        ("hidden", "_ZN12_GLOBAL__N_16hiddenEi"),
        ("plain", "plain"),
        ("nothing", None),
    ],
)
def test_a_kernel_is_found_by_any_of_its_names(name, found):
    assert find_by_name(name, NAMES) == found


def test_near_names_come_nearest_first():
    assert nearest_names("hotpsot", ["spot", "x", "HotSpot2", "hotspot"])[0] == "hotspot"
    assert nearest_names("zzz", ["hotspot"]) == ()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("h100", ("h100_sxm", "h100_pcie")),
        ("k620", ("quadro_k620",)),
        ("tesla_t4", ("t4",)),
        ("A100", ("a100",)),
        ("rtx4O90", ("rtx4090",)),
    ],
)
def test_names_that_hold_what_was_typed_come_before_those_spelt_like_it(typed, meant):
    names = ["v100", "a100", "a100_pcie_80gb", "h100_pcie", "h100_sxm", "quadro_k600", "t4"]
    names += ["quadro_k620", "rtx4090", "tesla_k40", "l4"]
    found = nearest_names(typed, names)
    assert found[: len(meant)] == meant
    assert "v100" not in found


def test_what_lacks_a_part_of_a_key_finds_it():
    keys = ["dram.bandwidth_gbs", "dram.measured_gbs", "peak.dram_gbs", "dram.channels"]
    assert nearest_names("dram.gbs", keys)[0] == "dram.measured_gbs"
    assert suggestion("fil", ["fill"]) == "did you mean `fill`?"
    assert suggestion("zzz", ["fill"]) is None


def test_a_name_that_doubles_with_every_letter_pair_is_left_alone():
    bomb = "_Z1fPFivE" + "".join(f"PFS{n}_S{n}_E" for n in "024689ACEGIKMOQSUWY" * 4)
    before = time.monotonic()
    assert demangle(bomb) == bomb
    assert demangle("_Z1f" + "P" * 1000 + "i") == "_Z1f" + "P" * 1000 + "i"
    assert time.monotonic() - before < 2


TEMPLATES = {
    "reduce 256": "_Z10reduce_sumILi256EEvPKfPfi",
    "reduce 512": "_Z10reduce_sumILi512EEvPKfPfi",
    "sgemm": "_Z7sgemm_tILi128ELi128ELi8ELi8ELi8EEvPfi",
    "inner": "_ZN2ns3sub4gemmIfLj8ELb1EEEvPf",
    "outer": "_ZN2ns4gemmIfLj8ELb1EEEvPf",
    "numba": "_ZN8__main__5nbodyB2v1B4cw51E5ArrayIfLi2E1C7mutable7alignedEi",
    "typed": "_Z1kI6__halfN6nvcuda4wmma9row_majorEEvPf",
    "plain": "_Z4plusPf",
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("reduce_sum<256>", ["reduce 256"]), ("reduce_sum", ["reduce 256", "reduce 512"]),
        ("reduce_sum<(int)512>", ["reduce 512"]), ("reduce_sum<128>", []),
        ("reduce_sum<256>(float const*, float*, int)", ["reduce 256"]),
        ("sgemm_t<128,128,8,8,8>", ["sgemm"]), ("sgemm_t<128, 128, 8, 8, 8>", ["sgemm"]),
        ("other::sgemm_t<128,128,8,8,8>", []), ("other::plus", []), ("plus(float*)", ["plain"]),
        ("ns::gemm<float, 8u, true>", ["outer"]), ("ns::gemm<float,8,1>", ["outer"]),
        ("sub::gemm<float,8,true>", ["inner"]), ("ns::sub::gemm", ["inner"]),
        ("gemm<float,8,true>", ["inner", "outer"]), ("gemm", ["inner", "outer"]),
        ("nbody", ["numba"]), ("__main__::nbody", ["numba"]), ("k<__half, row_major>", ["typed"]),
        ("k<__half, nvcuda::wmma::row_major>", ["typed"]),
    ],
)  # fmt: skip
def test_names_as_they_are_written_in_the_source(typed, meant):
    names = tuple(TEMPLATES.values())
    assert names_meant(typed, names) == tuple(TEMPLATES[each] for each in meant)
    assert find_by_name(typed, names) == (TEMPLATES[meant[0]] if len(meant) == 1 else None)


def test_a_short_name_means_one_kernel():
    names = tuple(TEMPLATES.values())
    assert [short_name(name, names) for name in names] == [
        "reduce_sum<256>", "reduce_sum<512>", "sgemm_t", "ns::sub::gemm<float, 8u, true>",
        "ns::gemm<float, 8u, true>", "nbody", "k", "plus",
    ]  # fmt: skip


def test_constants_and_tags_are_shown_as_in_the_source():
    assert (
        demangle("_Z1kILj8ELb0ELin5ELm7ELc97EEvPf")
        == "void k<8u, false, -5, 7ul, (char)97>(float*)"
    )
    assert (
        demangle(TEMPLATES["numba"]) == "__main__::nbody(Array<float, 2, C, mutable, aligned>, int)"
    )
