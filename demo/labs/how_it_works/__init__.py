"""The equations of a step, with its own numbers."""
