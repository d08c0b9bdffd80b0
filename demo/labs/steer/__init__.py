"""Force a word, move the attention, see what changes."""
