"""Templates and values into checked faces: SVG, type, ornament."""
