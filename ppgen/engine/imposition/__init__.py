"""Imposition: from items and a sheet spec to sheets with placements, cuts and folds. Pure, no PDF."""
