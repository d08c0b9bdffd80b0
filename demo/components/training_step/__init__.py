"""One training step, forwards and back, played in the browser."""
