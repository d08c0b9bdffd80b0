"""Photos to choose from, as small pictures."""
