"""The models, readable from top to bottom: attention, cells, encoders, decoder, and the whole."""
