"""How an output is searched for: greedy, sampling, beam, exhaustive."""
