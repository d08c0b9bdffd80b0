"""Cards that lead to pages."""
