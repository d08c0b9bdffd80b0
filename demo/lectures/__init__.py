"""Lectures to be given: every .yaml file here is one, and the shell keeps the idea that is being shown."""
