"""What one sees first."""
