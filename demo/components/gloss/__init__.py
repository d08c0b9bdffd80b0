"""What a word means, said where it stands."""
