"""The SVG that the engine knows: its elements, attributes and transforms."""
