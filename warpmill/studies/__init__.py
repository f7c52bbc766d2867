"""The study store: points that were measured once, kept by their content, resumed and ranked."""
