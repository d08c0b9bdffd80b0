"""Models in files: cards, checkpoints, moments of a training, packages, the shelf of shipped models."""
