"""A link of this app: read, led on where its page has moved, and what it shows where it is pasted."""
