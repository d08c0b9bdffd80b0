"""The button that copies the page's link."""
