"""The board: what the data files tell, whether it can be played, and what is in the set."""
