"""The equations of every moment, and their letters."""
