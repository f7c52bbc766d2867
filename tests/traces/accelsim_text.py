"""Traces in Accel-Sim's form, written by hand for tests."""

HEADER = """-kernel name = _Z4stepPf
-kernel id = 3
-grid dim = (2,1,1)
-block dim = (48,1,1)
-shmem = 256
-nregs = 18
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007f1000000000
-local mem base_addr = 0x00007f1001000000
-nvbit version = 1.5.5
-accelsim tracer version = 4
-enable lineinfo = 0

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width
"""
"""Lines 1 to 16 of a file; line 16 is empty where a body follows."""

LOOP = """0020 ffffffff 1 R4 LDG.E.64.SYS 1 R2 8 1 0x00007f0000000100 8 0
0030 ffffffff 1 R0 DADD 2 R0 R4 0 0
0040 ffffffff 0 BRA 0 0 0
"""

WARP_0 = f"""0000 ffffffff 1 R1 MOV 0 0 0
0010 ffffffff 1 R2 S2R 0 0 0
{LOOP}{LOOP}0050 0000000f 1 R6 ATOMG.E.ADD.STRONG.GPU 2 R2 R0 4 2 0x00007f0000002000 4 -4 16 0
0060 ffffffff 0 EXIT 0 0 0
"""
"""10 instructions. The loop runs twice; four lanes of the atomic are at 0x2000, 04, 00 and 10."""

WARP_1 = f"""0000 0000ffff 1 R1 MOV 0 0 0
0010 0000ffff 1 R2 S2R 0 0 0
{LOOP.replace("ffffffff", "0000ffff").replace("0100", "0200")}0050 00000000 1 R6 \
ATOMG.E.ADD.STRONG.GPU 2 R2 R0 4 2 0x0 0
0060 0000ffff 0 EXIT 0 0 0
"""
"""7 instructions of 16 lanes: the loop runs once, and no lane does the atomic."""


def cta(number: int, *warps: str) -> str:
    """A thread block of some warps, by their instructions."""
    each = [f"warp = {k}\ninsts = {w.count(chr(10))}\n{w}\n" for k, w in enumerate(warps)]
    return f"#BEGIN_TB\n\nthread block = {number},0,0\n\n{''.join(each)}#END_TB\n\n"


def trace(*ctas: str, header: str = HEADER) -> str:
    """A whole file."""
    return f"{header}\n{''.join(ctas)}"


TWO_CTAS = trace(cta(0, WARP_0, WARP_1), cta(1, WARP_0, WARP_1))
"""2 x (10 + 7) warp instructions, in 2 x (2 x 32 + 2 x 32 x 3 + ...) threads' ones."""
