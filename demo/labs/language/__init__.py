"""A decoder with no source."""
