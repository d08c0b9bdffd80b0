"""A sentence with each word's own script above it."""
