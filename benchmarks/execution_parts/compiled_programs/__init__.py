"""What compilers make of the kernels in frontend_inputs, launched: a file a source language or topic."""
