"""What is given that is no text: photos, recordings, clips; samples of them, and what a visitor brings."""
