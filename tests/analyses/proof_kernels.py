"""Kernels with their launches, and what is to be proven of them for every size."""

from dataclasses import dataclass
from pathlib import Path

HEAD = """
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 a, .param .u32 n)
{
  .reg .pred %p<9>;
  .reg .b32 %r<40>;
  .reg .b64 %rd<20>;
  .shared .align 4 .b8 tile[512];
  ld.param.u64 %rd0, [a];
  ld.param.u32 %r0, [n];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %nctaid.x;
  mad.lo.s32 %r5, %r2, %r3, %r1;
"""

STORE = """
  mul.wide.s32 %rd1, {index}, 4;
  add.s64 %rd2, %rd0, %rd1;
  st.global.u32 [%rd2{offset}], %r1;
"""


def store(index="%r5", offset=""):
    return STORE.format(index=index, offset=offset)


def unless(comparison):
    return f"  setp.{comparison};\n  @%p0 bra END;\n"


@dataclass(frozen=True)
class ProofKernel:
    """A kernel, its buffer's shape and its grid; ``answers`` are those about bounds, in order.

    ``multiple``: what is not proven is so where that divides n. ``most``: and for n up to that.
    """

    name: str
    body: str
    answers: tuple[str, ...]
    shape: str = '"n"'
    grid: str = '"ceil(n / 64)"'
    multiple: int | None = None
    most: int | None = None

    def write(self, folder: Path) -> Path:
        """Write the kernel and its launch file, and give the latter."""
        (folder / f"{self.name}.ptx").write_text(f"{HEAD}{self.body}\nEND:\n  ret;\n}}\n")
        path = folder / f"{self.name}.toml"
        path.write_text(
            f'[sizes]\nn = 1024\n[[launch]]\nmodule = "{self.name}.ptx"\ngrid = [{self.grid}]\n'
            f'block = [64]\nargs = [{{ buffer = "u32", shape = [{self.shape}] }}, '
            '{ i32 = "n" }]\n'
        )
        return path


GUARDED = unless("ge.s32 %p0, %r5, %r0")

KERNELS = [
    ProofKernel("guarded", GUARDED + store(), ("proven",)),
    ProofKernel("guard_off_by_one",
        unless("gt.s32 %p0, %r5, %r0") + store(), ("refuted",), multiple=64),
    ProofKernel("no_guard", store(), ("refuted",), multiple=64),
    ProofKernel("neighbour", GUARDED + store(offset="+4"), ("refuted",)),
    ProofKernel("neighbour_with_room", GUARDED + store(offset="+4"), ("proven",), shape='"n + 1"'),
    ProofKernel("both_of_a_pair",
        GUARDED + store() + store(offset="+4"), ("proven", "proven"), shape='"n + 1"'),
    ProofKernel("one_of_a_pair",
        GUARDED + store() + store(offset="+4"), ("proven", "refuted")),
    ProofKernel("before_the_start", GUARDED + store(offset="+-4"), ("refuted",)),
    ProofKernel("left_out_at_the_start",
        GUARDED + unless("eq.s32 %p0, %r5, 0") + store(offset="+-4"), ("proven",)),
    ProofKernel("grid_stride",
        "  mul.lo.s32 %r6, %r3, %r4;\n" + GUARDED + "LOOP:\n" + store()
        + "  add.s32 %r5, %r5, %r6;\n  setp.lt.s32 %p1, %r5, %r0;\n  @%p1 bra LOOP;\n",
        ("unknown",), grid="4", most=(1 << 31) - (1 << 16)),
    ProofKernel("one_round_too_many",
        "  mul.lo.s32 %r6, %r3, %r4;\n" + GUARDED + "LOOP:\n" + store()
        + "  add.s32 %r5, %r5, %r6;\n  setp.le.s32 %p1, %r5, %r0;\n  @%p1 bra LOOP;\n",
        ("refuted",), grid="4"),
    ProofKernel("countdown",
        "  mov.u32 %r7, %r0;\nLOOP:\n  add.s32 %r7, %r7, -1;\n" + store("%r7")
        + "  setp.ne.s32 %p1, %r7, 0;\n  @%p1 bra LOOP;\n",
        ("proven",)),
    ProofKernel("halving",
        "  mov.u32 %r7, 64;\nLOOP:\n  shr.u32 %r7, %r7, 1;\n  add.s32 %r8, %r1, %r7;\n"
        "  shl.b32 %r9, %r8, 2;\n  mov.u32 %r10, tile;\n  add.s32 %r11, %r10, %r9;\n"
        "  st.shared.u32 [%r11], %r1;\n  setp.gt.u32 %p1, %r7, 1;\n  @%p1 bra LOOP;\n",
        ("proven",)),
    ProofKernel("past_the_tile",
        "  shl.b32 %r9, %r1, 3;\n  mov.u32 %r10, tile;\n  add.s32 %r11, %r10, %r9;\n"
        "  st.shared.u32 [%r11+8], %r1;\n",
        ("refuted",)),
    ProofKernel("two_ways",
        "  mov.u32 %r12, 0;\n  setp.ge.s32 %p0, %r5, %r0;\n  @%p0 bra JOIN;\n"
        "  mov.u32 %r12, %r5;\nJOIN:\n" + store("%r12"), ("proven",)),
    ProofKernel("chosen",
        "  min.s32 %r12, %r5, %r0;\n" + store("%r12"), ("proven",), shape='"n + 1"'),
    ProofKernel("chosen_too_large",
        "  min.s32 %r12, %r5, %r0;\n" + store("%r12"), ("refuted",), multiple=64),
    ProofKernel("divided",
        GUARDED + "  div.u32 %r12, %r5, 3;\n" + store("%r12"), ("proven",), shape='"ceil(n / 3)"'),
    ProofKernel("divided_too_short",
        GUARDED + "  div.u32 %r12, %r5, 3;\n" + store("%r12"), ("refuted",),
        shape='"max(1, floor(n / 3))"'),
    ProofKernel("remainder",
        "  rem.u32 %r12, %r5, %r0;\n" + store("%r12"), ("proven",)),
    ProofKernel("guard_of_the_instruction",
        "  setp.lt.u32 %p0, %r5, %r0;\n  mul.wide.s32 %rd1, %r5, 4;\n  add.s64 %rd2, %rd0, %rd1;\n"
        "  @%p0 st.global.u32 [%rd2], %r1;\n", ("proven",)),
    ProofKernel("loaded",
        GUARDED + "  mul.wide.s32 %rd1, %r5, 4;\n  add.s64 %rd2, %rd0, %rd1;\n"
        "  ld.global.u32 %r12, [%rd2];\n" + store("%r12"), ("proven", "unknown")),
]  # fmt: skip
