"""A kernel written as LLVM IR: registers of a warp as vectors of lanes, rules by opcode."""
