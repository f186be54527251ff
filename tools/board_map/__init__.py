"""The drawing of the board's map: labels, lands, mountains. ``python -m tools.board_map`` writes the result."""
