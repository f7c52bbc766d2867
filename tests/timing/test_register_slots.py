"""Words that registers share, beside those that must not."""

import random

import pytest

from warpmill.simulator.gpu.code import Accessed, register_slots


def does(reads, writes, *, is_free=False):
    return Accessed(tuple(reads), tuple(writes), is_free)


def test_values_of_one_block_take_turns_in_a_word():
    block = [does([], [5]), does([5], [6]), does([6], [7]), does([7], [])]
    assert register_slots([block]) == {5: 0, 6: 0, 7: 0}


def test_values_that_are_there_at_a_time_have_words_of_their_own():
    block = [does([], [5]), does([], [6]), does([5, 6], [])]
    assert sorted(register_slots([block]).values()) == [0, 1]


@pytest.mark.parametrize(
    "alone",
    [
        pytest.param([does([], [5]), does([5], []), does([], [5])], id="written, then never read"),
        pytest.param([does([5], []), does([], [5]), does([5], [])], id="read first"),
        pytest.param([does([], [5]), does([5], [], is_free=True), does([5], [])], id="by a move"),
    ],
)
def test_others_keep_their_words(alone):
    slots = register_slots([alone, [does([], [7]), does([7], [])]])
    assert slots[5] != slots[7]


def test_what_several_blocks_use_keeps_its_word():
    slots = register_slots([[does([], [1]), does([], [2]), does([2], [])], [does([1], [])]])
    assert slots == {1: 0, 2: 1}


def test_a_word_holds_up_nobody_longer_than_its_registers_would():
    """Blocks in any order: an instruction waits as long with shared words as with one a register.

    As in ``next_ready`` it waits for all that it names, unless it is free.
    """
    for seed in range(40):
        chance = random.Random(seed)
        blocks = [_made_up(chance, 100 * k) for k in range(4)]
        slots = register_slots(blocks)
        own, shared, now = {}, {}, 0
        for block in (chance.choice(blocks) for _ in range(60)):
            for reads, writes, is_free in block:
                needs = reads if is_free else (*reads, *writes)
                time = max((own.get(one, 0) for one in needs), default=0)
                same = max((shared.get(slots[one], 0) for one in needs), default=0)
                assert max(time, now) == max(same, now)
                if not is_free:
                    now = max(time, now) + 1
                    time = now + chance.choice([1, 4, 400])
                own |= dict.fromkeys(writes, time)
                shared |= dict.fromkeys((slots[one] for one in writes), time)
        assert len(set(slots.values())) < len(slots)


def _made_up(chance, first):
    """A block that names most values anew, and now and then one of its own or of others again."""
    values, block = [99], []
    for value in range(first, first + chance.randint(8, 30)):
        reads = chance.sample(values[-4:], chance.randint(0, min(3, len(values))))
        write = value if chance.random() < 0.85 else chance.choice(values)
        values.append(write)
        block.append(does(reads, [write], is_free=chance.random() < 0.05))
    return block
