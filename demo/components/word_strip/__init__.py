"""A sentence as a strip of coloured words."""
