"""The cells of a photo, to be painted."""
