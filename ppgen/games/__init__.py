"""The games that ppgen prints, a package each."""
