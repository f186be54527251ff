"""What players wrote down after a game into checked positions and scored games."""
