"""What a piece is cut out as: its shape, its outline, its net of folds."""
