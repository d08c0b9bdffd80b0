"""Predict first, then see."""
