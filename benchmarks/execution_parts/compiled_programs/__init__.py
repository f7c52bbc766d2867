"""What compilers make of the kernels in frontend_inputs, launched: a file a language or topic."""
