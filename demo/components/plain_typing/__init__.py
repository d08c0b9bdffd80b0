"""Keeps phones from changing what is typed."""
