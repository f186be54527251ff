"""What templates and drawings of strangers may do, and how much of it."""
