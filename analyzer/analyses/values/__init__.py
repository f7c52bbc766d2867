"""What registers are worth: SSA, formulas over arguments, ids and counters, conditions."""
