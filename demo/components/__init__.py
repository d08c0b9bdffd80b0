"""The attention player: one custom component, its script and its style."""
