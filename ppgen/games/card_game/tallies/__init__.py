"""What players wrote down after a game, from any file, checked against the deck."""
