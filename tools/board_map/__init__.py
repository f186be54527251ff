"""The drawing of the board's map: laws, labels, lands, mountains. ``python -m tools.board_map`` writes the result."""
