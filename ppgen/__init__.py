"""ppgen: card data and SVG templates become exact, cuttable PDF sheets; tallies become a score."""

__version__ = "0.1.0"
