"""What a small launch comes to in every schedule: the judge of planted faults that were not found.

``outcomes`` runs a kernel in an interpreter of its own, which shares nothing with the executor,
in every order of its accesses that could matter, and gives the memory images and faults that there
are. ``is_harmless`` says whether a changed kernel always does what the original does.

- Orders are explored by dynamic partial-order reduction with sleep sets (Flanagan and Godefroid,
  POPL 2005): where two accesses conflict and nothing orders them, the other order is run as well. A
  run without such accesses proves on its own that all schedules are the same: what barriers,
  waits and acquired releases order is so in every schedule, and values follow from it.
- Stores of one value, and atomics whose results nobody uses, count as no conflict where the order
  leaves no trace. Floating-point additions do conflict.
- Threads are independent of each other, also in a warp. Which values a read may return is told in
  ``memory``. A thread that would read what it has read before in the same state waits
  until there is another value.
- Undefined registers and bytes are values of their own: to branch on one, to use one as an
  address, mask or size, or to leave one in a buffer is a fault. An operation of an undefined
  operand is undefined as a whole.
- What is not modelled, or takes more than ``most_states`` accesses, is unknown and never harmless.

Not modelled: textures, surfaces, clocks, clusters, bulk copies of tensors and of reductions, calls
that could not be inlined, packed arithmetic, carries, matrix products but ``mma.m16n8k16`` of
halves, operations of a warp without ``.sync``, generic addresses of memory that is not global or
shared.
"""

from warpmill.benchmarks.check.exhaustive.search import (
    MOST_STATES,
    Outcomes,
    is_harmless,
    outcomes,
)

__all__ = ["MOST_STATES", "Outcomes", "is_harmless", "outcomes"]
