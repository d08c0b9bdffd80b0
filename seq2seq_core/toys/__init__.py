"""Small tasks that a model learns in seconds, and their training in a process of its own."""
