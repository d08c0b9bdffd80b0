"""What one fixed vector can hold."""
