"""From what a launch did to a clone model, and from the model to a kernel."""
