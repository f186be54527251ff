"""Scoring and score sheets, for any game."""
