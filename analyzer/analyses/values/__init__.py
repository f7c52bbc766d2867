"""Values of registers: SSA, formulas over arguments, ids and counters, conditions."""
