"""Attention for Triton without a matrix of scores in memory: blocks of keys, an online softmax."""

import triton
import triton.language as tl


@triton.jit
def advance(total, most, norm, query, keys, values, first, last, length, rows, pitch, scale,
            N: tl.constexpr, D: tl.constexpr, MASKED: tl.constexpr,
            CAUSAL: tl.constexpr):  # fmt: skip
    """Take the keys from `first` to `last` in blocks of N; scores are powers of 2's exponents."""
    dims = tl.arange(0, D)
    for at in range(first, last, N):
        place = at + tl.arange(0, N)
        key_at = keys + place[None, :] * pitch + dims[:, None]
        value_at = values + place[:, None] * pitch + dims[None, :]
        if MASKED:
            key = tl.load(key_at, mask=place[None, :] < length, other=0.0)
        else:
            key = tl.load(key_at)
        score = tl.dot(query, key) * scale
        if MASKED:
            seen = place[None, :] < length
            if CAUSAL:
                seen = seen & (place[None, :] <= rows[:, None])
            score = tl.where(seen, score, -float("inf"))
        higher = tl.maximum(most, tl.max(score, 1))
        weight = tl.exp2(score - higher[:, None])
        old = tl.exp2(most - higher)
        norm = norm * old + tl.sum(weight, 1)
        total = total * old[:, None]
        if MASKED:
            value = tl.load(value_at, mask=place[:, None] < length, other=0.0)
        else:
            value = tl.load(value_at)
        total = tl.dot(weight.to(tl.float16), value, total)
        most = higher
    return total, most, norm


@triton.jit
def attend(out, sums, queries, keys, values, starts, tokens, query_pitch, pitch, group, scale,
           M: tl.constexpr, N: tl.constexpr, D: tl.constexpr, CAUSAL: tl.constexpr):  # fmt: skip
    """M queries of one head and sequence; `group` query heads share a head of keys and values."""
    head, sequence = tl.program_id(1), tl.program_id(2)
    start = tl.load(starts + sequence)
    length = tl.load(starts + sequence + 1) - start
    first = tl.program_id(0) * M
    if first >= length:
        return
    rows = first + tl.arange(0, M)
    dims = tl.arange(0, D)
    place = (start + rows[:, None]) * query_pitch + head * D + dims[None, :]
    query = tl.load(queries + place, mask=rows[:, None] < length, other=0.0)
    keys += start * pitch + head // group * D
    values += start * pitch + head // group * D
    total = tl.zeros((M, D), tl.float32)
    most = tl.full((M,), -float("inf"), tl.float32)
    norm = tl.zeros((M,), tl.float32)
    if CAUSAL:  # whole blocks that every row sees, then those in which only some keys are seen
        total, most, norm = advance(total, most, norm, query, keys, values, 0, first, length,
                                    rows, pitch, scale, N, D, False, True)  # fmt: skip
        last = tl.minimum(first + M, length)
        total, most, norm = advance(total, most, norm, query, keys, values, first, last, length,
                                    rows, pitch, scale, N, D, True, True)  # fmt: skip
    else:
        total, most, norm = advance(total, most, norm, query, keys, values, 0, length, length,
                                    rows, pitch, scale, N, D, True, False)  # fmt: skip
    inside = rows < length
    tl.store(sums + head * tokens + start + rows, most + tl.log2(norm), mask=inside)
    tl.store(out + place, (total / norm[:, None]).to(tl.float16), mask=inside[:, None])


@triton.jit
def attention_causal(out, sums, queries, keys, values, starts, tokens, query_pitch, pitch, group,
                     scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):  # fmt: skip
    """A token sees itself and those before it in its sequence."""
    attend(out, sums, queries, keys, values, starts, tokens, query_pitch, pitch, group, scale,
           M, N, D, True)  # fmt: skip


@triton.jit
def attention(out, sums, queries, keys, values, starts, tokens, query_pitch, pitch, group,
              scale, M: tl.constexpr, N: tl.constexpr, D: tl.constexpr):  # fmt: skip
    """A token sees all tokens of its sequence."""
    attend(out, sums, queries, keys, values, starts, tokens, query_pitch, pitch, group, scale,
           M, N, D, False)  # fmt: skip


TYPES = "*fp16:16 *fp32:16 *fp16:16 *fp16:16 *fp16:16 *i32:16 i32 i32:16 i32:16 i32 fp32"
BUILDS = {
    kernel.__name__: {
        "kernel": kernel,
        "types": TYPES,
        "constants": {"M": 64, "N": 32, "D": 64},
        "warps": 4,
        "stages": 3,
    }
    for kernel in (attention_causal, attention)
}
