"""A whole grid at once in NumPy: the executor's slow twin, one array element a thread.

It shares the IR and the control-flow graph with what it checks and no rule of an operation. What
it does not know raises NotImplementedError with the opcode; an access that is misaligned or out of
its space raises AccessError. Between buffers it looks at nothing: one space is one array.
"""

from tests.reference.numpy_executor.launching import Counts, execute
from tests.reference.numpy_executor.machine import DeadlockError, TooLongError, TrapError
from tests.reference.numpy_executor.memory import AccessError

__all__ = ["AccessError", "Counts", "DeadlockError", "TooLongError", "TrapError", "execute"]
