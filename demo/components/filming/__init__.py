"""A camera that films for two seconds."""
