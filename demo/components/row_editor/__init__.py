"""The weights of one attention row, to be pulled."""
