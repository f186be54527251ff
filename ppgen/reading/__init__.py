"""Files, of whoever, into checked values."""
