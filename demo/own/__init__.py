"""What a visitor trained or loaded: the runs, and the models of the session."""
