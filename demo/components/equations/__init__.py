"""The letters of the equations."""
