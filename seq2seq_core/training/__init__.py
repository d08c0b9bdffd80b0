"""Data, recipes, the training loop, and the scores of what was trained."""
