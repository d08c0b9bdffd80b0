"""Blocks that more than one lab uses."""
