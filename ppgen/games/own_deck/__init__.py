"""Own decks: parts from tables and templates, without Python code."""
