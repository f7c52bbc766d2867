"""The assembler: what ptxas would make of a kernel, as one MachineProgram for both engines."""
