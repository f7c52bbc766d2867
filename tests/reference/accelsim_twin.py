"""A trace in Accel-Sim's form, read line by line: the plain twin of the scanner."""

import re


def executed(text):
    """{CTA: {warp: [(PC, mask, opcode, {lane: address})]}} of a trace without source lines."""
    ctas, own, left = {}, None, 0
    for line in text.split("\n"):
        words = line.split()
        if not words:
            continue
        if left:
            left -= 1
            own.append(_instruction(words))
        elif line.startswith("thread block = "):
            cta = ctas.setdefault(tuple(map(int, re.findall(r"\d+", line))), {})
        elif line.startswith("warp = "):
            own = cta.setdefault(int(words[2]), [])
        elif line.startswith("insts = "):
            left = int(words[2])
    return ctas


def _instruction(words):
    pc, mask = int(words[0], 16), int(words[1], 16)
    rest = words[3 + int(words[2]) :]
    opcode, rest = rest[0], rest[2 + int(rest[1]) :]
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    if rest[0] == "0" or not lanes:
        return pc, mask, opcode, {}
    mode, base, steps = rest[1], int(rest[2], 16), rest[3:]
    if mode == "0":
        return pc, mask, opcode, {k: int(a, 16) for k, a in zip(lanes, rest[2:], strict=False)}
    found = {lanes[0]: base}
    for number, lane in enumerate(lanes[1:]):
        found[lane] = found[lanes[number]] + int(steps[0 if mode == "1" else number])
    return pc, mask, opcode, found
