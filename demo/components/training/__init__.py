"""A training under way, and the gradient's way back."""
