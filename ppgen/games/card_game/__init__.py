"""Kardinal & König – Das Kartenspiel: its cards, its limits, its scoring."""
