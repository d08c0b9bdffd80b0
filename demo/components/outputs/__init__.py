"""Outputs as a line or a table."""
