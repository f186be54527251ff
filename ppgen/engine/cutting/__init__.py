"""Turns sheets into drawings for cutting machines: what is cut, what is scored, what the camera looks for."""
