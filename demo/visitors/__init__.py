"""What many visitors at once need: results that no client can empty, who is let in, whose turn it is, what may be sent or is off."""
