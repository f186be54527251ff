"""Drawings of other programs as templates of decks."""
