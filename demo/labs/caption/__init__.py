"""A photo gets its sentence."""
