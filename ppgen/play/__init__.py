"""What is played with the set, whatever the game."""
