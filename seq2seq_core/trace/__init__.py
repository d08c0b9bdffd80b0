"""The record of a decode, and all that is read from it alone."""
