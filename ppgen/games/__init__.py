"""The games that ppgen prints, each in its own package."""
