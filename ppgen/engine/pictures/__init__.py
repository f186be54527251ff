"""Faces and pages into pixels."""
