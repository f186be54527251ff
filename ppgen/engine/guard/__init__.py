"""Limits of strangers' templates and drawings: the sandbox, what it refuses, and counts of what is drawn."""
