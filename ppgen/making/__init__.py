"""New decks: from a sheet of cards, finished art or a starter, and the looks of their first layouts."""
