"""The attention player: one output of a trace, step by step."""
