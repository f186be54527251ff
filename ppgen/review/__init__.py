"""Looking through a set: problems, changes since a print, texts to translate."""
