"""Everything that knows SVG: elements and values, the subset that is printed, drawings of strangers."""
