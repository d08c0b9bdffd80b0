"""A trace as a file."""
