"""What a person gives, made ready for a model: text to tokens, photos to grids of features."""
