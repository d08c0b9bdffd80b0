"""A small model learns in front of the class."""
